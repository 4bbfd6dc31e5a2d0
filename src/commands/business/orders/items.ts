import type { CommandContext } from '../../../cli/cli.ts'
import { AppError } from '../../../core/errors.ts'
import { hasIdPrefix } from '../../../core/resource.ts'
import { RESOURCES } from '../../../generated/resources.ts'
import { matchByName } from '../../items.ts'
import { loadOrder } from './active.ts'
import type { NamedOrder } from './find.ts'

type Body = Readonly<Record<string, unknown>>

/** The body with the ids of items that were named as the ticket has them. Throws AppError('usage'). */
export async function withItemIds(
  cli: CommandContext,
  body: Body,
  named: readonly NamedOrder[],
): Promise<Body> {
  const typed = body['item_ids']
  const first = named.find(({ problem }) => problem === undefined)
  if (!Array.isArray(typed) || first === undefined) return body
  const words = typed as string[]
  const isItem = (word: string): boolean => hasIdPrefix(RESOURCES.catalog_item, word)
  if (words.every(isItem)) return body
  const { lines } = first.order ?? (await loadOrder(await cli.client(), first.orderId))
  const items = lines.filter(
    ({ item_id }, at) => lines.findIndex((other) => other.item_id === item_id) === at,
  )
  return { ...body, item_ids: words.map((word) => (isItem(word) ? word : idOf(word, items))) }
}

function idOf(word: string, items: readonly { item_id: string; name: string }[]): string {
  const found = matchByName(items, word, ({ item_id }) => item_id)
  if ('one' in found) return found.one.item_id
  const among = found.several.length > 0 ? found.several : items
  throw new AppError(
    'usage',
    `--item must be one of ${among.map(({ name }) => name).join(', ')}, not ${JSON.stringify(word.slice(0, 60))}.`,
  )
}
