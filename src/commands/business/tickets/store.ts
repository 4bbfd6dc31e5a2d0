/** The store whose tickets are printed. */
import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'

/** Returns the name of the store, for the head of each ticket; undefined where the caller may not read it. */
export async function loadStoreName(
  client: Client,
  merchantId: string | undefined,
): Promise<string | undefined> {
  try {
    const input = merchantId === undefined ? {} : { merchant_id: merchantId }
    return (await client.call('get_store_hours', input)).value.name
  } catch (error) {
    // A cook's login may read orders only.
    if (error instanceof AppError && error.entry.status === 403) return undefined
    throw error
  }
}
