/** Compares a store's catalogue with the model. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import {
  callAndCompare,
  type Body,
  iso,
  omitUndefined,
  paged,
  UNKNOWN_ID,
  readAllPages,
} from '../support/model-calls.ts'
import { gbp } from '../support/money.ts'
import { checkMenu, type FoodRun } from './food-life.ts'
import {
  foldModelName,
  isOnSale,
  living,
  type ModelCategory,
  type ModelGroup,
  type ModelItem,
  type ModelStore,
} from './food-model.ts'
import type { ModelItemDraft, ItemFlaw, FoodStepOf } from './food-steps.ts'
import { expectItem, expectMenu } from './food-views.ts'

type Row = FoodStepOf<'import'>['rows'][number]

const UNKNOWN_ITEM = `itm_${UNKNOWN_ID}`
const SECTIONS = ['Mains', 'Sides', 'Drinks'] as const

type GroupDraft = {
  name: string
  min: number
  max: number | null
  repeats: boolean
  modifiers: [name: string, delta: number, available: boolean][]
}
const SIZE: GroupDraft = {
  name: 'Size',
  min: 1,
  max: 1,
  repeats: false,
  modifiers: [
    ['Regular', 0, true],
    ['Large', 150, true],
  ],
}
const EXTRAS: GroupDraft = {
  name: 'Extras',
  min: 0,
  max: 3,
  repeats: true,
  modifiers: [
    ['Cheese', 80, true],
    ['Bacon', 120, false],
  ],
}
const GROUPS: readonly (readonly GroupDraft[])[] = [
  [],
  [SIZE],
  [EXTRAS],
  [{ ...SIZE, name: 'Sauce', max: null }],
  [{ ...SIZE, name: 'Broken', modifiers: [['Gone', 0, false]] }],
  [SIZE, EXTRAS],
]
const IMPOSSIBLE: GroupDraft = { ...SIZE, name: 'Impossible', min: 3, max: 1 }

/** The items of every store at the start. */
const FIRST: readonly Row[] = [0, 1, 2, 5].map((groups, index) => ({
  draft: {
    name: index,
    category: index % 3,
    ref: index,
    barcode: index,
    price: 450 + index * 333,
    groups,
    tax: index === 1 ? 500 : undefined,
    available: true,
  },
  flaw: 'none',
}))

export async function createFirstItems(life: FoodRun): Promise<void> {
  for (const store of life.model.stores.keys())
    await runFoodImportStep(life, {
      do: 'import',
      as: undefined,
      store,
      rows: [...FIRST],
      section: false,
      many: false,
      key: undefined,
    })
}

function nameOf({ name }: ModelItemDraft): string {
  return name < 7 ? `Dish ${name}` : `  DISH ${name - 7} `
}

function sectionOf({ category, name }: ModelItemDraft): string {
  const section = SECTIONS[category % SECTIONS.length] ?? ''
  return name % 4 === 3 ? section.toUpperCase() : section
}

function refOf({ ref }: ModelItemDraft): string | null {
  return ref === undefined ? null : `PRIVref${ref}`
}

function barcodeOf({ barcode }: ModelItemDraft): string | null {
  if (barcode === undefined) return null
  const digits = `50${String(barcode).padStart(10, '0')}`
  const sum = Array.from(digits).reduce(
    (all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function groupsBody(groups: readonly GroupDraft[], kept: readonly ModelGroup[] = []): Body[] {
  return groups.map(({ name, min, max, repeats, modifiers }, index) => ({
    ...(kept[index] !== undefined && { modifier_group_id: kept[index].id }),
    name,
    min_selections: min,
    max_selections: max,
    allow_repeats: repeats,
    modifiers: modifiers.map(([label, delta, available]) => ({
      name: label,
      price_delta: gbp(delta),
      available,
    })),
  }))
}

/** Returns the body of an item, with one fault or none; private values are recognizable wherever they occur. */
function bodyOf(draft: ModelItemDraft, flaw: Row['flaw'], mark: number): Body {
  const groups = flaw === 'group' ? [IMPOSSIBLE] : (GROUPS[draft.groups] ?? [])
  const [ref, barcode] = [refOf(draft), flaw === 'barcode' ? '5012345678901' : barcodeOf(draft)]
  return {
    ...(flaw !== 'no name' && { name: nameOf(draft) }),
    ...(flaw !== 'no category' && { category: sectionOf(draft) }),
    price: { amount: flaw === 'malformed' ? -1 : draft.price, currency: flaw === 'currency' ? 'EUR' : 'GBP' },
    description: `About ${draft.name}`,
    modifier_groups: groupsBody(groups),
    available: draft.available,
    sku: `PRIVsku${mark}`,
    supplier_id: `PRIVsup${mark}`,
    cost: gbp(77_000_000 + (mark % 10_000)),
    stock: 880_000_000 + (mark % 100_000),
    ...(ref !== null && { external_ref: ref }),
    ...(barcode !== null && { barcode }),
    ...(draft.tax !== undefined && { tax_rate_bps: draft.tax }),
  }
}

const FLAWS: Readonly<Partial<Record<ItemFlaw, ErrorCode>>> = {
  group: 'invalid_modifier_group',
  barcode: 'invalid_barcode',
  currency: 'currency_mismatch',
}

// Errors.

/** Returns the item that is not deleted and has the same reference. */
function sameRef(store: ModelStore, ref: string | null): ModelItem | undefined {
  return ref === null ? undefined : living(store).find((item) => item.ref === ref)
}

/** Two different references count more than an equal barcode. */
function sameBarcode(store: ModelStore, barcode: string | null, ref: string | null): ModelItem[] {
  return living(store).filter(
    (item) => barcode !== null && item.barcode === barcode && (ref === null || item.ref === null),
  )
}

function sameName(store: ModelStore, section: string, name: string): ModelItem | undefined {
  const category = findSection(store, section)
  return living(store).find(
    (item) => item.category === category && foldModelName(item.name) === foldModelName(name),
  )
}

function findSection(store: ModelStore, section: string): ModelCategory | undefined {
  return store.categories.find(({ name }) => foldModelName(name) === foldModelName(section))
}

function mayManage(store: ModelStore, as: string): boolean {
  return store.owner === as
}

// Only the ids of a response are added to the model; the rest comes from the request.

function learnItem(
  store: ModelStore,
  body: Body,
  draft: ModelItemDraft,
  section: string,
  now: number,
): ModelItem {
  const item: ModelItem = {
    id: String(body['item_id']),
    store,
    category: learnSection(store, body['category'] as Body, section),
    name: nameOf(draft).trim(),
    description: `About ${draft.name}`,
    price: draft.price,
    groups: learnGroups(body['modifier_groups'] as Body[], GROUPS[draft.groups] ?? []),
    available: draft.available,
    until: null,
    deleted: false,
    version: 1,
    updated: now,
    ref: refOf(draft),
    barcode: barcodeOf(draft),
    taxBps: draft.tax ?? null,
  }
  store.items.push(item)
  return item
}

function learnSection(store: ModelStore, body: Body, section: string): ModelCategory {
  const known = findSection(store, section)
  if (known !== undefined) return known
  const made = { id: String(body['category_id']), name: section }
  store.categories.push(made)
  return made
}

function learnGroups(shown: Body[], drafts: readonly GroupDraft[]): ModelGroup[] {
  expect(shown).toHaveLength(drafts.length)
  return drafts.map(({ modifiers, ...draft }, index) => {
    const group = shown[index] ?? {}
    const ids = (group['modifiers'] as Body[]).map((each) => String(each['modifier_id']))
    return {
      ...draft,
      id: String(group['modifier_group_id']),
      modifiers: modifiers.map(([name, delta, available], at) => ({
        id: ids[at] ?? '',
        name,
        delta,
        available,
      })),
    }
  })
}

// The operations.

export async function runFoodCreateStep(life: FoodRun, step: FoodStepOf<'create'>): Promise<void> {
  const { model } = life
  const store = model.stores[step.store]
  if (store === undefined) return
  const as = step.as ?? store.owner
  const section = sectionOf(step.item)
  const body = await callAndCompare(life, 'create_catalog_item', {
    as,
    input: { ...bodyOf(step.item, step.flaw, life.serial()), merchant_id: store.id },
    key: step.key,
    malformed: step.flaw === 'malformed',
    rule() {
      if (!mayManage(store, as)) return ['merchant_not_found']
      const flaw = FLAWS[step.flaw]
      const taken =
        sameRef(store, refOf(step.item)) ??
        sameBarcode(store, barcodeOf(step.item), refOf(step.item))[0] ??
        sameName(store, section, nameOf(step.item))
      return [
        ...(flaw === undefined ? [] : [flaw]),
        ...(taken === undefined ? [] : ['duplicate_item' as const]),
      ]
    },
  })
  if (body === undefined) return
  const item = learnItem(store, body, step.item, section, model.now)
  expectItem(body, item, model.now)
  await checkMenu(life, item)
}

export async function runFoodUpdateStep(life: FoodRun, step: FoodStepOf<'update'>): Promise<void> {
  const item = pickItem(life, step)
  const as = step.as ?? item?.store.owner ?? 'owner'
  const { change } = step
  const flaw = flawOf(step)
  const kept = (step.draft.ref === undefined ? undefined : item?.groups) ?? []
  const body = await callAndCompare(life, 'update_catalog_item', {
    as,
    input: omitUndefined({
      item_id: item?.id ?? UNKNOWN_ITEM,
      ...changesOf(step, kept),
      version: item && { none: undefined, right: item.version, old: item.version + 7 }[step.version],
      ...(flaw === 'malformed' && { price: 'free' }),
    }),
    key: step.key,
    malformed: change === 'availability' || flaw === 'malformed',
    rule() {
      const errors = judgeUpdate(item, step)
      return item === undefined || item.deleted || !mayManage(item.store, as)
        ? ['item_not_found', ...errors.filter((code) => code === 'invalid_request')]
        : errors
    },
  })
  if (body === undefined || item === undefined) return
  const before = JSON.stringify(contentOf(item))
  learnUpdate(item, step, body, kept)
  await changed(life, item, body, before !== JSON.stringify(contentOf(item)))
}

function learnUpdate(
  item: ModelItem,
  { change, draft }: FoodStepOf<'update'>,
  body: Body,
  kept: readonly ModelGroup[],
): void {
  if (change === 'name') item.name = nameOf(draft).trim()
  if (change === 'price') item.price = draft.price
  if (change === 'category')
    item.category = learnSection(item.store, body['category'] as Body, sectionOf(draft))
  if (change === 'groups') {
    const made = learnGroups(body['modifier_groups'] as Body[], GROUPS[draft.groups] ?? [])
    for (const [index, { id }] of kept.slice(0, made.length).entries()) expect(made[index]?.id).toBe(id)
    item.groups = made
  }
}

/** Returns the fault of a change, if the change has the field in question. */
function flawOf({ flaw, change }: FoodStepOf<'update'>): ItemFlaw {
  const about = {
    none: true,
    malformed: true,
    barcode: false,
    currency: change === 'price',
    group: change === 'groups',
  }
  return about[flaw] ? flaw : 'none'
}

function changesOf({ change, draft, ...step }: FoodStepOf<'update'>, kept: readonly ModelGroup[]): Body {
  const flaw = flawOf({ change, draft, ...step })
  const drafts = flaw === 'group' ? [IMPOSSIBLE] : (GROUPS[draft.groups] ?? [])
  const changes: Readonly<Record<typeof change, Body>> = {
    name: { name: nameOf(draft) },
    price: { price: { amount: draft.price, currency: flaw === 'currency' ? 'EUR' : 'GBP' } },
    category: { category: sectionOf(draft) },
    groups: { modifier_groups: groupsBody(drafts, kept) },
    nothing: {},
    availability: { available: false },
  }
  return changes[change]
}

function judgeUpdate(item: ModelItem | undefined, step: FoodStepOf<'update'>): ErrorCode[] {
  const flaw = FLAWS[flawOf(step)]
  return [
    ...(step.change === 'nothing' ? ['invalid_request' as const] : []),
    ...(flaw === undefined ? [] : [flaw]),
    ...(step.version === 'old' ? ['version_conflict' as const] : []),
    ...(item !== undefined && wouldClash(item, step.change, step.draft) ? ['duplicate_item' as const] : []),
  ]
}

function contentOf({ name, price, category, groups, available, until }: ModelItem): unknown {
  return { name, price, category, groups, available, until }
}

function wouldClash(item: ModelItem, change: FoodStepOf<'update'>['change'], draft: ModelItemDraft): boolean {
  if (change !== 'name' && change !== 'category') return false
  const name = change === 'name' ? nameOf(draft) : item.name
  const section = change === 'category' ? sectionOf(draft) : item.category.name
  const other = sameName(item.store, section, name)
  return other !== undefined && other !== item
}

/** Checks that a change raises the version by one. Without a change it may do so, too. */
async function changed(life: FoodRun, item: ModelItem, body: Body, did: boolean): Promise<void> {
  const { model, world } = life
  const version = Number(body['version'])
  if (did) expect(version).toBe(item.version + 1)
  else expect([item.version, item.version + 1]).toContain(version)
  if (version !== item.version) item.updated = model.now
  item.version = version
  expectItem(body, item, model.now)
  if (did) return checkMenu(life, item)
  const menu = await world.ok('get_restaurant_menu', { merchant_id: item.store.id })
  expectMenu(menu, item.store, model.now)
  item.store.menuVersion = menu.menu_version
}

export async function runFoodAvailabilityStep(
  life: FoodRun,
  step: FoodStepOf<'availability'>,
): Promise<void> {
  const { model } = life
  const item = pickItem(life, step)
  const as = step.as ?? item?.store.owner ?? 'owner'
  const until = step.until === undefined ? undefined : model.now + step.until * 60_000
  const wrong = until !== undefined && (step.available || until <= model.now)
  const body = await callAndCompare(life, 'set_catalog_item_availability', {
    as,
    input: {
      item_id: item?.id ?? UNKNOWN_ITEM,
      available: step.available,
      ...(until !== undefined && { until: iso(until) }),
    },
    key: step.key,
    rule() {
      const bad: ErrorCode[] = wrong ? ['invalid_request'] : []
      return item === undefined || item.deleted || !mayManage(item.store, as)
        ? ['item_not_found', ...bad]
        : bad
    },
  })
  if (body === undefined || item === undefined) return
  const did = item.available !== step.available || item.until !== (until ?? null)
  item.available = step.available
  item.until = until ?? null
  await changed(life, item, body, did)
}

export async function runFoodDeleteStep(life: FoodRun, step: FoodStepOf<'delete'>): Promise<void> {
  const { model } = life
  const item = pickItem(life, step)
  const as = step.as ?? item?.store.owner ?? 'owner'
  const body = await callAndCompare(life, 'delete_catalog_item', {
    as,
    input: { item_id: item?.id ?? UNKNOWN_ITEM },
    key: step.key,
    rule: () => (item === undefined || item.deleted || !mayManage(item.store, as) ? ['item_not_found'] : []),
  })
  if (body === undefined || item === undefined) return
  expect(body).toEqual({ item_id: item.id, deleted: true, deleted_at: iso(model.now) })
  item.deleted = true
  await checkMenu(life, item)
}

/** Picks an item, sometimes a deleted one. */
function pickItem(
  { model }: FoodRun,
  { item, unknown }: { item: number; unknown: boolean },
): ModelItem | undefined {
  const all = model.stores.flatMap((store) => store.items)
  const among = item % 8 === 7 ? all : all.filter(({ deleted }) => !deleted)
  return unknown ? undefined : among[item % Math.max(1, among.length)]
}

export async function runFoodImportStep(life: FoodRun, step: FoodStepOf<'import'>): Promise<void> {
  const { model, world } = life
  const store = model.stores[step.store]
  if (store === undefined) return
  const as = step.as ?? store.owner
  const rows = step.rows.map(({ draft, flaw }) => bodyOf(draft, flaw, life.serial()))
  const before = await itemRows(life, store)
  const body = await callAndCompare(life, 'import_catalog_items', {
    as,
    input: {
      items: step.many ? Array.from({ length: 501 }, () => rows[0]) : rows,
      merchant_id: store.id,
      ...(step.section && { default_category: 'Specials' }),
    },
    key: step.key,
    rule() {
      const many: ErrorCode[] = step.many ? ['manifest_too_large'] : []
      return mayManage(store, as) ? many : ['merchant_not_found', ...many]
    },
  })
  if (body === undefined) return
  const results = body['results'] as Body[]
  expect(results.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1))
  const sections = store.categories.length
  const mine = new Map<string, ModelItem>()
  const refused = new Map<string, number>()
  for (const [index, row] of step.rows.entries())
    await checkImportedRow(life, store, {
      row,
      result: results[index] ?? {},
      mine,
      refused,
      section: step.section,
    })
  const count = (result: string): number => results.filter((each) => each['result'] === result).length
  expect(body['counts']).toEqual({
    total: rows.length,
    created: count('created'),
    duplicate: count('duplicate'),
    rejected: count('rejected'),
    categories_created: store.categories.length - sections,
  })
  const after = await itemRows(life, store)
  for (const [id, text] of before) expect(after.get(id)).toBe(text)
  expect(after.size).toBe(before.size + mine.size)
  if (mine.size > 0) await checkMenu(life, { store })
  // the same request again creates nothing
  const again = await world.call(
    'import_catalog_items',
    { items: rows, merchant_id: store.id, ...(step.section && { default_category: 'Specials' }) },
    { as },
  )
  expect((again.body['counts'] as Body)['created']).toBe(0)
  expect(await itemRows(life, store)).toEqual(after)
}

/** Returns the database rows of a store's items, by id. */
async function itemRows({ world }: FoodRun, { id }: ModelStore): Promise<Map<string, string>> {
  const rows = await world.db.read((tx) => tx.all('select * from catalog_items where merchant_id = $1', id))
  return new Map(rows.map((row) => [String(row['item_id']), JSON.stringify(row)]))
}

const ROW_REASONS: Readonly<Partial<Record<Row['flaw'], readonly string[]>>> = {
  group: ['invalid_modifier_group'],
  barcode: ['invalid_barcode'],
  currency: ['invalid_price'],
  malformed: ['invalid_price', 'invalid_row'],
  'no name': ['invalid_row'],
  'no category': ['missing_category'],
}

type ImportedRow = {
  row: Row
  result: Body
  mine: Map<string, ModelItem>
  /** The rows that were rejected for what they hold, by their reference. */
  refused: Map<string, number>
  section: boolean
}

/** Checks one row of an import and adds its item to the model. */
async function checkImportedRow(
  { model, world }: FoodRun,
  store: ModelStore,
  { row: { draft, flaw }, result, mine, refused, section: hasSection }: ImportedRow,
): Promise<void> {
  const said = JSON.stringify(result)
  const reason = (result['reason'] as Body | undefined)?.['code']
  const section = flaw === 'no category' ? 'Specials' : sectionOf(draft)
  const ref = refOf(draft)
  const holder = ref === null ? undefined : refused.get(ref)
  if (holder !== undefined && (flaw === 'none' || flaw === 'no category')) {
    expect([result['result'], reason], said).toEqual(['rejected', 'invalid_row'])
    expect(said).toContain(`Row ${holder} has the same external_ref, and is rejected.`)
    return
  }
  const isRight = flaw === 'none' || (flaw === 'no category' && hasSection)
  if (!isRight) return expectRefusal({ draft, flaw }, result, refused)
  const same = firstOf([sameRef(store, ref)], sameBarcode(store, barcodeOf(draft), ref), [
    sameName(store, section, nameOf(draft)),
  ])
  if (same.length > 0) return expectDuplicate(same, result, mine)
  expect(result['result'], said).toBe('created')
  const listed = await world.call(
    'list_catalog_items',
    { merchant_id: store.id, limit: 100 },
    { as: store.owner },
  )
  const made = (listed.body['data'] as Body[]).find((each) => each['item_id'] === result['item_id'])
  const item = learnItem(store, made ?? {}, draft, section, model.now)
  mine.set(item.id, item)
  expectItem(made ?? {}, item, model.now)
}

/** Checks the error of an invalid row, and notes the reference that it holds. */
function expectRefusal({ draft, flaw }: Row, result: Body, refused: Map<string, number>): void {
  // A row that is invalid and also a duplicate may get either result.
  if (result['result'] === 'duplicate') return
  const said = JSON.stringify(result)
  expect(result['result'], said).toBe('rejected')
  const ref = refOf(draft)
  if (ref !== null && flaw !== 'no category' && !refused.has(ref)) refused.set(ref, Number(result['row']))
  expect(ROW_REASONS[flaw], said).toContain((result['reason'] as Body | undefined)?.['code'])
}

/** Checks that a row is a duplicate of one of these items; several may have its barcode. */
function expectDuplicate(same: ModelItem[], result: Body, mine: ReadonlyMap<string, ModelItem>): void {
  const said = JSON.stringify(result)
  const id = String(result['item_id'])
  const reason = (result['reason'] as Body | undefined)?.['code']
  expect(result['result'], said).toBe('duplicate')
  expect(
    same.map((item) => item.id),
    said,
  ).toContain(id)
  if (reason !== undefined) expect(reason, said).toBe(mine.has(id) ? 'duplicate_in_file' : 'already_exists')
}

/** Returns the first list that contains an item. */
function firstOf(...lists: (ModelItem | undefined)[][]): ModelItem[] {
  const found = lists.map((list) => list.filter((item) => item !== undefined))
  return found.find((list) => list.length > 0) ?? []
}

export async function runFoodItemsStep(life: FoodRun, step: FoodStepOf<'items'>): Promise<void> {
  const { model } = life
  const owned = model.stores.filter(({ owner }) => owner === step.as)
  const store = step.store === undefined ? undefined : model.stores[step.store]
  const [section] = (store ?? owned[0])?.categories ?? []
  const filters: Readonly<Record<typeof step.filter, Body>> = {
    none: {},
    available: { available: true },
    'off sale': { available: false },
    category: { category: section?.name ?? 'Mains' },
    q: { q: 'SH 1' },
  }
  const call = {
    as: step.as,
    input: {
      ...omitUndefined({ merchant_id: store?.id }),
      ...filters[step.filter],
      ...paged(step.cursor, 3),
    },
    malformed: store === undefined && owned.length > 1,
    forged: step.cursor === 'forged',
    rule: (): ErrorCode[] => (store === undefined || store.owner === step.as ? [] : ['merchant_not_found']),
  }
  const body = await callAndCompare(life, 'list_catalog_items', call)
  const shown = store ?? owned[0]
  if (body === undefined || shown === undefined) return
  const rows = await readAllPages(life, 'list_catalog_items', call, body, 3)
  const fits: Readonly<Record<typeof step.filter, (item: ModelItem) => boolean>> = {
    none: () => true,
    available: (item) => isOnSale(item, model.now),
    'off sale': (item) => !isOnSale(item, model.now),
    category: (item) => item.category === section,
    q: ({ name }) => foldModelName(name).includes('sh 1'),
  }
  const expected = living(shown).filter(fits[step.filter])
  const ids = rows.map((row) => String(row['item_id']))
  expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
  for (const row of rows) {
    const item = expected.find(({ id }) => id === row['item_id'])
    if (item !== undefined) expectItem(row, item, model.now)
  }
}
