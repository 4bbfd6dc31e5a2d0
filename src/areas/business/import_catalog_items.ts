import * as Type from 'typebox'
import { AppError, type ProblemFieldError } from '../../core/errors.ts'
import { foldForSearch } from '../../core/fold.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, objectField, nameField, nullable, rowErrors } from '../../core/schema.ts'
import { RESULTS_PARAM } from '../../core/views.ts'
import { newIds } from '../../db/counters.ts'
import { createItems, lockCatalog, type ItemRequest } from '../catalog/lifecycle/catalog.ts'
import { loadSections, type Sections } from '../catalog/lifecycle/sections.ts'
import { findItemsByKeys, type ItemRecord } from '../catalog/queries/catalog.ts'
import {
  type ValidationIssue,
  validateItem,
  type ItemKeys,
  makeMatcher,
  type Matcher,
} from '../catalog/rules/catalog.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { merchantId } from '../orders/schema.ts'
import { loadOwnStore } from './access.ts'
import { assertFewRows, fillRow, importRowFields, type RowBody } from './import-rows.ts'

const FIVE_MEBIBYTES = 5 * 1_048_576

const ROW_REASONS = [
  'invalid_row',
  'already_exists',
  'duplicate_in_file',
  'invalid_price',
  'invalid_modifier_group',
  'invalid_barcode',
  'missing_category',
] as const

type RowReason = (typeof ROW_REASONS)[number]

const rowResult = strictObject({
  row: Type.Integer({ minimum: 1, description: 'Row number, from 1 in the order sent' }),
  name: nullable('Name', Type.String()),
  result: Type.Enum(['created', 'duplicate', 'rejected'] as const, { meaning: 'Row result' }),
  item_id: Type.Optional(Type.String({ meaning: 'Item' })),
  reason: Type.Optional(
    objectField('Reason for the rejection', {
      code: Type.Enum(ROW_REASONS, { meaning: 'Reason code' }),
      detail: Type.String({ meaning: 'Description' }),
      errors: rowErrors,
      duplicate_of_row: Type.Optional(Type.Integer({ meaning: 'Number of the row that this row repeats' })),
    }),
  ),
})

type RowResult = Type.Static<typeof rowResult>

export const importCatalogItems = defineOperation({
  name: 'import_catalog_items',
  area: 'business',
  summary: 'Add up to 500 items to the menu of your store',
  description:
    'Returns one result per row, in order: created, duplicate or rejected with the reason. Each row is a body of create_catalog_item. An item already exists if its external_ref does, or else its barcode (unless both have an external_ref), or else its name in its category; existing items keep all values, including the price.',
  details: 'A rejected row does not affect the others.',
  method: 'POST',
  path: '/v1/business/catalog/items/batch',
  scope: 'menu.manage',
  entitlement: 'business_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'makes',
  bodyLimit: FIVE_MEBIBYTES,
  input: strictObject({
    ...importRowFields,
    results: Type.Optional(RESULTS_PARAM),
    merchant_id: Type.Optional(merchantId),
  }),
  output: strictObject({
    import_id: Type.String({ meaning: 'Import' }),
    counts: objectField('Row counts by result', {
      total: Type.Integer({ meaning: 'Total rows' }),
      created: Type.Integer({ meaning: 'Rows created' }),
      duplicate: Type.Integer({ meaning: 'Rows skipped because they already exist' }),
      rejected: Type.Integer({ meaning: 'Rows rejected' }),
      categories_created: Type.Integer({ meaning: 'Categories created' }),
    }),
    categories: Type.Array(
      strictObject({
        category_id: Type.String({ meaning: 'Menu category' }),
        name: nameField,
        created: Type.Boolean({ meaning: 'Rows created' }),
      }),
      { meaning: 'Categories that the import created' },
    ),
    results: Type.Array(rowResult, { meaning: 'Row results in the order sent' }),
  }),
  errors: ['manifest_too_large', 'merchant_not_found'],
  brief: {
    long: { results: 'problems' },
    rest: 'list_catalog_items lists the items, and the same call again the results of fewer rows',
  },
  example: () => ({
    default_category: 'Specials',
    items: [
      { name: 'Laksa', price: { amount: 1200, currency: 'GBP' } },
      { name: 'Focaccia', category: 'Antipasti', price: { amount: 495, currency: 'GBP' } },
    ],
  }),
  cli: {
    command: 'business catalog import',
    danger: 'bulk',
    columns: [{ field: 'import_id' }, { field: 'counts' }],
  },
  async run(context, { items: given, default_category, default_currency, merchant_id }) {
    const { tx, world } = context
    assertFewRows(given)
    const store = await loadOwnStore(context, merchant_id, 'pointer')
    const rows: Row[] = []
    for (const [index, value] of given.entries()) {
      const filled = fillRow(value as RowBody, default_category, default_currency)
      const { input, errors } = await context.readRow('create_catalog_item', filled)
      rows.push(toRow(index + 1, input, errors, store))
    }

    const held = await lockCatalog(context, store.merchant_id)
    const importId = context.origin.importId ?? (await newIds({ tx, world, at: held.at }, 'imp'))[0] ?? ''
    const hold = { ...held, origin: { ...held.origin, importId } }
    const sections = await loadSections(tx, store.merchant_id)
    const before = new Set(sections.all.map(({ category_id }) => category_id))
    const known = await findItemsByKeys(tx, store.merchant_id, keysOf(rows))
    const { requests, results } = decideItemRows(rows, sections, makeMatcher<MatchableItem>(known))
    const created = await createItems(
      { tx, world },
      hold,
      sections,
      requests.map(({ request }) => request),
    )
    const ids = new Map(created.map(({ item_id }, index) => [requests[index]?.row, item_id]))
    const categories = sectionsOf(created, before)
    const count = (kind: RowResult['result']) => results.filter(({ result }) => result === kind).length
    return {
      import_id: importId,
      counts: {
        total: results.length,
        created: count('created'),
        duplicate: count('duplicate'),
        rejected: count('rejected'),
        categories_created: categories.filter((category) => category.created).length,
      },
      categories,
      results: results.map((result) => withId(result, ids)),
    }
  },
})

/** A row without faults, or the result of one that has some, with its external_ref. */
type Row = { row: number; request: ItemRequest } | { row: number; result: RowResult; ref: unknown }

function toRow(row: number, value: RowBody, unfit: ProblemFieldError[], store: MerchantRecord): Row {
  const ref = value['external_ref']
  if (unfit.length > 0) return { row, result: rejected(row, value, unfit), ref }
  // The checker has just held the row against the schema of `create_catalog_item`.
  const { merchant_id, ...request } = value as unknown as ItemRequest & { merchant_id?: string }
  const errors = validateItem(request, store.currency).map(
    ({ error }: ValidationIssue): ProblemFieldError => error,
  )
  if (merchant_id !== undefined && merchant_id !== store.merchant_id) {
    const detail = 'merchant_id must be that of the import'
    errors.push({ pointer: '/merchant_id', code: 'invalid_enum', detail })
  }
  return errors.length > 0 ? { row, result: rejected(row, value, errors), ref } : { row, request }
}

function rejected(row: number, value: RowBody, errors: readonly ProblemFieldError[]): RowResult {
  const [first] = errors
  const detail =
    errors.length === 1 && first !== undefined
      ? `${first.detail.charAt(0).toUpperCase()}${first.detail.slice(1)}.`
      : `${errors.length} values are invalid.`
  const places = errors.map(({ pointer = '', code, detail: about }) => ({ pointer, code, detail: about }))
  return {
    row,
    name: nameOf(value),
    result: 'rejected',
    reason: { code: reasonOf(value, errors), detail, errors: places },
  }
}

/** Returns the reason of the one field that has all the errors, else `invalid_row`. */
function reasonOf(value: RowBody, errors: readonly ProblemFieldError[]): RowReason {
  const members = new Set(errors.map(({ pointer = '' }) => pointer.split('/')[1]))
  const [member = ''] = members
  if (members.size > 1) return 'invalid_row'
  if (member === 'category') {
    const given = value['category'] ?? ''
    return typeof given === 'string' && given.trim() === '' ? 'missing_category' : 'invalid_row'
  }
  return BY_MEMBER[member] ?? 'invalid_row'
}

const BY_MEMBER: Readonly<Record<string, RowReason>> = {
  price: 'invalid_price',
  barcode: 'invalid_barcode',
  modifier_groups: 'invalid_modifier_group',
}

function nameOf({ name }: RowBody): string | null {
  return typeof name === 'string' ? name.trim().slice(0, 120) : null
}

/** Everything by which the rows could be in the store already. */
function keysOf(rows: readonly Row[]) {
  const requests = rows.flatMap((row) => ('request' in row ? [row.request] : []))
  const distinct = (values: readonly (string | undefined)[]): string[] => [
    ...new Set(values.flatMap((value) => value ?? [])),
  ]
  return {
    external_ref: distinct(requests.map(({ external_ref }) => external_ref)),
    barcode: distinct(requests.map(({ barcode }) => barcode)),
    name_key: distinct(requests.map(({ name }) => foldForSearch(name))),
  }
}

/** An item of the store, or the row of this import that makes it. */
type MatchableItem = ItemKeys & ({ item_id: string } | { row: number })

const BY = { external_ref: 'external_ref', barcode: 'barcode', name: 'name in its category' } as const

/** Decides every row in order. */
function decideItemRows(rows: readonly Row[], sections: Sections, matcher: Matcher<MatchableItem>) {
  const requests: { row: number; request: ItemRequest }[] = []
  const results: RowResult[] = []
  // A rejected row keeps its external_ref: another row under it would become the item that the corrected row is.
  const refused = new Map<unknown, number>()
  for (const entry of rows) {
    if ('result' in entry) {
      if (typeof entry.ref === 'string' && !refused.has(entry.ref)) refused.set(entry.ref, entry.row)
      results.push(entry.result)
      continue
    }
    const { row, request } = entry
    const holder = refused.get(request.external_ref)
    if (holder !== undefined) {
      const detail = `row ${holder} has the same external_ref, and is rejected`
      const error = { pointer: '/external_ref', code: 'mutually_exclusive' as const, detail }
      results.push(rejected(row, { ...request }, [error]))
      continue
    }
    const section = attempt(() => sections.keyOf(request.category))
    if (section instanceof AppError) {
      results.push(rejected(row, { ...request }, section.errors))
      continue
    }
    const keys: ItemKeys = {
      external_ref: request.external_ref ?? null,
      barcode: request.barcode ?? null,
      category_key: section,
      name_key: foldForSearch(request.name),
    }
    const name = request.name.trim()
    const match = matcher.find(keys)
    if (match !== undefined) {
      results.push(duplicate(row, name, BY[match.by], match.item))
      continue
    }
    matcher.add({ ...keys, row })
    requests.push(entry)
    results.push({ row, name, result: 'created' })
  }
  return { requests, results }
}

function attempt<T>(work: () => T): T | AppError {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function duplicate(row: number, name: string, by: string, known: MatchableItem): RowResult {
  if ('item_id' in known) {
    const { item_id } = known
    const detail = `An item with that ${by} already exists: ${item_id}. It was not changed.`
    return { row, name, result: 'duplicate', item_id, reason: { code: 'already_exists', detail } }
  }
  const reason = {
    code: 'duplicate_in_file' as const,
    detail: `Row ${known.row} has the same ${by}; only that row is used.`,
    duplicate_of_row: known.row,
  }
  return { row, name, result: 'duplicate', reason }
}

/** The result with the id of the item that the row, or the row that it repeats, has made. */
function withId(result: RowResult, ids: ReadonlyMap<number | undefined, string>): RowResult {
  const item_id =
    result.item_id ??
    (result.result === 'rejected' ? undefined : ids.get(result.reason?.duplicate_of_row ?? result.row))
  return { ...result, ...(item_id !== undefined && { item_id }) }
}

/** The sections into which items came, in the order of the rows. */
function sectionsOf(created: readonly ItemRecord[], before: ReadonlySet<string>) {
  const used = new Map(created.map(({ category }) => [category.category_id, category.name]))
  return [...used].map(([category_id, name]) => ({ category_id, name, created: !before.has(category_id) }))
}
