/** Makes a world of three stores with their customers, and its model. */
import { findAccount } from '../../src/areas/account/queries/accounts.ts'
import { insertMerchants, type MerchantRecord } from '../../src/areas/merchants/queries.ts'
import type { Tx } from '../../src/core/db.ts'
import { packWeek } from '../../src/core/opening-hours.ts'
import { WEEKDAYS } from '../../src/core/time.ts'
import { newIds, nextSeq } from '../../src/db/counters.ts'
import { openWithout } from '../support/account-without.ts'
import { beginModel } from '../support/model-calls.ts'
import { gbp } from '../support/money.ts'
import type { Engine } from '../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'
import type { FoodModel, ModelStore } from './food-model.ts'

export const HERE = { latitude: 51.5129, longitude: -0.0823 }
/** 4 km away: beyond the range of couriers. */
export const BEYOND_COURIERS = { latitude: 51.5489, longitude: -0.0823 }

type Terms = Omit<ModelStore, 'id' | 'items' | 'categories' | 'menuVersion' | 'paused'>

const STORES: readonly Terms[] = [
  {
    name: 'Kitchen of the Model',
    kind: 'restaurant',
    owner: 'everything',
    point: HERE,
    hours: { opens: 7 * 60, closes: 23 * 60 },
    types: ['delivery', 'pickup', 'dine_in'],
    methods: ['card', 'wallet', 'cash', 'pay_at_table'],
    auto: false,
    fees: { delivery: 299, minimum: 1500, small: null, service: 150 },
    radius: 3000,
    prep: 20,
    tax: { included: true, bps: 2000 },
    capacity: 1,
    tables: ['1', '2'],
  },
  {
    name: 'Night Grocery',
    kind: 'grocery',
    owner: 'owner',
    point: { latitude: 51.5189, longitude: -0.0823 },
    hours: { opens: 8 * 60, closes: 2 * 60 },
    types: ['delivery', 'pickup'],
    methods: ['card', 'wallet'],
    auto: false,
    fees: { delivery: 199, minimum: 2000, small: 100, service: 0 },
    radius: 3500,
    prep: 10,
    tax: { included: false, bps: 875 },
    capacity: 2,
    tables: [],
  },
  {
    name: 'Café by Itself',
    kind: 'shop',
    owner: 'owner',
    point: { latitude: 51.5129, longitude: -0.0523 },
    hours: { opens: 0, closes: 0 },
    types: ['delivery', 'pickup', 'dine_in'],
    methods: ['card', 'wallet', 'cash', 'pay_at_table'],
    auto: true,
    fees: { delivery: 0, minimum: 0, small: null, service: 50 },
    radius: 5000,
    prep: 5,
    tax: { included: true, bps: 2000 },
    capacity: 2,
    tables: ['7'],
  },
]

/** Sandbox wallets start with 50.00. */
const WALLET = 5000

export async function openFoodWorld(engine: Engine): Promise<{ world: TestSandbox; model: FoodModel }> {
  const world = await openTestSandbox({ engine, at: NINE_AM })
  const ids = await world.write(async (tx, stored, now) => {
    for (const table of ['catalog_items', 'categories', 'merchants']) await tx.run(`delete from ${table}`)
    await openWithout(tx, stored, now)
    // The owners are always present, so the sandbox's staff never acts for them.
    await tx.run('update accounts set business_seen_at = $1', 2 ** 50)
    const made = await newIds({ tx, world: stored.world, at: now }, 'mer', STORES.length)
    for (const [index, terms] of STORES.entries())
      await insertMerchants(tx, [await toRecord(tx, terms, made[index] ?? '', now)])
    return made
  })
  const { people, ...begun } = await beginModel(world)
  const model: FoodModel = {
    ...begun,
    people: new Map([...people].map(([handle, person]) => [handle, { ...person, wallet: WALLET }])),
    stores: STORES.map((terms, index) => ({
      ...terms,
      id: ids[index] ?? '',
      items: [],
      categories: [],
      paused: false,
      menuVersion: 1,
    })),
    quotes: [],
    orders: [],
  }
  return { world, model }
}

async function toRecord(tx: Tx, terms: Terms, merchant_id: string, now: number): Promise<MerchantRecord> {
  const opening_hours = WEEKDAYS.map((day) => ({
    day,
    opens: clock(terms.hours.opens),
    closes: clock(terms.hours.closes),
  }))
  const owner = await findAccount(tx, terms.owner)
  return {
    merchant_id,
    seq: await nextSeq(tx, now),
    agreement_id: owner?.businessAgreement?.agreement_id ?? null,
    name: terms.name,
    search_text: terms.name.toLowerCase().replaceAll('é', 'e').concat(' thai'),
    kind: terms.kind,
    location: terms.point,
    week: packWeek(opening_hours),
    timezone: 'Europe/London',
    currency: 'GBP',
    paused_until: null,
    busy_minutes: 0,
    busy_until: null,
    menu_version: 1,
    menu_updated_at: now,
    doc: {
      description: null,
      cuisines: ['thai'],
      address: {
        line1: '40 Lime Street',
        city: 'London',
        postal_code: 'EC3M 7AW',
        country_code: 'GB',
        location: terms.point,
      },
      phone: '+442079460100',
      opening_hours,
      fulfillment_types: [...terms.types],
      delivery: terms.types.includes('delivery')
        ? {
            fee: gbp(terms.fees.delivery),
            minimum_order: gbp(terms.fees.minimum),
            small_order_fee: terms.fees.small === null ? null : gbp(terms.fees.small),
            radius_m: terms.radius,
          }
        : null,
      service_fee: gbp(terms.fees.service),
      prep_time_minutes: terms.prep,
      rating_tenths: 40,
      rating_count: 12,
      price_level: 2,
      prices_include_tax: terms.tax.included,
      tax_rate_bps: terms.tax.bps,
      tax_name: 'VAT',
      payment_methods: [...terms.methods],
      auto_accept: terms.auto,
      slot_capacity: terms.capacity,
      tables: [...terms.tables],
    },
  }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
