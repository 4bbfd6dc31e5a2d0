/** How a clerk is asked about what a manifest lacks. */
import { type Problem, parseDimensions, parseLength, parseWeight } from '../csv/numbers.ts'
import type { Questions } from '../upload/ask-mapping.ts'
import type { ColumnName } from './column-names.ts'
import { columnOf } from './columns.ts'

export const QUESTIONS: Questions<ColumnName> = {
  words: {
    weight_grams: { name: 'weight', like: '1.2kg' },
    dimensions: { name: 'size', like: '30x20x10cm' },
  },
  // Bare numbers are grams and millimetres.
  problemOf(column, text) {
    const { kind } = columnOf(column)
    if (kind === 'weight') return detailOf(parseWeight(text, 'g'))
    if (kind === 'length') return detailOf(parseLength(text, 'mm'))
    return kind === 'dimensions' ? detailOf(parseDimensions(text, 'mm')) : undefined
  },
}

function detailOf(parsed: number | number[] | Problem): string | undefined {
  return typeof parsed === 'object' && 'detail' in parsed ? parsed.detail : undefined
}
