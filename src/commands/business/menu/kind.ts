/** The menu as a kind of file. */
import { HEADER_PARTS } from '../../../generated/header-parts/menu.ts'
import type {
  HeaderCandidate,
  ColumnSearch,
  FileKind,
  ColumnMapping,
} from '../../../tabular/columns/columns.ts'
import { collectUsedPositions } from '../../../tabular/columns/map.ts'
import { headerKey } from '../../../tabular/csv/keys.ts'
import { parseBoolean } from '../../../tabular/csv/numbers.ts'
import { readAvailability } from './cells.ts'
import { MENU_FILE_COLUMNS, getMenuColumn, type MenuColumn } from './columns.ts'
import menu from './menu.json' with { type: 'json' }
import { type MenuPreset, PRESETS } from './presets.ts'
import { disambiguatePrices } from './prices.ts'

export type MenuMapping = ColumnMapping<MenuColumn, MenuPreset>

export const MENU_FILE_KIND: FileKind<MenuColumn, MenuPreset> = {
  name: 'menu',
  row: 'item',
  template: 'dray business catalog template',
  example: menu.template,
  columns: MENU_FILE_COLUMNS,
  columnOf: getMenuColumn,
  headers: HEADER_PARTS,
  owners: { recipient: [], other: ['item', 'product', 'unit'] },
  presets: PRESETS,
  mayAsk: (header, cells) => isSwitch(header, cells) || isTick(header, cells),
  asks: 'available',
  combine: combineHeaders,
  refusals: menu.refusals,
}

/** Words of headers that speak of selling, of a till, or of being seen; and of those among them that say the contrary. */
const SELLING =
  /(?:^|_)(?:sell|selling|sold|sale|saleable|salable|sellable|86|86d|pos|till|online|web|webshop|visible|visibility|published|available|listed|active|enabled|catalog|catalogue|shown|show|display|displayed|hide|hidden|live|website|kiosk|storefront|orderable|verkauf|verkaufbar|sichtbar|verfugbar|verfuegbar|lieferbar|aktiv|kasse|vente|vendable|visible|actif|caisse|venta|vendible|disponible|activo|caja|vendita|vendibile|disponibile|attivo|cassa|aktywny|dostepny)(?:_|$)/
const CONTRARY =
  /(?:^|_)(?:not|86|86d|hide|hidden|exclude|excluded|off|stop|stopped|disable|disabled|nicht|pas|no|non)(?:_|$)/
/** Words of headers of something else, beside those of selling. */
const OTHER =
  /(?:^|_)(?:category|categories|individually|price|tax|date|group|unit|units|qty|quantity|stock|count|orders?|total|name|type|id|by|as|separately|weight|bundle|track|production|reviews?)(?:_|$)/

/** Returns whether a header speaks of selling, and its rows have two values, or one word for all. Counts of what was sold are none. */
function isSwitch(header: string, cells: readonly string[]): boolean {
  const values = valuesOf(cells)
  const isCount = [...values].some((value) => /^\d+$/.test(value) && Number(value) > 1)
  const isWord = values.size === 1 && [...values].every((value) => !/\d/.test(value))
  return (values.size === 2 || isWord) && !isCount && !isTick(header, cells) && speaksOfSelling(header)
}

/** Returns whether only some rows are ticked: whether a blank means no is not certain. */
function isTick(header: string, cells: readonly string[]): boolean {
  const [only = '', ...others] = valuesOf(cells)
  const isTicked = /^(?:x|\u2713|\u2714)$/.test(only) || parseBoolean(only) === true
  return (
    others.length === 0 && isTicked && cells.some((cell) => cell.trim() === '') && speaksOfSelling(header)
  )
}

function speaksOfSelling(header: string): boolean {
  const key = headerKey(header)
  return SELLING.test(key) && !OTHER.test(key)
}

function valuesOf(cells: readonly string[]): ReadonlySet<string> {
  return new Set(cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== ''))
}

/** Returns the headers of a file of no known export that no declaration names, and which switch items on and off by their two values. */
function findSwitches({ table, sources, candidates, how, closed }: ColumnSearch<MenuColumn>): {
  on: number[]
  off: number[]
} {
  const used = new Set([...collectUsedPositions(sources), ...candidates.map(({ at }) => at), ...closed])
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
function combineHeaders(file: ColumnSearch<MenuColumn>): readonly HeaderCandidate<MenuColumn>[] {
  return combineSale({ ...file, candidates: disambiguatePrices(file) })
}

function combineSale(file: ColumnSearch<MenuColumn>): readonly HeaderCandidate<MenuColumn>[] {
  const { sources, how } = file
  const switches = findSwitches(file)
  const candidates = withoutOffers(file, switches.on)
  const named = (wanted: MenuColumn): number[] =>
    candidates.flatMap(({ column, at }) => (column === wanted ? [at] : []))
  const off = [...named('off_sale'), ...switches.off]
  const on = [...named('available'), ...switches.on]
  if (sources.has('available')) return candidates
  const places = how === 'preset' ? [] : findPlaces(file, on)
  if (places.length > 1)
    return [
      ...candidates.filter(({ column }) => column !== 'available'),
      ...places.map((at): HeaderCandidate<MenuColumn> => ({
        column: 'available',
        how: 'alias',
        rank: 0,
        at,
      })),
    ]
  if (off.length === 0 && on.length === 1 && switches.on.length === 1)
    sources.set('available', { how, from: [{ at: on, join: '' }] })
  else if (off.length + on.length >= 2 - Math.sign(off.length))
    sources.set('available', { how, from: [{ at: [...on, ...off], not: off, join: ' | ' }] })
  return candidates
}

/** `On sale` beside another column that says whether an item is sold is a discount. */
function withoutOffers(
  { table, candidates }: ColumnSearch<MenuColumn>,
  switches: readonly number[],
): readonly HeaderCandidate<MenuColumn>[] {
  const isSale = ({ column }: HeaderCandidate<MenuColumn>): boolean => column === 'available'
  const isOffer = (each: HeaderCandidate<MenuColumn>): boolean =>
    isSale(each) && /^on_?sale/.test(table.keys[each.at] ?? '')
  const hasOther = switches.length > 0 || candidates.some((each) => isSale(each) && !isOffer(each))
  return hasOther ? candidates.filter((each) => !isOffer(each)) : candidates
}

/** The place in a header: in brackets, or behind a word such as `in`, once blanks are strokes. */
const PLACE =
  /_*[[(][^\])]*[\])]|_(?:for|in|on|at|auf|im|en|sur)_.*$|(?:^|_)(?:online|web|website|pos|till|app|kiosk|delivery|takeaway)$/g

/**
 * Returns headers that say the same of several places, `Available for sale [Shop A]` and `[Shop B]`, or `Available for delivery`
 * and `Available for dine-in`, where their cells differ.
 */
function findPlaces({ table }: ColumnSearch<MenuColumn>, on: readonly number[]): number[] {
  const groups = Map.groupBy(on, (at) =>
    (table.header[at] ?? '').trim().toLowerCase().replaceAll(/\s+/g, '_').replaceAll(PLACE, ''),
  )
  const several = [...groups.values()].filter((group) => group.length > 1)
  const differs = (group: readonly number[]): boolean =>
    table.rows.some(({ cells }) => new Set(group.map((at) => cells[at]?.trim().toLowerCase())).size > 1)
  return several.find(differs) ?? []
}
