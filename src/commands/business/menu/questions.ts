/** How a merchant is asked about what a menu lacks. */
import { parseMoney } from '../../../core/money.ts'
import type { Questions } from '../../../rows/upload/ask-mapping.ts'
import type { MenuColumn } from './columns.ts'

export const QUESTIONS: Questions<MenuColumn> = {
  words: { price: { name: 'price', like: '8.50' }, category: { name: 'category', like: 'Specials' } },
  problemOf(column, text) {
    if (column !== 'price') return undefined
    const money = parseMoney(text, 'GBP')
    return 'problem' in money ? money.detail : undefined
  },
}
