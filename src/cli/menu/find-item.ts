/** An item of the own menu by its name. */
import type { Client } from '../../client/client.ts'
import { AppError } from '../../errors.ts'
import { pickOne } from '../food/items.ts'

type Named = { item_id: string; name: string }

/** The one item that is called so, or whose name alone has it. Throws AppError('item_not_found' | 'usage'). */
export async function findItem(client: Client, asked: string): Promise<Named> {
  const found = pickOne(await listLike(client, asked), asked, ({ item_id }) => item_id)
  if ('one' in found) return found.one
  const shown = JSON.stringify(asked.slice(0, 60))
  if (found.several.length === 0) {
    throw new AppError('item_not_found', `Nothing on your menu is called ${shown}.`, {
      hint: '`dray business catalog list` shows your items.',
    })
  }
  const names = found.several.slice(0, 5).map(({ name, item_id }) => `${name} (${item_id})`)
  throw new AppError('usage', `${shown} may be ${names.join(', ')}${found.several.length > 5 ? ' …' : ''}.`, {
    hint: 'Give the whole name, or the id of the one that is meant.',
  })
}

async function listLike(client: Client, asked: string): Promise<Named[]> {
  try {
    const { value } = await client.call('list_catalog_items', { q: asked.trim().slice(0, 80), limit: 100 })
    return (value as { data: Named[] }).data
  } catch (error) {
    if (!(error instanceof AppError && error.errors.some(({ parameter }) => parameter === 'merchant_id')))
      throw error
    throw new AppError('usage', 'You have several stores: an item goes by its id there.', {
      hint: '`dray business catalog list --merchant ID` shows the items of one.',
      cause: error,
    })
  }
}
