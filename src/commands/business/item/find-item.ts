/** An item of the own menu: by its id, by its whole name, or by the own reference. */
import { shellQuote } from '../../../cli/output/shell.ts'
import type { Client } from '../../../client/client.ts'
import { orIfForbidden } from '../../../client/fallbacks.ts'
import { type CatalogItem, findOwnItem, listStoreItems, storesOf } from '../../../client/list-store-items.ts'
import { AppError } from '../../../core/errors.ts'
import { foldForSearch } from '../../../core/fold.ts'
import { normalizeIdentifier } from '../../../core/identifiers.ts'
import { findClosestWord } from '../../../core/nearest.ts'
import { hasIdPrefix } from '../../../core/resource.ts'
import { RESOURCES } from '../../../generated/resources.ts'

/** `item` is missing where the credential may not read the menu, or the id is of a store that is not known. */
type ResolvedItem = { itemId: string; item: CatalogItem | undefined }

/** The one item of that id, or with exactly that name or reference. Throws AppError('item_not_found' | 'usage') with the choices. */
export async function resolveItem(client: Client, asked: string): Promise<ResolvedItem> {
  return hasIdPrefix(RESOURCES.catalog_item, asked) ? findById(client, asked) : findByName(client, asked)
}

async function findById(client: Client, itemId: string): Promise<ResolvedItem> {
  // A caller who may write but not read is told so before a price changes.
  return { itemId, item: await orIfForbidden(findOwnItem(client, itemId), undefined) }
}

async function findByName(client: Client, asked: string): Promise<ResolvedItem> {
  const items = await listStoreItems(client).catch((error: unknown) => {
    const commands = storesOf(error)?.map(
      ({ name }) => `\`dray business catalog list --merchant ${shellQuote(name)}\``,
    )
    if (commands === undefined) throw error
    throw new AppError('usage', 'You have several stores: use the item ID.', {
      hint: `${commands.join(', ')} lists the items of one.`,
      cause: error,
    })
  })
  const wanted = foldForSearch(asked)
  const exact = items.filter(({ name }) => foldForSearch(name) === wanted)
  const isReferred = ({ external_ref: ref }: CatalogItem) =>
    ref !== null && normalizeIdentifier(ref) === normalizeIdentifier(asked)
  const item = exact.length < 2 ? (exact[0] ?? items.find(isReferred)) : undefined
  if (item !== undefined) return { itemId: item.item_id, item }
  throw notOne(asked, exact.length > 0 ? exact : likely(items, wanted))
}

/** Those that have the words in their name; else the one that is spelt most like it. */
function likely(items: readonly CatalogItem[], wanted: string): CatalogItem[] {
  const parts = wanted === '' ? [] : items.filter(({ name }) => foldForSearch(name).includes(wanted))
  if (parts.length > 0) return parts
  const like = findClosestWord(
    wanted,
    items.map(({ name }) => foldForSearch(name)),
  )
  return items.filter(({ name }) => foldForSearch(name) === like)
}

const SHOWN = 5

function notOne(asked: string, choices: readonly CatalogItem[]): AppError {
  const shown = JSON.stringify(asked.slice(0, 60))
  if (choices.length === 0)
    return new AppError('item_not_found', `No item on your menu is named ${shown}.`, {
      hint: '`dray business catalog list` shows your items.',
    })
  const names = choices.slice(0, SHOWN).map(({ name, item_id }) => `${name} (${item_id})`)
  const rest = choices.length > SHOWN ? ` and ${choices.length - SHOWN} more` : ''
  return new AppError('usage', `${shown} matches ${names.join(', ')}${rest}. Nothing was sent.`, {
    hint: 'Use the full name or the ID of the item.',
  })
}
