/**
 * Clients that others generate from both OpenAPI documents: they compile strictly, and play a story against a service. Each
 * story buys, reads back what was bought, meets an error whose code is typed, and moves the clock by a control call.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordTally } from '../support/battery.ts'
import {
  builtProgram,
  readServerUrl,
  startDray,
  type RunningProcess,
  splitCommandLine,
} from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

const ROOT = join(import.meta.dirname, '../..')
const GENERATORS = ['openapi-typescript@7.13.0', '@hey-api/openapi-ts@0.99.0', 'orval@8.38.0']
/** The packages that generated clients import, and the compiler that generators use. */
const BESIDE = ['openapi-fetch@0.17.0', 'typescript@5.9.3']

let project: string
let service: RunningProcess
let words: string[]

beforeAll(builtProgram)
beforeAll(async () => {
  project = await makeTempFolder()
  const env = { HOME: project, DRAY_HOME: join(project, 'dray') }
  const run = (line: string) => startDray(splitCommandLine(line), { env }).ended
  service = startDray(splitCommandLine('serve --port 0 --json'), { env })
  const url = await readServerUrl(service)
  const { token } = (await run('sandbox account token everything --json')).json<{ token: string }>()
  const control = (await readFile(join(env.DRAY_HOME, 'data/default/dray.db.control'), 'utf8')).trim()
  words = [url, token, control]
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await execa('npm', ['install', ...GENERATORS, ...BESIDE], { cwd: project })
  for (const [name, path] of Object.entries({ interface: 'openapi.json', sandbox: 'sandbox/openapi.json' }))
    await writeFile(join(project, `${name}.json`), await (await fetch(`${url}/${path}`)).text())
}, 600_000)

afterAll(async () => {
  service.kill('SIGTERM')
  await service.ended
})

const START = `import assert from 'node:assert/strict'
const [baseUrl = '', token = '', control = ''] = process.argv.slice(2)
const near = { latitude: 51.5129, longitude: -0.0823, q: 'Forno' }
const cart = (merchant_id = '', item_id = '') =>
  ({ merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 2 }] }) as const
const paid = (quote_id = '') =>
  ({ quote_id, payment: { method: 'card', payment_token: 'tok_ok' } }) as const
const hourBetween = (before = '', after = '') => assert.equal(Date.parse(after) - Date.parse(before), 3_600_000)
`

const FETCH = `import createClient from 'openapi-fetch'
import type { paths } from './interface.ts'
import type { paths as Controls } from './sandbox.ts'
${START}
const dray = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } })
const sandbox = createClient<Controls>({ baseUrl, headers: { Authorization: \`Bearer \${control}\` } })
const { data: found } = await dray.GET('/v1/food/merchants', { params: { query: near } })
const merchant_id = found?.data[0]?.merchant_id ?? ''
const { data: menu } = await dray.GET('/v1/food/merchants/{merchant_id}/menu', { params: { path: { merchant_id } } })
const body = cart(merchant_id, menu?.categories[0]?.items[0]?.item_id)
const { data: quote } = await dray.POST('/v1/food/orders/quote', { body: { ...body, items: [...body.items] } })
const place = (key: string) =>
  dray.POST('/v1/food/orders', { params: { header: { 'Idempotency-Key': key } }, body: paid(quote?.quote_id) })
const { data: order } = await place('fetch-1')
assert.deepEqual(order?.total, quote?.total)
const { order_id = '' } = order ?? {}
const { data: read } = await dray.GET('/v1/food/orders/{order_id}', { params: { path: { order_id } } })
assert.equal(read?.status, 'placed')
// @ts-expect-error no order has this status
read.status satisfies 'baked'
const { error } = await place('fetch-2')
assert.equal(error?.code, 'quote_already_used')
// @ts-expect-error no refusal of this call has this code
if (error.code === 'shipment_not_found') throw error
const { data: before } = await sandbox.PUT('/sandbox/clock', { body: { mode: 'frozen' } })
const { data: after } = await sandbox.POST('/sandbox/clock/advance', { body: { by: '1h' } })
hourBetween(before?.now, after?.now)
const { error: nobody } = await sandbox.GET('/sandbox/wallet/{account}', { params: { path: { account: 'nobody' } } })
assert.equal(nobody?.code, 'account_not_found')
`

const HEY = `import { client } from './hey-interface/client.gen'
import { getFoodOrder, getRestaurantMenu, placeFoodOrder, quoteFoodOrder, searchRestaurants } from './hey-interface'
import { client as controls } from './hey-sandbox/client.gen'
import { advanceClock, getWallet, setClock } from './hey-sandbox'
${START}
client.setConfig({ baseUrl, auth: token })
controls.setConfig({ baseUrl, auth: control })
const { data: found } = await searchRestaurants({ query: near })
const merchant_id = found?.data[0]?.merchant_id ?? ''
const { data: menu } = await getRestaurantMenu({ path: { merchant_id } })
const body = cart(merchant_id, menu?.categories[0]?.items[0]?.item_id)
const { data: quote } = await quoteFoodOrder({ body: { ...body, items: [...body.items] } })
const place = (key: string) =>
  placeFoodOrder({ headers: { 'Idempotency-Key': key }, body: paid(quote?.quote_id) })
const { data: order } = await place('hey-1')
assert.deepEqual(order?.total, quote?.total)
const { data: read } = await getFoodOrder({ path: { order_id: order?.order_id ?? '' } })
assert.equal(read?.status, 'placed')
// @ts-expect-error no order has this status
read.status satisfies 'baked'
const { error } = await place('hey-2')
assert.equal(error?.code, 'quote_already_used')
// @ts-expect-error no refusal of this call has this code
if (error.code === 'shipment_not_found') throw error
const { data: before } = await setClock({ body: { mode: 'frozen' } })
const { data: after } = await advanceClock({ body: { by: '1h' } })
hourBetween(before?.now, after?.now)
const { error: nobody } = await getWallet({ path: { account: 'nobody' } })
assert.equal(nobody?.code, 'account_not_found')
`

const ORVAL = `import { getFoodOrder, getRestaurantMenu, placeFoodOrder, quoteFoodOrder, searchRestaurants } from './orval-interface'
import { advanceClock, getWallet, setClock } from './orval-sandbox'
${START}
const as = (bearer: string) => ({ headers: { Authorization: \`Bearer \${bearer}\` } })
const found = await searchRestaurants(near, as(token))
assert.equal(found.status, 200)
const merchant_id = found.data.data[0]?.merchant_id ?? ''
const menu = await getRestaurantMenu(merchant_id, undefined, as(token))
assert.equal(menu.status, 200)
const body = cart(merchant_id, menu.data.categories[0]?.items[0]?.item_id)
const quote = await quoteFoodOrder({ ...body, items: [...body.items] }, as(token))
assert.equal(quote.status, 200)
const place = (key: string) =>
  placeFoodOrder(paid(quote.data.quote_id), { headers: { ...as(token).headers, 'Idempotency-Key': key } })
const order = await place('orval-1')
assert.equal(order.status, 201)
assert.deepEqual(order.data.total, quote.data.total)
const read = await getFoodOrder(order.data.order_id, undefined, as(token))
assert.equal(read.status, 200)
assert.equal(read.data.status, 'placed')
// @ts-expect-error no order has this status
read.data.status satisfies 'baked'
const refused = await place('orval-2')
assert.equal(refused.status, 409)
assert.equal(refused.data.code, 'quote_already_used')
// @ts-expect-error no refusal of this call has this code
if (refused.data.code === 'shipment_not_found') throw refused
const before = await setClock({ mode: 'frozen' }, as(control))
assert.equal(before.status, 200)
const after = await advanceClock({ by: '1h' }, as(control))
assert.equal(after.status, 200)
hourBetween(before.data.now, after.data.now)
const nobody = await getWallet('nobody', as(control))
assert.equal(nobody.status, 404)
assert.equal(nobody.data.code, 'account_not_found')
`

/** Each generator: its story, and the line that generates a client from the document NAME. */
const CLIENTS: readonly [name: string, story: string, line: string][] = [
  // Fields with a default are optional in requests.
  ['openapi-typescript', FETCH, 'openapi-typescript NAME.json -o NAME.ts --default-non-nullable=false'],
  [
    'hey-api',
    HEY,
    'openapi-ts -i NAME.json -o hey-NAME -p @hey-api/typescript @hey-api/sdk @hey-api/client-fetch',
  ],
  ['orval', ORVAL, 'orval --config orval-NAME.config.mjs'],
]

test.each(CLIENTS)(
  'a client by %s compiles strictly and plays its story',
  { timeout: 600_000 },
  async (name, story, line) => {
    const bin = (root: string, tool: string): string => join(root, 'node_modules/.bin', tool)
    for (const document of ['interface', 'sandbox']) {
      const output = { target: `./orval-${document}.ts`, client: 'fetch', baseUrl: words[0] }
      const config = `export default { dray: { input: './${document}.json', output: ${JSON.stringify(output)} } }\n`
      await writeFile(join(project, `orval-${document}.config.mjs`), config)
      const [tool = '', ...rest] = line.replaceAll('NAME', document).split(' ')
      await execa(bin(project, tool), rest, { cwd: project })
    }
    await writeFile(join(project, `${name}.ts`), story)
    const modules =
      '--module preserve --moduleResolution bundler --allowImportingTsExtensions --target esnext'
    const strict = `--noEmit --ignoreConfig --strict --noUncheckedIndexedAccess ${modules} --types node`
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types')]
    await execa(bin(ROOT, 'tsc'), [...strict.split(' '), ...types, `${name}.ts`], { cwd: project })
    await execa(bin(ROOT, 'rolldown'), [`${name}.ts`, '--platform', 'node', '-o', `${name}.mjs`], {
      cwd: project,
    })
    const { exitCode } = await execa(process.execPath, [`${name}.mjs`, ...words], { cwd: project })
    recordTally({ tries: 1 })
    expect(exitCode).toBe(0)
  },
)
