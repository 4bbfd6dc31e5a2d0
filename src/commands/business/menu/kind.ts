/** The menu as a kind of file. */
import { HEADER_PARTS } from '../../../generated/header-parts/menu.ts'
import type { Candidate, Combining, FileKind, Mapping } from '../../../rows/columns/columns.ts'
import { claimed } from '../../../rows/columns/map.ts'
import { headerKey } from '../../../rows/csv/keys.ts'
import { readAvailability } from './cells.ts'
import { COLUMNS, columnOf, type MenuColumn } from './columns.ts'
import menu from './menu.json' with { type: 'json' }
import { type MenuPreset, PRESETS } from './presets.ts'
import { settlePrices } from './prices.ts'

export type MenuMapping = Mapping<MenuColumn, MenuPreset>

export const MENU: FileKind<MenuColumn, MenuPreset> = {
  name: 'menu',
  row: 'item',
  template: 'dray business catalog template',
  example: menu.template,
  columns: COLUMNS,
  columnOf,
  headers: HEADER_PARTS,
  owners: { recipient: [], other: ['item', 'product', 'unit'] },
  presets: PRESETS,
  mayAsk: (header, cells) => isSwitch(header, cells) && valuesOf(cells).size === 2,
  asks: 'available',
  combine: combineHeaders,
  refusals: menu.refusals,
}

/** Words of headers that speak of selling, of a till, or of being seen; and of those among them that say the contrary. */
const SELLING =
  /(?:^|_)(?:sell|sold|sale|saleable|sellable|pos|till|online|web|webshop|visible|visibility|published|available|listed|active|enabled|catalog|catalogue|shown|show|orderable|verkauf|verkaufbar|sichtbar|kasse|vente|vendable|visible|caisse|venta|vendible|caja|vendita|vendibile|cassa)(?:_|$)/
const CONTRARY = /(?:^|_)(?:not|hide|hidden|exclude|excluded|off|disable|disabled|nicht|pas|no|non)(?:_|$)/
/** Words of headers of something else, beside those of selling. */
const OTHER =
  /(?:^|_)(?:category|categories|individually|price|tax|date|group|unit|units|qty|quantity|stock|count|orders?|total|name|type|id|channel)(?:_|$)/

/** Returns whether a header speaks of selling, and its rows have two values, or one word for all. */
function isSwitch(header: string, cells: readonly string[]): boolean {
  const key = headerKey(header)
  const values = valuesOf(cells)
  const isFew = values.size === 2 || (values.size === 1 && [...values].every((value) => !/\d/.test(value)))
  return isFew && SELLING.test(key) && !OTHER.test(key)
}

function valuesOf(cells: readonly string[]): ReadonlySet<string> {
  return new Set(cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== ''))
}

/** Returns the headers of a file of no known export that no declaration names, and which switch items on and off by their two values. */
function findSwitches({ table, sources, candidates, how, closed }: Combining<MenuColumn>): {
  on: number[]
  off: number[]
} {
  const used = new Set([...claimed(sources), ...candidates.map(({ at }) => at), ...closed])
  const switches = [...table.header.keys()].filter((at) => {
    const cells = table.rows.map((row) => row.cells[at] ?? '')
    const isRead = cells.every((cell) => cell.trim() === '' || 'value' in readAvailability(cell))
    return how !== 'preset' && !used.has(at) && isRead && isSwitch(table.header[at] ?? '', cells)
  })
  const [off, on] = [true, false].map((wanted) =>
    switches.filter((at) => CONTRARY.test(table.keys[at] ?? '') === wanted),
  )
  return { on: on ?? [], off: off ?? [] }
}

/** Settles the price, and takes all headers that say whether an item is on sale, those such as `Hidden` as their contrary. */
function combineHeaders(file: Combining<MenuColumn>): readonly Candidate<MenuColumn>[] {
  return combineSale({ ...file, candidates: settlePrices(file) })
}

function combineSale(file: Combining<MenuColumn>): readonly Candidate<MenuColumn>[] {
  const { sources, candidates, how } = file
  const switches = findSwitches(file)
  const toPlace = (at: number): { at: number } => ({ at })
  const named = (wanted: MenuColumn): { at: number }[] => candidates.filter(({ column }) => column === wanted)
  const off = [...named('off_sale'), ...switches.off.map(toPlace)]
  const on = [...named('available'), ...switches.on.map(toPlace)]
  const places =
    sources.has('available') || how === 'preset'
      ? []
      : findPlaces(
          file,
          on.map(({ at }) => at),
        )
  if (places.length > 1)
    return [
      ...candidates.filter(({ column }) => column !== 'available'),
      ...places.map((at): Candidate<MenuColumn> => ({ column: 'available', how: 'alias', rank: 0, at })),
    ]
  if (switches.on.length > 0 && on.length === 1 && !sources.has('available'))
    sources.set('available', { how, from: [{ at: on.map(({ at }) => at), join: '' }] })
  if (sources.has('available') || off.length + on.length < 2 - Math.sign(off.length)) return candidates
  const not = off.map(({ at }) => at)
  sources.set('available', { how, from: [{ at: [...on.map(({ at }) => at), ...not], not, join: ' | ' }] })
  return candidates
}

/** Returns headers that say the same of several places, `Available for sale [Shop A]` and `[Shop B]`, where their cells differ. */
function findPlaces({ table }: Combining<MenuColumn>, on: readonly number[]): number[] {
  const groups = Map.groupBy(on, (at) => (table.header[at] ?? '').replace(/\s*[[(][^\])]*[\])]/, '').trim())
  const several = [...groups.values()].filter((group) => group.length > 1)
  const differs = (group: readonly number[]): boolean =>
    table.rows.some(({ cells }) => new Set(group.map((at) => cells[at]?.trim().toLowerCase())).size > 1)
  return several.find(differs) ?? []
}
