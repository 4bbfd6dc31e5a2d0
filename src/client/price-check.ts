/** New prices compared with those before: by the service, which knows what they were a day ago. */
import { chunkRows } from '../core/cut-rows.ts'
import { AppError } from '../core/errors.ts'
import type { Client } from './client.ts'
import type { OperationOutput, OperationInput } from './operations.ts'

type PriceCheckInput = OperationInput<'check_catalog_prices'>
type PriceChange = OperationOutput<'check_catalog_prices'>['updates'][number]['changes'][number]

/**
 * Returns the prices that differ by more than half from those before, for each row; undefined where this cannot be told:
 * an older service compares nothing, a credential may not read the menu, and a request that is wrong is rejected later.
 * Throws AppError for all other failures.
 */
export async function findLargePriceChanges<M extends 'updates' | 'items'>(
  client: Client,
  member: M,
  { [member]: rows, ...more }: PriceCheckInput & { [K in M]: readonly unknown[] },
): Promise<PriceChange[][] | undefined> {
  const found: PriceChange[][] = []
  try {
    for (const part of chunkRows<unknown>(rows, (row) => Buffer.byteLength(JSON.stringify(row)))) {
      const input = { ...more, [member]: part } as PriceCheckInput
      const { value } = await client.call('check_catalog_prices', input)
      found.push(...value[member].map(({ changes }) => changes))
    }
    return found
  } catch (error) {
    if (error instanceof AppError && [400, 403, 404, 405, 422].includes(error.entry.status ?? 0))
      return undefined
    throw error
  }
}

type Update = NonNullable<PriceCheckInput['updates']>[number]

/** Returns what a change of an item says about its prices, and the name by which it is found. */
export function pickPriceFields(input: Readonly<Record<string, unknown>>): Update {
  const members = ['item_id', 'name', 'price', 'modifier_groups'].filter(
    (member) => input[member] !== undefined,
  )
  return Object.fromEntries(members.map((member) => [member, input[member]])) as Update
}
