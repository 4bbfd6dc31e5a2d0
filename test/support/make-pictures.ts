/** Makes the pictures of the README from the built program: `npm run pictures`. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Browser, Page } from 'playwright-core'
import { sha256Hex } from '../../src/core/hash.ts'
import { ensureChromium, startBrowser } from './chromium.ts'
import { ROOT } from './sources.ts'
import { makeWorkFolder } from './work-folder.ts'

const PICTURES = join(ROOT, 'docs/pictures')
const RECORD = join(ROOT, 'test/support/pictures.json')
/** In pixels; a picture is in the README at half of its width. */
const SIZE = { width: 1400, height: 760 }

const home = makeWorkFolder().path
/** Each run shows the same world at the same moment. */
const env = { DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00Z', TZ: 'Europe/London' }
const dray = (...words: string[]) =>
  execa(process.execPath, [join(ROOT, 'bin/dray.js'), ...words], { cwd: home, env, stdin: 'ignore' })

/** Orders of a busy noon: who orders, the dishes, how far the store is with each, and the minutes until the next one. */
const ORDERS = [
  {
    by: 'everything',
    items: ['Khao Soi x2 + Chicken + Medium', 'Chicken Satay'],
    moves: ['accept', 'prepare', 'ready'],
  },
  {
    by: 'member',
    items: ['Pad Thai x2 + Prawn + Hot', 'Summer Rolls'],
    moves: ['accept', 'prepare', 'ready'],
  },
  {
    by: 'everything',
    items: ['Green Curry x3 + Tofu + Mild', 'Corn Fritters'],
    moves: ['accept', 'prepare'],
  },
  { by: 'member', items: ['Drunken Noodles + Chicken + Hot', 'Prawn Crackers x2'], moves: ['accept'] },
  { by: 'everything', items: ['Pad Thai + Tofu + Medium', 'Chicken Satay x2'], moves: ['accept'] },
  { by: 'member', items: ['Khao Soi + Tofu + Mild', 'Thai Iced Tea x2 + Oat'], moves: [] },
  { by: 'everything', items: ['Green Curry + Chicken + Hot', 'Summer Rolls x2'], moves: [] },
] as const

/** Jobs of other kinds, whose people the map shows on their way. */
const JOBS = [
  'rides request --from kings-cross --to bank --tier economy --as member',
  'rides request --from paddington --to soho --tier economy --as everything',
  'delivery request --from shoreditch --to leadenhall-market --what Keys --from-name Ana --to-name Ravi --as member',
]

/** By its page, whom a picture shows it, and what has to be on the page before the picture is taken. */
const SHOWN = {
  kitchen: {
    account: 'owner',
    // The browser allows sound after a tap. Orders on the way have a tab of their own.
    async isThere(tab: Page) {
      await tab.getByRole('button', { name: 'Start with sound' }).click()
      await tab
        .locator('article')
        .nth(ORDERS.filter(({ moves }) => moves.length < 3).length - 1)
        .waitFor()
      await tab.locator('.notice').waitFor({ state: 'detached' })
    },
  },
  world: {
    account: 'member',
    isThere: (tab: Page) =>
      tab.getByRole('img', { name: /Map of London: \d+ people, [1-9]\d* of them at work/ }).waitFor(),
  },
} as const

/** What each picture shows, as `test/pictures.test.ts` checks it: the bytes of the picture, and the words of its page. */
const record: Record<string, { sha256: string; words: string[] }> = {}

mkdirSync(PICTURES, { recursive: true })
await makeLabelPicture()
await makeOrders()
await using browser = await startBrowser(await ensureChromium())
await makePagePicture(browser, 'kitchen')
for (const job of JOBS) await dray(...job.split(' '), '--yes', '--max-total', '60', '--quiet')
// Couriers and drivers are on their way now.
await dray('sandbox', 'clock', 'advance', '3m')
await makePagePicture(browser, 'world')
writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`)

async function makeLabelPicture(): Promise<void> {
  await dray('carrier', 'upload', join(ROOT, 'examples/manifest.csv'), '--yes', '--results', 'none')
  const label = join(PICTURES, 'label.png')
  await dray('carrier', 'label', 'B-2045', '--dpi', '203', '--out', label, '--force')
}

async function makeOrders(): Promise<void> {
  const order = 'food|order|Lime Street Noodles|--fulfillment|delivery|--yes|--max-total|90|--quiet'
  const to = ['--to', '12 Finsbury Square, London EC2A 1AN', '--query', 'display_number']
  for (const { by, items, moves } of ORDERS) {
    const dishes = items.flatMap((item) => ['--item', item])
    const { stdout } = await dray(...order.split('|'), ...to, ...dishes, '--as', by)
    for (const move of moves) await dray('business', 'orders', move, stdout, '--as', 'owner')
    await dray('sandbox', 'clock', 'advance', '1m')
  }
}

/** Opens a page by its link, as a person does, and keeps what it shows once its content is there and it hears of changes. */
async function makePagePicture(browser: Browser, page: keyof typeof SHOWN): Promise<void> {
  const { account, isThere } = SHOWN[page]
  const service = dray('open', page, '--as', account, '--no-browser', '--quiet')
  const [link] = await once(service.stdout, 'data')
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce', timezoneId: env.TZ })
  const tab = await context.newPage()
  await tab.goto(/http\S+/.exec(String(link))?.[0] ?? '')
  await tab.locator('.hearing.live').waitFor()
  await isThere(tab)
  const bytes = await tab.screenshot({ path: join(PICTURES, `${page}.png`) })
  const words = await tab.evaluate<string>(
    "[...document.querySelectorAll('#page, #page [aria-label]')].map((one) => one.getAttribute('aria-label') ?? one.innerText).join('\\n')",
  )
  record[page] = { sha256: sha256Hex(bytes), words: words.split(/\n+/).filter((line) => line.trim() !== '') }
  await context.close()
  service.kill('SIGTERM')
  await service.catch(() => undefined)
}
