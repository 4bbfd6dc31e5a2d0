/** A shop's page behind a dev server at another port calls the service from a real browser, with `dray/client`. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { afterFile } from '../support/after-file.ts'
import { openTestBrowser } from '../support/browser.ts'
import { visit } from '../support/page-links.ts'
import { builtProgram } from '../support/program.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { ROOT } from '../support/sources.ts'

let browser: Browser
let shop: string
let served: ServedStore
let closed: ServedStore

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([openTestBrowser(), serveShop(), builtProgram()])
  served = await serveStore({ registry, allowedOrigins: [shop] })
  closed = await serveStore({ registry })
}, 400_000)

afterAll(() => browser.close())

/** Serves a page and the built client, as the dev server of a shop does. Returns its origin. */
async function serveShop(): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.mjs'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? readFileSync(join(ROOT, 'dist/client.mjs')) : '<!doctype html><title>Shop</title>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => new Promise((resolve) => server.close(resolve)))
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function openShop(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(shop)
  return page
}

/** Runs the body of a function in the page. It has `createClient` and `DrayError` of the client, `url` and `token`. */
async function run(page: Page, { url }: ServedStore, token: string, body: string): Promise<unknown> {
  return page.evaluate(
    `(async (url, token) => { const { createClient, DrayError } = await import('/client.mjs'); ${body} })(...${JSON.stringify([url, token])})`,
  )
}

const READ_BACK = `
  const client = createClient({ baseUrl: url, token })
  const quote = await client.quoteRide({ pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } })
  const refusal = await client.refused('get_ride', { ride_id: 'rid_00000000000000000000000000' })
  return [quote.quote_id.slice(0, 4), refusal instanceof DrayError, refusal.code, refusal.status]`

test('a page of an allowed origin quotes a ride and reads a refusal, with the token that it has', async () => {
  const page = await openShop()
  const token = await served.token('everything')
  expect(await run(page, served, token, READ_BACK)).toEqual(['quo_', true, 'ride_not_found', 404])
})

test('without the flag a page reads no answer, but the descriptions of the API', async () => {
  const page = await openShop()
  const tried = `
    const client = createClient({ baseUrl: url, token, timeoutMs: 50 })
    const failed = await client.listRides().catch((error) => error.code)
    const described = await Promise.all(['/openapi.json', '/llms.txt'].map((path) => fetch(url + path).then((r) => r.status)))
    return [failed, ...described]`
  expect(await run(page, closed, await closed.token('everything'), tried)).toEqual([
    'network_error',
    200,
    200,
  ])
})

test('a page of an allowed origin cannot use the session of the person who sits at the browser', async () => {
  const page = await openShop()
  const { cookie } = await visit(served, 'owner')
  const [name = '', value = ''] = cookie.split('=')
  // Cookies know no ports: the browser sends this one from the page of the shop, too.
  await page.context().addCookies([{ name, value, domain: '127.0.0.1', path: '/' }])
  const tried = `
    const read = (path, init) => fetch(url + path, { credentials: 'include', ...init }).then((r) => r.status, () => 'unreadable')
    return [
      await read('/v1/business/orders'),
      await read('/pages/call/list_business_orders', { method: 'POST', body: '{}', headers: { 'dray-page': 'kitchen' } }),
      await read('/kitchen'),
    ]`
  expect(await run(page, served, '', tried)).toEqual(['unreadable', 'unreadable', 'unreadable'])
})
