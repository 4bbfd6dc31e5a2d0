/** Invariants of every catalogue. It reads the tables and repeats the rules. */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import { type Amount, failedChecks } from './violations.ts'

type Group = {
  modifier_group_id: string
  name: string
  min_selections: number
  max_selections: number | null
  allow_repeats: boolean
  modifiers: {
    modifier_id: string
    name: string
    price_delta: Amount
    available: boolean
    is_default: boolean
  }[]
}
type Item = {
  id: string
  row: SqlRow
  doc: { price: Amount; modifier_groups: Group[] }
}

const DEAREST = 1_000_000

/** Returns every violation as a sentence. */
export async function catalogueProblems(tx: Tx): Promise<string[]> {
  const rows = await tx.all(
    `select i.*, c.merchant_id as section_of, m.currency, m.menu_version, m.menu_updated_at, w.seq as last_seq
     from catalog_items i join categories c on c.category_id = i.category_id
       join merchants m on m.merchant_id = i.merchant_id, world w`,
  )
  const events = await tx.all(
    `select resource_id, type, doc from events where type >= 'catalog_item.' and type < 'catalog_item/' order by seq`,
  )
  const told = Map.groupBy(events, (row) => String(row['resource_id']))
  const items = rows.map((row): Item => ({
    id: String(row['item_id']),
    row,
    doc: JSON.parse(String(row['doc'])) as Item['doc'],
  }))
  const known = new Set(items.map(({ id }) => id))
  return [
    ...items.flatMap((item) =>
      [...rowProblems(item), ...groupProblems(item), ...eventProblems(item, told.get(item.id) ?? [])].map(
        (problem) => `${item.id}: ${problem}`,
      ),
    ),
    ...[...told.keys()].filter((id) => !known.has(id)).map((id) => `event of no item ${id}`),
  ]
}

function rowProblems({ row, doc }: Item): string[] {
  const number = (name: string) => Number(row[name])
  const checks = {
    'is in a section of another store': row['section_of'] === row['merchant_id'],
    'has a price that is none': isPrice(doc.price, row),
    'is placed beyond the counter': number('seq') <= number('last_seq'),
    'changed before it was made': number('updated_at') >= number('created_at'),
    'changed after its menu': number('updated_at') <= number('menu_updated_at'),
    'changed more often than its menu': number('version') <= number('menu_version'),
    'was deleted otherwise than it last changed':
      row['deleted_at'] === null || row['deleted_at'] === row['updated_at'],
    'is back some day though it is on sale': row['available'] === 0 || row['unavailable_until'] === null,
  }
  return failedChecks(checks)
}

function isPrice({ amount, currency }: Amount, row: SqlRow): boolean {
  return Number.isSafeInteger(amount) && amount >= 0 && amount <= DEAREST && currency === row['currency']
}

function groupProblems({ row, doc: { modifier_groups: groups } }: Item): string[] {
  const modifiers = groups.flatMap((group) => group.modifiers)
  const ids = [
    ...groups.map((group) => group.modifier_group_id),
    ...modifiers.map((each) => each.modifier_id),
  ]
  const blocked = groups.some(
    (group) => group.min_selections > 0 && group.modifiers.every(({ available }) => !available),
  )
  const checks = {
    'has an id twice, or none': new Set(ids).size === ids.length && ids.every((id) => id !== ''),
    'has more choices than are taken':
      groups.length <= 20 && groups.every((group) => group.modifiers.length <= 50),
    'says otherwise whether it can be chosen from': row['choosable'] === (blocked ? 0 : 1),
    'has an extra whose price is none': modifiers.every(({ price_delta }) => isPrice(price_delta, row)),
    'has a group that nobody can satisfy': groups.every(canBeSatisfied),
  }
  return failedChecks(checks)
}

function canBeSatisfied({
  min_selections: min,
  max_selections: max,
  allow_repeats,
  modifiers,
}: Group): boolean {
  const most = allow_repeats ? Infinity : modifiers.length
  const defaults = modifiers.filter(({ is_default }) => is_default).length
  return (
    min >= 0 && min <= (max ?? most) && min <= most && (max ?? 0) <= most && defaults <= (max ?? defaults)
  )
}

/** An item that a call created has one event for each of its versions. */
function eventProblems({ row }: Item, events: readonly SqlRow[]): string[] {
  const versions = events.map(
    (event) => (JSON.parse(String(event['doc'])) as { data: { version: number } }).data.version,
  )
  const first = row['version'] === 1 + (events.length - 1) ? 1 : 2
  const expected = versions.map((_, index) => first + index)
  const deleted = events.some(({ type }) => type === 'catalog_item.deleted')
  const checks = {
    'is told of out of order': versions.join() === expected.join(),
    'is not at the version that was told last': events.length === 0 || versions.at(-1) === row['version'],
    'is deleted in one place only': (row['deleted_at'] !== null) === deleted,
  }
  return failedChecks(checks)
}
