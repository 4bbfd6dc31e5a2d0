/** The upload of a manifest by a page: checked, shown, confirmed, and never done twice. */
import { beforeAll, expect, test } from 'vitest'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { MAX_UPLOAD_BYTES } from '../../src/core/pages.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import type { Download, UploadAnswer } from '../../src/server/pages/upload/shown.ts'
import { openWorkbook } from '../../src/tabular/xlsx/workbook.ts'
import { GOOD_ROW, makeCsv } from '../support/manifests.ts'
import { visit, type Visitor } from '../support/page-links.ts'
import { makeParcel } from '../support/parcel.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { workbookOf } from '../support/workbooks.ts'
import { sandboxOverStore } from '../support/world.ts'

let served: ServedStore
let shipper: Visitor

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  shipper = await visit(served, 'shipper', { page: 'parcels' })
})

type Wish = {
  name?: string
  answers?: readonly (string | number)[]
  settled?: readonly { flag: string; value: string }[]
  maps?: Readonly<Record<string, Readonly<Record<string, string>>>>
  hub?: string
  fallback?: string
  prefix?: string
  merge?: boolean
  again?: boolean
  include?: readonly string[]
  plan?: string
}

function post(
  { cookie }: Pick<Visitor, 'cookie'>,
  content: string | Uint8Array<ArrayBuffer>,
  wish: Wish = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${served.url}/pages/upload`, {
    method: 'POST',
    headers: {
      cookie,
      origin: served.url,
      'dray-page': 'parcels',
      'dray-upload': encodeURIComponent(JSON.stringify({ name: 'orders.csv', ...wish })),
      ...headers,
    },
    body: content,
  })
}

async function ask<S extends UploadAnswer['state']>(
  state: S,
  ...given: [content: string | Uint8Array<ArrayBuffer>, wish?: Wish, headers?: Record<string, string>]
): Promise<Extract<UploadAnswer, { state: S }>> {
  const answer = (await (await post(shipper, ...given)).json()) as UploadAnswer
  expect(answer).toMatchObject({ state })
  return answer as Extract<UploadAnswer, { state: S }>
}

const textOf = (file: Download): string => ('text' in file ? file.text : file.base64)

const codeOf = async (answer: Promise<Response>): Promise<unknown> => [
  (await answer).status,
  ((await (await answer).json()) as { code?: unknown }).code,
]

async function parcels(): Promise<unknown[]> {
  const list = await shipper.call('list_shipments', { limit: 100 })
  return ((await list.json()) as { data: unknown[] }).data
}

const row = (reference: string, change: Record<string, string> = {}) => ({
  ...GOOD_ROW,
  reference,
  ...change,
})

test('a file is checked and priced, and creates nothing until it is confirmed; then each row once', async () => {
  const file = makeCsv(row('A1'), row('A2', { postal_code: 'nowhere' }), row('A1'), row('A3', { city: '' }))
  const planned = await ask('planned', file)
  expect(planned.counts).toEqual({
    total: 4,
    created: 1,
    duplicate: 1,
    rejected: 2,
    skipped: 0,
    not_sent: 0,
  })
  expect(planned.question).toMatch(/^Create 1 parcel for £\d+\.\d\d\?$/)
  expect(planned.levels).toEqual([{ level: 'next_day', parcels: 1, total: planned.total }])
  expect(planned.faults.map((fault) => [fault.row, fault.column, fault.value])).toEqual([
    [3, 'postal_code', 'nowhere'],
    [5, 'city', ''],
  ])
  expect(planned.notes).toEqual([{ kind: 'info', text: 'Read orders.csv: utf-8, comma-separated, 4 rows.' }])
  expect(await parcels()).toEqual([])

  const { plan } = planned
  const key = { 'idempotency-key': 'upload-of-a-page' }
  const [one, other] = await Promise.all([ask('sent', file, { plan }, key), ask('sent', file, { plan }, key)])
  expect(other).toEqual(one)
  expect(one.rows.map(({ result }) => result)).toEqual(['created', 'rejected', 'duplicate', 'rejected'])
  expect(one.rows[0]?.tracking_number).toMatch(/^[A-Z]{2}\d{9}GB$/)
  expect(one.results.name).toBe('orders.results.csv')
  expect(textOf(one.results).split('\r\n')[0]).toMatch(/,row,result,tracking_number,price,reason$/)
  expect(one.errors?.name).toBe('orders.errors.csv')
  expect(await parcels()).toHaveLength(1)

  // Uploaded again, under a key of its own: the parcel is there, and is named.
  const again = await ask('planned', file)
  expect(again.counts).toMatchObject({ created: 0, duplicate: 2, rejected: 2 })
  const repeated = await ask('sent', file, { plan: again.plan }, { 'idempotency-key': 'upload-again' })
  expect(repeated.rows[0]).toMatchObject({
    result: 'duplicate',
    tracking_number: one.rows[0]?.tracking_number,
  })
  expect(await parcels()).toHaveLength(1)
})

test('parcels that were cancelled are left out of the same sheet, unless they are wished again', async () => {
  const file = makeCsv(row('C1'), row('C2'))
  const { plan } = await ask('planned', file)
  const sent = await ask('sent', file, { plan }, { 'idempotency-key': 'cancelled-1' })
  const [number] = sent.rows.map(({ tracking_number }) => tracking_number)
  await sandboxOverStore(served.db).ok('cancel_shipment', { tracking_number: number }, { as: 'shipper' })

  const again = await ask('planned', file)
  expect(again).toMatchObject({ counts: { created: 0, duplicate: 2 }, cancelled: 1 })
  expect(again.rows[0]).toMatchObject({
    result: 'duplicate',
    tracking_number: null,
    cancelled: number,
    reason: 'Created before and cancelled.',
  })
  const left = await ask('sent', file, { plan: again.plan }, { 'idempotency-key': 'cancelled-2' })
  expect(left).toMatchObject({ counts: { created: 0, duplicate: 2 }, cancelled: 1 })

  const changed = makeCsv(row('C1', { city: 'Oxford' }), row('C2'))
  expect((await ask('planned', changed)).rows[0]).toMatchObject({
    result: 'created',
    cancelled: number,
    reason: `${number} of the same reference was cancelled; its content was another.`,
  })

  const wished = await ask('planned', file, { again: true })
  expect(wished).toMatchObject({ counts: { created: 1, duplicate: 1 }, cancelled: 0 })
  // The plan that left it out is another one.
  expect(
    await codeOf(
      post(shipper, file, { again: true, plan: again.plan }, { 'idempotency-key': 'cancelled-3' }),
    ),
  ).toEqual([409, 'invalid_state'])
  const made = await ask(
    'sent',
    file,
    { again: true, plan: wished.plan },
    { 'idempotency-key': 'cancelled-4' },
  )
  expect(made.counts).toMatchObject({ created: 1, duplicate: 1 })
})

test('orders that should not be sent are skipped, listed by their reason, and sent with a tick', async () => {
  const status = (reference: string, words: string) => row(reference, { 'Order status': words })
  const file = makeCsv(
    status('L1', 'Paid'),
    status('L2', 'Refunded'),
    status('L3', 'On hold'),
    status('L4', 'VIP'),
  )
  const planned = await ask('planned', file)
  expect(planned.counts).toMatchObject({ total: 4, created: 2, rejected: 0, skipped: 2 })
  expect(planned.skipped).toEqual([
    { reason: 'refunded', text: '1 refunded: L2', included: false },
    { reason: 'on_hold', text: '1 on hold: L3', included: false },
  ])
  expect(planned.rows[1]).toMatchObject({ result: 'skipped', reason: 'The order is refunded.' })
  expect(planned.notes).toContainEqual({
    kind: 'warning',
    text: '1 order has the Order status "VIP", which may mean "do not send": L4. It is not skipped.',
  })
  const ticked = await ask('planned', file, { include: ['refunded'] })
  expect(ticked.plan).not.toBe(planned.plan)
  expect(ticked.skipped).toEqual([
    { reason: 'refunded', text: 'Orders: refunded', included: true },
    { reason: 'on_hold', text: '1 on hold: L3', included: false },
  ])
  const sent = await ask(
    'sent',
    file,
    { include: ['refunded'], plan: ticked.plan },
    { 'idempotency-key': 'with-a-tick' },
  )
  expect(sent.rows.map(({ result }) => result)).toEqual(['created', 'created', 'skipped', 'created'])
  expect(textOf(sent.results)).toContain('skipped,,,on_hold: The order is on hold.')
  expect(await codeOf(post(shipper, file, { include: ['nonsense'] }))).toEqual([400, 'invalid_request'])
})

test('the rejected rows of a workbook download as a workbook, and a spreadsheet leaves their texts unchanged', async () => {
  const columns = Object.keys(GOOD_ROW)
  const cells = Object.values({ ...GOOD_ROW, reference: '000456', postal_code: 'nowhere' })
  const book = workbookOf([{ name: 'Orders', rows: { 1: columns, 2: cells } }]) as Uint8Array<ArrayBuffer>
  const { errors } = await ask('planned', book, { name: 'orders.xlsx' })
  expect(errors).toMatchObject({ name: 'orders.errors.xlsx', base64: expect.stringMatching(/^UEs/) })
  const [sheet] = (await openWorkbook(Buffer.from(textOf(errors ?? { name: '', text: '' }), 'base64'))).sheets
  const rows = (await sheet?.read())?.rows.map((row) => row.cells)
  expect(rows?.[0]).toEqual([...columns, '_row', '_column', '_code', '_message', '_suggestion'])
  expect(rows?.[1]?.slice(0, columns.length + 2)).toEqual([...cells, '2', 'postal_code'])
})

test('what the file leaves open is asked: the sheet, a column, a unit', async () => {
  const { reference: _, weight_grams: _grams, ...rest } = GOOD_ROW
  const header = [...Object.keys(rest), 'weight', 'Our number', 'Your number']
  const cells = [...Object.values(rest), '1.2', 'B1', 'C1']
  const rows = { 1: header, 2: cells }
  const book = workbookOf([
    { name: 'March', rows },
    { name: 'April', rows: { ...rows, 3: [...Object.values(rest), '2.5', 'B2', 'C2'] } },
  ]) as Uint8Array<ArrayBuffer>
  const name = 'orders.xlsx'
  const sheet = await ask('question', book, { name })
  expect(sheet).toMatchObject({ number: 0, choices: ['March (1 row)', 'April (2 rows)'] })
  const column = await ask('question', book, { name, answers: [1] })
  expect(column).toMatchObject({ number: 1, message: 'No column is reference. Take it from' })
  const at = column.choices?.findIndex((choice) => choice.startsWith('Our number')) ?? -1
  const unit = await ask('question', book, { name, answers: [1, at] })
  expect(unit).toMatchObject({ number: 2, choices: ['g', 'kg', 'oz', 'lb'] })
  const planned = await ask('planned', book, { name, answers: [1, at, 1] })
  expect(planned.rows.map(({ reference, result }) => [reference, result])).toEqual([
    ['B1', 'created'],
    ['B2', 'created'],
  ])
  expect(planned.notes.map(({ text }) => text)).toContain('not read: Your number.')
  const sent = await ask(
    'sent',
    book,
    { name, answers: [1, at, 1], plan: planned.plan },
    { 'idempotency-key': 'a-sheet-of-two' },
  )
  expect(sent.results.name).toBe('orders.April.results.csv')
  // Answers are told here, and are not asked again when a column is taken from another header.
  const settled = planned.settled.map((each) =>
    each.flag === '--map' ? { ...each, value: 'reference=Your number' } : each,
  )
  expect(planned.settled).toContainEqual({ flag: '--map', value: 'reference=Our number' })
  const other = await ask('planned', book, { name, settled })
  expect(other.rows.map(({ reference }) => reference)).toEqual(['C1', 'C2'])
  expect(other.columns?.read).toContainEqual({
    column: 'reference',
    header: 'Your number',
    how: 'flag',
    sample: 'C1',
  })
  expect(other.columns?.headers).toContain('Our number')
  expect(other.columns?.free).toContain('company')
  // The page keeps the columns for the next sheet with these headers.
  const maps = { mine: other.columns?.map ?? {} }
  const kept = await ask('planned', book, { name, answers: [0], maps })
  expect(kept.columns?.saved).toBe('mine')
  expect(kept.rows.map(({ reference }) => reference)).toEqual(['C1'])
  // A response that fits no choice is asked again.
  expect(await ask('question', book, { name, answers: [7] })).toMatchObject({ number: 0 })
})

test('a column that nothing reads and a date that can be two days are questions, and their answers are kept', async () => {
  const name = 'orders.csv'
  const file = makeCsv({ ...row('U-1'), not_before: '01/12/2026', 'Hold at depot': 'x' })
  const unread = await ask('question', file, { name })
  expect(unread).toMatchObject({
    number: 0,
    message: 'Hold at depot: "x" in row 2. Nothing reads this column. Send without it?',
    choices: ['Send without it', 'Stop: nothing is sent'],
  })
  const date = await ask('question', file, { name, answers: [0] })
  expect(date).toMatchObject({
    number: 1,
    message: 'not_before: 01/12/2026 can be two days. Which number is the day?',
  })
  const planned = await ask('planned', file, { name, answers: [0, 0] })
  expect(planned.settled).toEqual([
    { flag: '--ignore', value: 'Hold at depot' },
    { flag: '--date-order', value: 'day' },
  ])
  expect(planned.columns?.map).toMatchObject({ _ignored: 'Hold at depot', _date_order: 'day' })
  // The next sheet with these headers asks neither.
  const maps = { mine: planned.columns?.map ?? {} }
  expect((await ask('planned', file, { name, maps })).rows.map(({ result }) => result)).toEqual(['created'])
  const stopped = await ask('unusable', file, { name, answers: [1] })
  expect(stopped.message).toContain('Nothing reads a column that rows fill: Hold at depot: "x" in row 2.')
  expect(await codeOf(post(shipper, file, { maps: { mine: { _date_order: 'year' } } }))).toEqual([
    400,
    'invalid_request',
  ])
})

test('the sheet of one customer among several: its words, its references, and a service that reaches', async () => {
  const far = { city: 'Kirkwall', postal_code: 'KW15 1LE', address_line1: '1 Shore Road' }
  const file = makeCsv(row('1', { service: 'Y' }), row('2', { ...far, service: 'Y' }))
  const bad = await ask('planned', file)
  expect(bad.faults.map(({ column, value }) => [column, value])).toEqual([
    ['service', 'Y'],
    ['service', 'Y'],
  ])
  const settled = [{ flag: '--map-value', value: 'service_level:Y=same_day' }]
  const near = await ask('planned', file, { settled, prefix: 'GC-' })
  expect(near.settled).toEqual(settled)
  expect(near.rows.map(({ reference, result }) => [reference, result])).toEqual([
    ['GC-1', 'created'],
    ['GC-2', 'rejected'],
  ])
  expect(near.columns?.map).toMatchObject({ 'service_level:y': 'same_day' })
  const wish = { settled, prefix: 'GC-', fallback: 'next_day' }
  const all = await ask('planned', file, wish)
  expect(all.notes).toContainEqual({
    kind: 'warning',
    text: '1 parcel will go by next_day, because their own service does not reach them: GC-2.',
  })
  const sent = await ask('sent', file, { ...wish, plan: all.plan }, { 'idempotency-key': 'one-of-several' })
  expect(sent.rows.map(({ reference, result }) => [reference, result])).toEqual([
    ['GC-1', 'created'],
    ['GC-2', 'created'],
  ])
  expect(await codeOf(post(shipper, file, { fallback: 'tomorrow' }))).toEqual([400, 'invalid_request'])
  expect(await codeOf(post(shipper, file, { prefix: 'x'.repeat(61) }))).toEqual([400, 'invalid_request'])
})

test('parcels that name no hub get the chosen one', async () => {
  const file = makeCsv(row('H1'))
  const hub = 'LON2'
  const { plan } = await ask('planned', file, { hub })
  expect((await ask('planned', file)).plan).not.toBe(plan)
  const { rows } = await ask('sent', file, { hub, plan }, { 'idempotency-key': 'to-a-hub' })
  const made = await shipper.call('get_shipment', { tracking_number: rows[0]?.tracking_number })
  expect(await made.json()).toMatchObject({
    label: { route_code: expect.stringMatching(/^LON2-/) as string },
  })
})

test('more than 500 parcels go in batches; after a rejected one, the rest is listed as not sent', async () => {
  const file = makeCsv(...Array.from({ length: 501 }, (_, index) => row(`M${index}`)))
  const planned = await ask('planned', file)
  expect(planned.question).toMatch(/^Create 501 parcels for £/)
  const key = { 'idempotency-key': 'two-batches' }
  // The second batch is rejected: its key was another's.
  await shipper.call(
    'create_shipments_batch',
    { shipments: [makeParcel({})] },
    { 'idempotency-key': 'two-batches-2' },
  )
  const half = await ask('sent', file, { plan: planned.plan }, key)
  expect(half.counts).toMatchObject({ created: 500, not_sent: 1 })
  expect(half.stopped).toMatch(/^The key two-batches-2 was used/)
  expect(textOf(half.results)).toMatch(/not_sent/)
  const rest = await ask('sent', file, { plan: planned.plan }, { 'idempotency-key': 'the-rest' })
  expect([rest.counts, rest.stopped]).toMatchObject([{ created: 1, duplicate: 500, not_sent: 0 }, null])
  expect(new Set(rest.rows.map(({ tracking_number }) => tracking_number)).size).toBe(501)
})

test('a file that cannot be used says why, and what to do on a page', async () => {
  const tall = workbookOf([
    { name: 'Tall', rows: Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [at + 1, ['a']])) },
  ]) as Uint8Array<ArrayBuffer>
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64')
  const refused = await Promise.all(
    ['a,b\n'.repeat(5002), tall, new Uint8Array(picture), ''].map(async (content) => {
      const answer = (await (await post(shipper, content)).json()) as UploadAnswer
      return answer.state === 'unusable' ? [answer.message, answer.hint] : answer
    }),
  )
  const divide =
    'Split it into smaller files. Where dray is installed, `dray carrier upload FILE --split` sends it whole.'
  expect(refused).toEqual([
    ['The file has 5,002 lines; the limit for this page is 5,000.', divide],
    ['The file has 5,001 lines; the limit for this page is 5,000.', divide],
    ['The file has a NUL character on line 3; it is not text.', 'Export it again as CSV (UTF-8).'],
    ['The file is empty: it needs a header and at least one row below it.', null],
  ])
  expect(await codeOf(post(shipper, new Uint8Array(MAX_UPLOAD_BYTES + 1)))).toEqual([
    413,
    'payload_too_large',
  ])
})

test('only the page of an account that may create parcels uploads, and only what it confirmed', async () => {
  const file = makeCsv(row('D1'))
  const { plan } = await ask('planned', file)
  const key = { 'idempotency-key': 'not-to-be-used' }
  const without = (scope: Scope) =>
    visit(served, 'shipper', {
      scopes: SCOPES.filter((each) => each.startsWith('shipments') && each !== scope),
    })
  expect({
    'no session': await codeOf(post({ cookie: '' }, file)),
    'without the scope': await codeOf(post(await without('shipments.create'), file)),
    'without an agreement': await codeOf(post(await visit(served, 'owner'), file)),
    'another origin': await codeOf(post(shipper, file, {}, { origin: 'http://evil.example' })),
    'no key': await codeOf(post(shipper, file, { plan })),
    'another file': await codeOf(post(shipper, makeCsv(row('D2')), { plan }, key)),
    'no name': await codeOf(post(shipper, file, { name: '' })),
    'a flag of another kind': await codeOf(
      post(shipper, file, { settled: [{ flag: '--results', value: 'x' }] }),
    ),
    'no unit': await codeOf(post(shipper, file, { settled: [{ flag: '--weight-unit', value: 'stone' }] })),
    'a map of no unit': await codeOf(post(shipper, file, { maps: { mine: { weight_unit: 'stone' } } })),
    'no wish': await codeOf(post(shipper, file, {}, { 'dray-upload': '%' })),
  }).toEqual({
    'no session': [401, 'missing_token'],
    'without the scope': [403, 'insufficient_scope'],
    'without an agreement': [403, 'insufficient_scope'],
    'another origin': [403, 'origin_not_allowed'],
    'no key': [400, 'idempotency_key_required'],
    'another file': [409, 'invalid_state'],
    'no name': [400, 'invalid_request'],
    'a flag of another kind': [400, 'invalid_request'],
    'no unit': [400, 'invalid_request'],
    'a map of no unit': [400, 'invalid_request'],
    'no wish': [400, 'invalid_request'],
  })
  const list = await shipper.call('list_shipments', { reference: 'D1' })
  expect(await list.json()).toMatchObject({ data: [] })
  expect(served.bugs).toEqual([])
})
