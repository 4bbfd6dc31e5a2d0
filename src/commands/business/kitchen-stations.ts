/** The stations of a kitchen as people change them: one at a time, by the names of categories and items. */
import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { listStoreItems } from '../../client/list-store-items.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import { joinFirst } from '../../tabular/wording.ts'
import { matchByName } from '../items.ts'
import { callOperation } from '../operation.ts'

/** The station as a value that may be missing. */
export const STATION = {
  key: 'station',
  flag: 'STATION',
  value: 'Bar',
  description: 'name of the station, such as Bar',
  message: 'Station',
} as const

type StoreSettings = OperationOutput<'get_store_settings'>
type Station = { name: string; category_ids: string[]; item_ids: string[] }

type StationRequest = {
  name: string
  categories: readonly string[]
  items: readonly string[]
  merchant: string | undefined
}

/** Adds categories and items to a station, which is made if there is none of that name. They leave other stations. */
export async function addStation(cli: CommandContext, request: StationRequest): Promise<number> {
  const { name, categories, items, merchant } = request
  const settings = await readSettings(cli, merchant)
  const category_ids = categories.map((typed) => findCategory(settings, typed))
  const item_ids = await findItems(cli, items, merchant)
  const others = toStations(settings).map((station) =>
    isNamed(station, name)
      ? station
      : {
          ...station,
          category_ids: station.category_ids.filter((id) => !category_ids.includes(id)),
          item_ids: station.item_ids.filter((id) => !item_ids.includes(id)),
        },
  )
  const found = others.find((station) => isNamed(station, name))
  const station = {
    name: found?.name ?? name,
    category_ids: [...new Set([...(found?.category_ids ?? []), ...category_ids])],
    item_ids: [...new Set([...(found?.item_ids ?? []), ...item_ids])],
  }
  const stations =
    found === undefined ? [...others, station] : others.map((each) => (each === found ? station : each))
  return sendStations(cli, settings, stations, request)
}

/** Removes a station; its lines are then at none. Throws AppError('usage') for a name that no station has. */
export async function removeStation(
  cli: CommandContext,
  request: { name: string; merchant: string | undefined },
): Promise<number> {
  const settings = await readSettings(cli, request.merchant)
  const stations = toStations(settings)
  const left = stations.filter((station) => !isNamed(station, request.name))
  if (left.length === stations.length)
    throw new AppError('usage', `No station ${JSON.stringify(request.name.slice(0, 60))}.`, {
      hint:
        stations.length === 0
          ? 'Your store has no stations: `dray business station add Bar --category Drinks` adds one.'
          : `Your stations: ${joinFirst(
              stations.map(({ name }) => sanitizeForTerminal(name)),
              20,
            )}.`,
    })
  return sendStations(cli, settings, left, request)
}

function isNamed(station: Station, name: string): boolean {
  return foldForSearch(station.name) === foldForSearch(name)
}

async function readSettings(cli: CommandContext, merchant: string | undefined): Promise<StoreSettings> {
  const client = await cli.client()
  const input = merchant === undefined ? {} : { merchant_id: merchant }
  return (await client.call('get_store_settings', input)).value
}

function toStations({ stations }: StoreSettings): Station[] {
  return stations.map(({ name, categories, items }) => ({
    name,
    category_ids: categories.map(({ category_id }) => category_id),
    item_ids: items.map(({ item_id }) => item_id),
  }))
}

/** Sends all stations with the version that was read: a change by another person in the meantime fails. */
async function sendStations(
  cli: CommandContext,
  { version }: StoreSettings,
  stations: readonly Station[],
  { merchant, ...said }: { merchant: string | undefined } & Record<string, unknown>,
): Promise<number> {
  if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
  const { columns } = await loadOperationHints('get_store_settings')
  const operation = { ...(await loadOperationHints('set_store_settings')), columns }
  const input = { stations, version, ...(merchant !== undefined && { merchant_id: merchant }) }
  return callOperation(cli, operation, { input, said: [said, input] })
}

/** Returns the id of the category with this name or id. Throws AppError('category_not_found') that names the others. */
function findCategory({ stations, unassigned_categories }: StoreSettings, typed: string): string {
  const all = [...stations.flatMap(({ categories }) => categories), ...unassigned_categories]
  const found = all.find(
    ({ category_id, name }) => category_id === typed || foldForSearch(name) === foldForSearch(typed),
  )
  if (found !== undefined) return found.category_id
  const names = all.map(({ name }) => sanitizeForTerminal(name))
  throw new AppError('category_not_found', `No category ${JSON.stringify(typed.slice(0, 60))}.`, {
    hint: `Your categories: ${joinFirst(names, 20)}.`,
  })
}

/** Returns the ids of items by their names or ids. Throws AppError('item_not_found' | 'usage'). */
async function findItems(
  cli: CommandContext,
  typed: readonly string[],
  merchant: string | undefined,
): Promise<string[]> {
  if (typed.length === 0) return []
  const menu = await listStoreItems(await cli.client(), merchant)
  return typed.map((name) => {
    const found = matchByName(menu, name, ({ item_id }) => item_id)
    if ('one' in found) return found.one.item_id
    const alike = found.several.map((item) => `${sanitizeForTerminal(item.name)} (${item.item_id})`)
    const shown = JSON.stringify(name.slice(0, 60))
    throw alike.length === 0
      ? new AppError('item_not_found', `No item on your menu is named ${shown}.`, {
          hint: '`dray business catalog list` shows your items.',
        })
      : new AppError('usage', `${shown} may be several items: ${joinFirst(alike, 5)}.`)
  })
}
