/** A filter by the number of an order, which names one order and so goes with few other filters. Pure. */
import { AppError } from '../../../core/errors.ts'

/** Throws `invalid_request` where one of the filters stands beside `filter`, which goes with none of them. */
export function assertAlone(
  filter: string,
  input: Readonly<Record<string, unknown>>,
  others: readonly string[],
): void {
  const other = Object.keys(input).find((name) => name !== filter && others.includes(name))
  if (input[filter] === undefined || other === undefined) return
  const detail = `${filter} does not go with ${other}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: other, code: 'mutually_exclusive', detail }],
  })
}
