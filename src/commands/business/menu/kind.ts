/** The menu as a kind of file. */
import { HEADER_PARTS } from '../../../generated/header-parts/menu.ts'
import type { Candidate, Combining, FileKind, Mapping } from '../../../rows/columns/columns.ts'
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
  combine: combineHeaders,
  refusals: menu.refusals,
}

/** Takes all headers that say whether an item is on sale, those such as `Hidden` as their contrary. */
function combineHeaders({
  sources,
  candidates,
  how,
}: Combining<MenuColumn>): readonly Candidate<MenuColumn>[] {
  const off = candidates.filter(({ column }) => column === 'off_sale')
  const on = candidates.filter(({ column }) => column === 'available')
  if (sources.has('available') || off.length + on.length < 2 - Math.sign(off.length)) return candidates
  const not = off.map(({ at }) => at)
  sources.set('available', { how, from: [{ at: [...on.map(({ at }) => at), ...not], not, join: ' | ' }] })
  return candidates
}
