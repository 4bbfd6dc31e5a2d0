import * as Type from 'typebox'
import { canonicalJson } from '../../core/canonical-json.ts'
import { AppError, type ProblemFieldError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import { defineOperation } from '../../core/operation.ts'
import { idParam, nonBlankText, nullable, strictObject, throwIfErrors } from '../../core/schema.ts'
import { describePastTime, parseTimestamp } from '../../core/time.ts'
import type { CatalogLock } from '../catalog/lifecycle/catalog.ts'
import { findItems, listCategories } from '../catalog/queries/catalog.ts'
import type { AutoAcceptRule, Station, StoreSettings } from '../merchants/rules.ts'
import { itemId, merchantId } from '../orders/schema.ts'
import { BUSINESS_AGREEMENT } from './access.ts'
import { storeHoursError } from './hours.ts'
import { prepTimeMinutes } from './order-action.ts'
import { changeSettings, storeSettings } from './settings.ts'

const MAX_STATIONS = 20

const stations = Type.Array(
  strictObject({
    name: nonBlankText(40, { description: 'Name, such as Bar' }),
    category_ids: Type.Optional(
      Type.Array(idParam('Menu category'), { maxItems: 200, description: 'Menu categories that it makes' }),
    ),
    item_ids: Type.Optional(
      Type.Array(itemId, { maxItems: 200, description: 'Items that it makes, whatever their category' }),
    ),
  }),
  { maxItems: MAX_STATIONS, description: 'All stations of the kitchen' },
)

const autoAccept = nullable(
  'Rule to accept orders; null turns it off',
  strictObject({
    prep_time_minutes: prepTimeMinutes,
    until: Type.Optional(Type.String({ format: 'date-time', description: 'End of the rule' })),
  }),
)

type StationRequest = Type.Static<typeof stations>[number]

export const setStoreSettings = defineOperation({
  name: 'set_store_settings',
  area: 'business',
  toolset: 'store-day',
  summary: 'Set the kitchen stations of your store, and whether it accepts orders automatically',
  description:
    'stations replaces all stations. A line belongs to the station of its item, else of its category, else to none. With auto_accept the store accepts each new order once it is paid (cash and table orders at once) while it is open. Allergy notes and scheduled orders wait for a person.',
  details:
    'Without prep_time_minutes an order keeps its usual prep time. Orders that were placed before stay as they are.',
  method: 'PUT',
  path: '/v1/business/settings',
  scope: 'orders.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  input: strictObject({
    stations: Type.Optional(stations),
    auto_accept: Type.Optional(autoAccept),
    version: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Fails if the settings are at another version' }),
    ),
    merchant_id: Type.Optional(merchantId),
  }),
  output: storeSettings,
  errors: ['merchant_not_found', 'version_conflict'],
  example: (done) => ({
    stations: [
      { name: 'Hot', category_ids: [done['list_catalog_items'].data[0].category.category_id] },
      { name: 'Bar' },
    ],
  }),
  cli: { command: 'business station add', danger: 'write' },
  // A payment that is due counts before the rule changes.
  touches: BUSINESS_AGREEMENT.touches,
  async run(context, { stations: wanted, auto_accept: rule, version, merchant_id }) {
    if (wanted === undefined && rule === undefined)
      throw storeHoursError('/stations', 'required', 'stations or auto_accept is required')
    const named = wanted && toStations(wanted)
    return changeSettings(context, merchant_id, {
      told: { type: 'store.settings_changed', describe: (settings) => `version_${settings.version}` },
      async change(hold, settings) {
        assertVersion(settings, version)
        if (named !== undefined) await assertOnMenu(context, hold, named)
        const next = {
          ...settings,
          ...(named !== undefined && { stations: named }),
          ...(rule !== undefined && { auto_accept: rule && toRule(rule, hold.at) }),
        }
        return canonicalJson(next) === canonicalJson(settings)
          ? settings
          : { ...next, version: settings.version + 1 }
      },
    })
  },
})

function assertVersion({ version: current }: StoreSettings, version: number | undefined): void {
  if (version === undefined || version === current) return
  throw new AppError('version_conflict', `The settings are at version ${current}, not ${version}.`, {
    extra: { current_version: current },
    hint: 'Read the settings again and repeat the change with their version.',
  })
}

function toRule(
  { prep_time_minutes = null, until }: { prep_time_minutes?: number | null; until?: string },
  now: number,
): AutoAcceptRule {
  const end = until === undefined ? null : (parseTimestamp(until) ?? 0)
  if (end !== null && end <= now)
    throw storeHoursError('/auto_accept/until', 'out_of_range', describePastTime('until', now))
  return { prep_time_minutes, until: end }
}

/** Returns the stations. Throws `invalid_request` if two have one name, or make the same. */
function toStations(wanted: readonly StationRequest[]): Station[] {
  const seen = new Map<string, string>()
  const errors: ProblemFieldError[] = []
  const claim = (key: string, pointer: string, what: string) => {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, pointer)
    else
      errors.push({
        pointer,
        code: 'mutually_exclusive',
        detail: `${what} is given twice, first at ${first}`,
      })
  }
  const named = wanted.map(({ name, category_ids = [], item_ids = [] }, at) => {
    claim(`name ${foldForSearch(name)}`, `/stations/${at}/name`, `station ${name.trim()}`)
    for (const [index, id] of category_ids.entries())
      claim(id, `/stations/${at}/category_ids/${index}`, `category ${id}`)
    for (const [index, id] of item_ids.entries()) claim(id, `/stations/${at}/item_ids/${index}`, `item ${id}`)
    return { name: name.trim(), category_ids, item_ids }
  })
  throwIfErrors(errors)
  return named
}

/** Throws `invalid_request` for a category or an item that the store does not have. */
async function assertOnMenu(
  { tx }: Pick<Parameters<typeof changeSettings>[0], 'tx'>,
  { merchant: { merchant_id } }: CatalogLock,
  named: readonly Station[],
): Promise<void> {
  const categories = new Set((await listCategories(tx, merchant_id)).map(({ category_id }) => category_id))
  const found = await findItems(
    tx,
    named.flatMap(({ item_ids }) => item_ids),
  )
  const items = new Set(found.flatMap((item) => (item.merchant_id === merchant_id ? item.item_id : [])))
  const listMissing = (ids: readonly string[], known: ReadonlySet<string>, pointer: string) =>
    ids.flatMap((id, at): ProblemFieldError[] =>
      known.has(id)
        ? []
        : [
            {
              pointer: `${pointer}/${at}`,
              code: 'invalid_enum',
              detail: `${id} is not on the menu of the store`,
            },
          ],
    )
  throwIfErrors(
    named.flatMap(({ category_ids, item_ids }, at) => [
      ...listMissing(category_ids, categories, `/stations/${at}/category_ids`),
      ...listMissing(item_ids, items, `/stations/${at}/item_ids`),
    ]),
  )
}
