/** Combines several headers of a menu: an item is on sale where none of them says that it is not. */
import type { Candidate, Combining } from '../../../rows/columns/columns.ts'
import type { MenuColumn } from './columns.ts'

/** Takes all headers that say whether an item is on sale, those such as `Hidden` as their contrary. */
export function combineHeaders({
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
