/** The menu as a kind of file. */
import { HEADER_PARTS } from '../../../generated/header-parts/menu.ts'
import type { Candidate, Combining, FileKind, Mapping } from '../../../rows/columns/columns.ts'
import { claimed } from '../../../rows/columns/map.ts'
import { headerKey } from '../../../rows/csv/keys.ts'
import { readAvailability } from './cells.ts'
import { COLUMNS, columnOf, type MenuColumn } from './columns.ts'
import menu from './menu.json' with { type: 'json' }
import { type MenuPreset, PRESETS } from './presets.ts'

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
  mayAsk: (header, cells) => isSwitch(header, cells),
  combine: combineHeaders,
  refusals: menu.refusals,
}

/** Words of headers that speak of selling, of a till, or of being seen; and of those among them that say the contrary. */
const SELLING =
  /(?:^|_)(?:sell|sold|sale|saleable|sellable|pos|till|online|web|webshop|visible|visibility|published|available|listed|active|enabled|catalog|catalogue|shown|show|orderable|verkauf|verkaufbar|sichtbar|kasse|vente|vendable|visible|caisse|venta|vendible|caja|vendita|vendibile|cassa)(?:_|$)/
const CONTRARY = /(?:^|_)(?:not|hide|hidden|exclude|excluded|off|disable|disabled|nicht|pas|no|non)(?:_|$)/
/** Words of headers of something else, beside those of selling. */
const OTHER =
  /(?:^|_)(?:category|categories|individually|price|tax|date|group|unit|name|type|id|channel)(?:_|$)/

/** Returns whether a header speaks of selling, and its rows have two values. */
function isSwitch(header: string, cells: readonly string[]): boolean {
  const key = headerKey(header)
  const values = new Set(cells.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== ''))
  return values.size === 2 && SELLING.test(key) && !OTHER.test(key)
}

/** Returns the headers of a file of no known export that no declaration names, and which switch items on and off by their two values. */
function findSwitches({ table, sources, candidates, how }: Combining<MenuColumn>): {
  on: number[]
  off: number[]
} {
  const used = new Set([...claimed(sources), ...candidates.map(({ at }) => at)])
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

/** Takes all headers that say whether an item is on sale, those such as `Hidden` as their contrary. */
function combineHeaders(file: Combining<MenuColumn>): readonly Candidate<MenuColumn>[] {
  const { sources, candidates, how } = file
  const switches = findSwitches(file)
  const toPlace = (at: number): { at: number } => ({ at })
  const named = (wanted: MenuColumn): { at: number }[] => candidates.filter(({ column }) => column === wanted)
  const off = [...named('off_sale'), ...switches.off.map(toPlace)]
  const on = [...named('available'), ...switches.on.map(toPlace)]
  if (switches.on.length > 0 && on.length === 1 && !sources.has('available'))
    sources.set('available', { how, from: [{ at: on.map(({ at }) => at), join: '' }] })
  if (sources.has('available') || off.length + on.length < 2 - Math.sign(off.length)) return candidates
  const not = off.map(({ at }) => at)
  sources.set('available', { how, from: [{ at: [...on.map(({ at }) => at), ...not], not, join: ' | ' }] })
  return candidates
}
