import { beforeAll, describe, expect, test } from 'vitest'
import {
  type CategoryRecord,
  insertCategories,
  insertItems,
  type ItemFilters,
  type ItemPosition,
  type ItemRecord,
  listItems,
} from '../../src/areas/catalog/queries/catalog.ts'
import { hasRideWithStatus, listRidesOf, type RideFilters } from '../../src/areas/rides/queries/rides.ts'
import type { Db } from '../../src/core/db.ts'
import { listPeople } from '../../src/sandbox/people.ts'
import { iterations } from '../support/battery.ts'
import { findStore } from '../support/food.ts'
import { FORNO } from '../support/order-life.ts'
import { plansOf, withoutPages } from '../support/plans.ts'
import { fc } from '../support/properties.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox } from '../support/world.ts'

describe('a list reads along indexes, however long it is', () => {
  let db: Db

  beforeAll(async () => {
    ;({ db } = await openTestSandbox())
  })

  test.each<[RideFilters, RegExp]>([
    [{}, /rides_by_customer \(account_id=\?/],
    [{ created_from: 1, created_to: 9 }, /rides_by_customer \(account_id=\? AND .*created_at/],
    [{ statuses: ['scheduled'] }, /rides_by_status \(account_id=\? AND status=\?/],
    [
      { statuses: ['scheduled', 'processing'], created_to: 9 },
      /rides_by_status .*status=\? AND .*created_at/,
    ],
  ])('rides: %j', async (filters, index) => {
    for (const after of [undefined, { created_at: 5, seq: 5 }]) {
      const [plan = ''] = await plansOf(db, (tx) => listRidesOf(tx, 'cus', filters, { after, limit: 26 }))
      expect(withoutPages(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
      expect(plan).toMatch(index)
    }
  })

  test('the check for an active ride reads along an index', async () => {
    const [plan] = await plansOf(db, (tx) => hasRideWithStatus(tx, 'cus', ['processing', 'accepted']))
    expect(plan).toMatch(
      /^SEARCH rides USING COVERING INDEX rides_by_status \(account_id=\? AND status=\?\)$/,
    )
  })

  test('the people on the map: those at work along what is planned, the others along their last jobs', async () => {
    const plans = await plansOf(db, (tx) => listPeople(tx, 5, 400))
    const jobs = plans.filter((plan) => /timeline|SEARCH a/.test(plan))
    expect(jobs).toEqual([
      expect.stringMatching(
        /^SCAN timeline USING INDEX timeline_shared$|SEARCH timeline USING INDEX timeline_shared/,
      ),
      ...['couriers', 'drivers'].map(() =>
        expect.stringMatching(
          /SEARCH a USING INDEX assignments_by_person \(crew=\? AND person_id=\? AND starts_at<\?\)/,
        ),
      ),
    ])
    expect(plans.join('; ')).not.toMatch(/TEMP B-TREE/)
  })

  test.each<ItemFilters>([
    {},
    { q: 'soup' },
    { updated_since: 5 },
    { obtainable: { is: false, now: 5 } },
    { category_id: 'cat', q: 'soup', updated_since: 5, obtainable: { is: true, now: 5 } },
  ])('a catalogue: %j', async (filters) => {
    const section = {
      category_id: 'cat',
      merchant_id: 'mer',
      name: 'A',
      name_key: 'a',
      sort_order: 1,
      schedule: null,
    }
    for (const after of [
      undefined,
      { category_sort: 1, category_id: 'cat', sort_order: 1, item_id: 'itm' },
    ]) {
      const plans = await plansOf(
        db,
        (tx) => {
          const seeded = { ...tx, all: makeSections(tx.all, section) }
          return listItems(seeded, 'mer', filters, { after, limit: 26 })
        },
        () => ({ looked: 20_000, sort_order: 1, item_id: 'itm' }),
      )
      expect(plans.length).toBeGreaterThan(2)
      const [sections, ...items] = plans.filter((plan) => !plan.includes('catalog_schedules'))
      expect(sections).toMatch(
        /^SEARCH categories USING INDEX (categories_in_order|sqlite_autoindex_categories_1)/,
      )
      for (const plan of items) {
        expect(withoutPages(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
        expect(plan).toMatch(/COVERING INDEX items_in_order \(category_id=\?/)
      }
    }
  })
})

type All = (sql: string, ...params: never[]) => Promise<Record<string, unknown>[]>

/** Returns `all` with one section in the catalogue. */
function makeSections<T extends All>(all: T, section: CategoryRecord): T {
  const there = async (sql: string, ...params: never[]) => {
    const rows = await all(sql, ...params)
    return sql.includes('from categories') ? [section] : rows
  }
  return there as T
}

const NOW = 1000
/** A week that has NOW, a New Year's Day and so like a Sunday, within a period, and one that has not. */
const [OPEN, SHUT] = ['8640-10080', '0-60']

/** Items with few different values, so that many are equal. */
const items = fc.array(
  fc.record({
    section: fc.nat(3),
    sort_order: fc.nat(2),
    name: fc.constantFrom('soup', 'soup of the day', 'bread', 'wine'),
    updated_at: fc.nat(5),
    available: fc.boolean(),
    schedule: fc.constantFrom(null, OPEN, SHUT),
    unavailable_until: fc.option(fc.constantFrom(NOW - 1, NOW, NOW + 1)),
    deleted: fc.boolean(),
  }),
  { maxLength: 14 },
)

const filters: fc.Arbitrary<ItemFilters> = fc.record(
  {
    category_id: fc.constantFrom('cat_0', 'cat_1', 'cat_none'),
    q: fc.constantFrom('soup', 'bread', 'p o', 'none'),
    updated_since: fc.nat(6),
    obtainable: fc.record({ is: fc.boolean(), now: fc.constant(NOW) }),
  },
  { requiredKeys: [] },
)

const bounds = fc.record({ items: fc.integer({ min: 1, max: 9 }), sections: fc.integer({ min: 1, max: 3 }) })

describe.each(ENGINES)('a catalogue on $name', (engine) => {
  test('pages that end early add up to every matching item, in the order of the menu', async () => {
    const world = await openTestSandbox({ engine })
    const { db } = world
    const { merchant_id, items: others } = await findStore(world, FORNO)
    const [model] = others
    if (model === undefined) throw new Error('the store has no items')
    const undo = new Error('undo')
    await fc.assert(
      fc.asyncProperty(
        items,
        filters,
        bounds,
        fc.integer({ min: 1, max: 5 }),
        async (drawn, wish, most, limit) => {
          const work = db.write(async (tx) => {
            await tx.run('update catalog_items set deleted_at = 1 where merchant_id = $1', merchant_id)
            // The second and the third have the same sort order.
            const sections = [0, 1, 1, 2].map((sort_order, index) => ({
              category_id: `cat_${index}`,
              merchant_id,
              name: `Section ${index}`,
              name_key: `section ${index}`,
              sort_order,
              schedule: [null, OPEN, SHUT, null][index] ?? null,
            }))
            await insertCategories(tx, sections)
            const all = drawn.map(({ section, deleted, name, ...rest }, index): ItemRecord => ({
              ...model,
              ...rest,
              item_id: `itm_${index}`,
              seq: 9e6 + index,
              external_ref: null,
              barcode: null,
              name,
              name_key: `${name} ${index}`,
              deleted_at: deleted ? NOW : null,
              category: sections[section] ?? model.category,
            }))
            await insertItems(tx, all)
            const found: string[] = []
            let after: ItemPosition | undefined
            for (let page = 0; page < 100; page++) {
              const { rows, scannedTo } = await listItems(tx, merchant_id, wish, {
                after,
                limit,
                bounds: most,
              })
              found.push(...rows.map(({ item_id }) => item_id))
              after = rows.length === limit ? positionOf(rows.at(-1)) : scannedTo
              if (after === undefined) break
            }
            expect(found).toEqual(
              all
                .filter((item) => fits(item, wish))
                .toSorted(inOrder)
                .map(({ item_id }) => item_id),
            )
            throw undo
          })
          await work.catch((error: unknown) => {
            if (error !== undo) throw error
          })
        },
      ),
      { numRuns: engine.name === 'SQLite' ? iterations(60, 150) : iterations(16, 40) },
    )
  })
})

function positionOf(item: ItemRecord | undefined): ItemPosition | undefined {
  if (item === undefined) return undefined
  const { category, sort_order, item_id } = item
  return { category_sort: category.sort_order, category_id: category.category_id, sort_order, item_id }
}

function fits(item: ItemRecord, { category_id, q, updated_since = 0, obtainable }: ItemFilters): boolean {
  if (item.deleted_at !== null || item.updated_at < updated_since) return false
  if (category_id !== undefined && item.category.category_id !== category_id) return false
  if (q !== undefined && !item.name_key.includes(q)) return false
  const isBack = item.unavailable_until !== null && item.unavailable_until <= NOW
  const isScheduled = ![item.schedule, item.category.schedule].includes(SHUT)
  return obtainable === undefined || obtainable.is === ((item.available || isBack) && isScheduled)
}

function inOrder(a: ItemRecord, b: ItemRecord): number {
  const keys = (item: ItemRecord) => Object.values(positionOf(item) ?? {})
  const [left, right] = [keys(a), keys(b)]
  const at = left.findIndex((key, index) => key !== right[index])
  return at === -1 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1
}
