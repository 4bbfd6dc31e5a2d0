/** How a clerk is asked about what a manifest lacks. */
import { type Problem, parseDimensions, parseLength, parseWeight } from '../csv/numbers.ts'
import type { Questions } from '../upload/ask-mapping.ts'
import type { ColumnName } from './columns.ts'
import { columnOf } from './columns.ts'

export const QUESTIONS: Questions<ColumnName> = {
  words: {
    weight_grams: { name: 'weight', like: '1.2kg' },
    dimensions: { name: 'size', like: '30x20x10cm' },
  },
  // Bare numbers are grams and millimetres.
  problemOf(column, text) {
    const { read } = columnOf(column)
    if (read === 'weight') return detailOf(parseWeight(text, 'g'))
    if (read === 'length') return detailOf(parseLength(text, 'mm'))
    return read === 'dimensions' ? detailOf(parseDimensions(text, 'mm')) : undefined
  },
}

function detailOf(parsed: number | number[] | Problem): string | undefined {
  return typeof parsed === 'object' && 'detail' in parsed ? parsed.detail : undefined
}
