/** Rows of an import: bodies of `create_catalog_item`, with what the import says for all of them. */
import * as Type from 'typebox'
import { MAX_REQUEST_ROWS } from '../../core/cut-rows.ts'
import { AppError } from '../../core/errors.ts'
import { nonBlankText } from '../../core/schema.ts'

/** The fields of a request that carry them. */
export const importRowFields = {
  // Rows are open here and checked one by one: a bad one is a result, not an error of all.
  items: Type.Array(
    Type.Object(
      {},
      {
        additionalProperties: true,
        'x-body-of': 'create_catalog_item',
        // `default_category` may stand for it; a row without either is rejected.
        'x-optional': ['category'],
      },
    ),
    { minItems: 1, description: 'The items' },
  ),
  default_category: Type.Optional(
    nonBlankText(120, { description: 'Default category; without it, each row needs one' }),
  ),
  default_currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      errorMessage: 'must be a currency code such as GBP',
      description: 'Default currency',
    }),
  ),
}

/** Throws `manifest_too_large` for more rows than one call takes. */
export function assertFewRows(rows: readonly unknown[]): void {
  if (rows.length <= MAX_REQUEST_ROWS) return
  throw new AppError(
    'manifest_too_large',
    `The import has ${rows.length} rows; the limit is ${MAX_REQUEST_ROWS}.`,
    {
      extra: { limit: MAX_REQUEST_ROWS },
      hint: `Send at most ${MAX_REQUEST_ROWS} items at once; \`dray business catalog import\` does that for you.`,
    },
  )
}

export type RowBody = Record<string, unknown>

/** The row with what the import says for all of them, where the row says nothing. */
export function fillRow(row: RowBody, category: string | undefined, currency: string | undefined): RowBody {
  const given = row['category'] ?? ''
  const named = typeof given !== 'string' || given.trim() !== ''
  return {
    ...(currency === undefined ? row : (withCurrency(row, currency) as RowBody)),
    ...(!named && category !== undefined && { category }),
  }
}

const MONEY = new Set(['price', 'cost', 'price_delta'])

function withCurrency(value: unknown, currency: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => withCurrency(entry, currency))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      MONEY.has(name) && typeof member === 'object' && member !== null
        ? { currency, ...member }
        : withCurrency(member, currency),
    ]),
  )
}
