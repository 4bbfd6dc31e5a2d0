/**
 * Measures the pages of the service: what a browser fetches and how soon it shows it, and a thousand pages that are
 * open at once. Linux only: it reads `/proc`, and starts Debian's Chromium.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureChromium, startBrowser } from '../test/support/chromium.ts'
import { listCalls, requests, type ServiceAddress } from './calls.ts'
import { count, type FigureLine, median, formatShare, type FigureTable } from './figures.ts'
import { measureLoad } from './load.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import type { Homes } from './startup.ts'

const BARE = join(import.meta.dirname, 'bare-server.ts')
const ROUNDS = 5
const OPEN = 1000
const CONNECTIONS = 32
/** The line of a page that hears the service. */
const SHOWN = '.hearing.live'

/** Measures each page beside a page of one line, then a thousand open ones. */
export async function measurePages({ folder, full }: Homes, seconds: number): Promise<FigureTable[]> {
  const home = join(folder, 'pages')
  cpSync(full, home, { recursive: true })
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet'))
  try {
    const ask = async <T>(...words: string[]): Promise<T> =>
      JSON.parse((await runChild(dray(home, ...words, '--json'))).stdout) as T
    const { token } = await ask<{ token: string }>('sandbox', 'account', 'token', 'everything')
    const place = { url: service.url, token }
    return [await paintTable(folder, home, place, ask), await openTable(service, place, ask, seconds)]
  } finally {
    await service.stop()
  }
}

/** Resolves with the time of the first content on the screen. */
const PAINTED = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
}).observe({ type: 'paint', buffered: true }))`

type Ask = <T>(...words: string[]) => Promise<T>

async function paintTable(
  folder: string,
  home: string,
  place: ServiceAddress,
  ask: Ask,
): Promise<FigureTable> {
  const empty = join(folder, 'empty-page.json')
  const body = '<!doctype html><title>Empty</title><p class="hearing live">Nothing to see</p>'
  writeFileSync(empty, JSON.stringify({ headers: { 'content-type': 'text/html' }, body }))
  const bare = await startService({ args: [BARE, empty], home })
  const browser = await startBrowser(await ensureChromium())
  try {
    const linkOf = async (page: string, as: string): Promise<string> =>
      (await ask<{ link: string }>('open', page, '--no-browser', '--as', as)).link
    const shared = (await ask<{ link: string }>('share', await firstParcel(place), '--as', 'everything')).link
    const pages: Record<string, () => Promise<string>> = {
      'a page of one line, bare node:http': () => Promise.resolve(bare.url),
      kitchen: () => linkOf('kitchen', 'owner'),
      'parcels, of 10,000': () => linkOf('parcels', 'everything'),
      world: () => linkOf('world', 'everything'),
      'track, by a shared link': () => Promise.resolve(shared),
    }
    const seen: PageMeasurement[] = []
    for (let round = 0; round < ROUNDS; round++)
      for (const [what, link] of Object.entries(pages))
        seen.push({ what, ...(await see(browser, await link())) })
    const of = (what: string, pick: (one: PageMeasurement) => number): number =>
      median(seen.filter((one) => one.what === what).map(pick))
    const base = of(Object.keys(pages)[0] ?? '', ({ paint }) => paint)
    return {
      title: `Pages in a new browser, median of ${ROUNDS}`,
      heads: ['requests', 'kB', 'kB gzipped', 'first paint ms', 'ratio', 'live ms'],
      lines: Object.keys(pages).map((what) => ({
        what,
        cells: [
          count(of(what, ({ requests: asked }) => asked)),
          of(what, ({ bytes }) => bytes / 1000).toFixed(1),
          of(what, ({ gzipped }) => gzipped / 1000).toFixed(1),
          count(of(what, ({ paint }) => paint)),
          (of(what, ({ paint }) => paint) / base).toFixed(2),
          count(of(what, ({ live }) => live)),
        ],
      })),
    }
  } finally {
    await browser.close()
    await bare.stop()
  }
}

type PageMeasurement = {
  what: string
  requests: number
  bytes: number
  gzipped: number
  paint: number
  live: number
}
type Browser = Awaited<ReturnType<typeof startBrowser>>

/** Opens a page as somebody who was never there. A link that signs in leads to it, and that answer counts too. */
async function see(browser: Browser, link: string): Promise<Omit<PageMeasurement, 'what'>> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const bodies: Promise<Buffer>[] = []
  page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream') ?? false
    if (!isStream && response.status() === 200) bodies.push(response.body())
  })
  const started = performance.now()
  await page.goto(link)
  await page.locator(SHOWN).first().waitFor({ timeout: 20_000 })
  const live = performance.now() - started
  const paint = (await page.evaluate(PAINTED)) as number
  page.removeAllListeners('response')
  const read = await Promise.all(bodies)
  await page.goto('about:blank')
  await context.close()
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
  return {
    requests: read.length,
    bytes: sum(read.map(({ length }) => length)),
    gzipped: sum(read.map((bytes) => gzipSync(bytes).length)),
    paint,
    live,
  }
}

async function firstParcel({ url, token }: ServiceAddress): Promise<string> {
  const listed = await fetch(`${url}/v1/shipments?limit=1`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await listed.json()) as { data: { tracking_number: string }[] }
  return data[0]?.tracking_number ?? ''
}

/** Opens a thousand pages that listen, lets something happen, and reads from the service in the meantime. */
async function openTable(
  service: BenchService,
  place: ServiceAddress,
  ask: Ask,
  seconds: number,
): Promise<FigureTable> {
  const calls = await listCalls(place)
  const read = calls.find(({ name }) => name === 'get_membership_status')
  const create = calls.find(({ name }) => name === 'create_shipment')
  if (read === undefined || create?.body === undefined)
    throw new Error('a call of the measurement is missing')
  const load = { connections: CONNECTIONS, seconds, url: place.url, request: requests(place, read) }
  // The first requests compile the service's code.
  await measureLoad(load)
  const quiet = await measureLoad(load)
  const before = residentMb(service)
  const { link } = await ask<{ link: string }>('open', 'parcels', '--no-browser', '--as', 'everything')
  const cookie = await signIn(link)
  const pages = await Promise.all(Array.from({ length: OPEN }, () => listenTo(place.url, cookie)))
  const lines: FigureLine[] = []
  try {
    const opened = residentMb(service)
    const told: number[] = []
    const spread: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const heard = pages.map((page) => page.next())
      const started = performance.now()
      const created = await fetch(`${place.url}/v1/shipments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${place.token}`,
          'content-type': 'application/json',
          'idempotency-key': `pages-${round}`,
        },
        body: create.body.replace('bench00000000', `pages-${round}`),
      })
      if (!created.ok) throw new Error(await created.text())
      const times = await Promise.all(heard)
      told.push(Math.max(...times) - started)
      spread.push(Math.max(...times) - Math.min(...times))
    }
    const busy = await measureLoad(load)
    lines.push({
      what: `${count(OPEN)} pages`,
      cells: [
        `${count(before)} → ${count(opened)}`,
        count(median(told)),
        count(median(spread)),
        count(quiet),
        count(busy),
        formatShare(busy, quiet),
      ],
    })
  } finally {
    for (const page of pages) page.close()
  }
  return {
    title: 'Open pages, one service',
    heads: ['MB before → open', 'ms to tell all', 'first to last', 'reads/s without', 'with', 'share'],
    lines,
    notes: [
      'The service asks its store once a second for all pages; that second is in the time to tell all.',
    ],
  }
}

async function signIn(link: string): Promise<string> {
  const opened = await fetch(link, { redirect: 'manual' })
  return (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

type PageListener = {
  /** Resolves with the time at which the next change arrives. */
  next(): Promise<number>
  close(): void
}

async function listenTo(url: string, cookie: string): Promise<PageListener> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, 'dray-page': 'parcels', 'sec-fetch-site': 'same-origin' }
    get(`${url}/pages/events?page=parcels`, { agent: false, headers }, resolve).once('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`a page was refused: ${response.statusCode}`)
  let waiting: ((time: number) => void) | undefined
  response.on('error', () => {})
  response.on('data', (bytes: Buffer) => {
    if (bytes.includes('event: change')) waiting?.(performance.now())
  })
  return {
    next: () => new Promise((resolve) => (waiting = resolve)),
    close: () => response.destroy(),
  }
}

function residentMb({ pid }: BenchService): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
