import * as Type from 'typebox'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { makeLocalTimeFields, withLocal } from '../../core/local-times.ts'
import { defineOperation } from '../../core/operation.ts'
import { BUSINESS_DAY_START, toBusinessInstant } from '../../core/period.ts'
import {
  strictObject,
  describeField,
  nameField,
  paginated,
  paginationParams,
  businessDayOrDateTime,
} from '../../core/schema.ts'
import { findItemsWithDeleted } from '../catalog/queries/catalog.ts'
import {
  type ChangeFilters,
  findLastImport,
  listChangesSince,
  listMenuChanges,
  type ItemVersionRecord,
} from '../catalog/queries/versions.ts'
import { computeItemAtVersion, toItemMembers } from '../catalog/rules/item-history.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { changedMembers, itemVersion, serializeItemVersion } from './item-versions.ts'

const TIMES = ['changed_at'] as const

const row = strictObject({
  item_id: Type.String({ meaning: 'Item' }),
  name: nameField,
  ...itemVersion,
  values: describeField('New values of the changed fields; of a new item all', changedMembers),
  ...makeLocalTimeFields(TIMES),
})

export const listCatalogChanges = defineOperation({
  name: 'list_catalog_changes',
  area: 'business',
  toolset: 'store-day',
  summary: 'List the changes to your menu, newest first',
  description:
    'Each change has its item, author and time, and the values before and after it. Deleted items are included; schedules of categories are not.',
  details: `A date is a business day of the store, which begins at ${BUSINESS_DAY_START}. Keeps the latest 50 changes per item.`,
  method: 'GET',
  path: '/v1/business/catalog/history',
  scope: 'menu.read',
  entitlement: 'business_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    from: Type.Optional(businessDayOrDateTime('Earliest time, included')),
    to: Type.Optional(businessDayOrDateTime('End, not included')),
    import_id: Type.Optional(
      Type.String({
        pattern: '^(last|imp_[0-7][0-9a-hjkmnp-tv-z]{25})$',
        errorMessage: 'must be the ID of an import, or last',
        description: 'Changes of this import only; last for the latest one',
      }),
    ),
    merchant_id: Type.Optional(merchantId),
    ...paginationParams,
  }),
  output: paginated(row),
  errors: ['invalid_cursor', 'merchant_not_found'],
  brief: { usual: 'item_id,name,change,changed_at,changed_by,import_id,replaced,values' },
  example: () => ({ import_id: 'last' }),
  cli: { command: 'business catalog history', danger: 'read' },
  async run(context, { from, to, import_id, merchant_id }) {
    const { tx, cursor } = context
    const store = await loadOwnStore(context, merchant_id, 'parameter')
    const filters = {
      from: toBusinessInstant(from, store.timezone),
      to: toBusinessInstant(to, store.timezone),
      import_id: import_id === 'last' ? await findLastImport(tx, store.merchant_id) : import_id,
    }
    assertOrder(filters)
    const [at, seq, item_id, version] = cursor.after ?? []
    const after =
      at === undefined
        ? undefined
        : { at: Number(at), seq: Number(seq), item_id: String(item_id), version: Number(version) }
    const changes =
      import_id === 'last' && filters.import_id === undefined
        ? []
        : await listMenuChanges(tx, store.merchant_id, filters, { after, limit: cursor.limit + 1 })
    const shown = await serializeItemChanges(tx, changes)
    return cursor.page(
      changes,
      ({ at: time, seq: number, item_id: id, version: own }) => [time, number, id, own],
      (change) => withLocal(store.timezone, TIMES, { ...shown(change), ...serializeItemVersion(change) }),
    )
  },
})

function assertOrder({ from = 0, to = Infinity }: ChangeFilters): void {
  if (to > from) return
  throw new AppError('invalid_request', 'The parameter to must be after from.', {
    errors: [{ parameter: 'to', code: 'out_of_range', detail: 'to must be after from' }],
  })
}

/** Returns what tells of each change its item, the name that it had then, and its new values. */
async function serializeItemChanges(tx: Tx, changes: readonly ItemVersionRecord[]) {
  const ids = [...new Set(changes.map(({ item_id }) => item_id))]
  const items = new Map((await findItemsWithDeleted(tx, ids)).map((item) => [item.item_id, item]))
  const since = await listChangesSince(tx, ids, changes.at(-1)?.at ?? 0)
  const later = Map.groupBy(since, ({ item_id }) => item_id)
  return ({ item_id, version, replaced }: ItemVersionRecord) => {
    const item = items.get(item_id)
    if (item === undefined) throw new Error(`no item ${item_id}`)
    const then = computeItemAtVersion(toItemMembers(item), later.get(item_id) ?? [], version)
    const changed = Object.entries(then).filter(([member]) => replaced === null || member in replaced)
    return { item_id, name: then.name, values: Object.fromEntries(changed) }
  }
}
