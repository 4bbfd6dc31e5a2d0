/** Makes the pictures of the README from the built program: `npm run pictures`. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Browser } from 'playwright-core'
import { ensureChromium, startBrowser } from './chromium.ts'
import { ROOT } from './sources.ts'
import { makeWorkFolder } from './work-folder.ts'

const PICTURES = join(ROOT, 'docs/pictures')
/** In pixels; a picture stands in the README at half of its width. */
const SIZE = { width: 1400, height: 760 }

const home = makeWorkFolder().path
/** Each run shows the same world at the same moment. */
const env = { DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00Z', TZ: 'Europe/London' }
const dray = (...words: string[]) =>
  execa(process.execPath, [join(ROOT, 'bin/dray.js'), ...words], { cwd: home, env, stdin: 'ignore' })

/** Orders of a busy noon: the dishes, and how far the store is with each. */
const ORDERS = [
  { items: ['Pad Thai x2 + Chicken + Hot'], moves: ['accept', 'prepare', 'ready'] },
  { items: ['Pad Thai + Tofu + Mild'], moves: ['accept', 'prepare'] },
  { items: ['Pad Thai x3 + Prawn + Hot'], moves: ['accept'] },
  { items: ['Pad Thai + Chicken + Medium'], moves: [] },
]

mkdirSync(PICTURES, { recursive: true })
await drawLabel()
await makeOrders()
await using browser = await startBrowser(await ensureChromium())
await takePicture(browser, 'kitchen', 'owner')
// Couriers are on their way now.
await dray('sandbox', 'clock', 'advance', '4m')
await takePicture(browser, 'world', 'member')

async function drawLabel(): Promise<void> {
  await dray('carrier', 'upload', join(ROOT, 'examples/manifest.csv'), '--yes', '--results', 'none')
  const label = join(PICTURES, 'label.png')
  await dray('carrier', 'label', 'B-2045', '--dpi', '203', '--out', label, '--force')
}

async function makeOrders(): Promise<void> {
  const order =
    'food|order|Lime Street Noodles|--fulfillment|delivery|--yes|--max-total|90|--as|member|--quiet'
  const to = ['--to', '12 Finsbury Square, London EC2A 1AN', '--query', 'display_number']
  for (const { items, moves } of ORDERS) {
    const dishes = items.flatMap((item) => ['--item', item])
    const { stdout } = await dray(...order.split('|'), ...to, ...dishes)
    for (const move of moves) await dray('business', 'orders', move, stdout, '--as', 'owner')
  }
}

/** Opens a page by its link, as a person does, and keeps what it shows once it hears of changes. */
async function takePicture(browser: Browser, page: string, account: string): Promise<void> {
  const service = dray('open', page, '--as', account, '--no-browser', '--quiet')
  const [link] = await once(service.stdout, 'data')
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce', timezoneId: env.TZ })
  const tab = await context.newPage()
  await tab.goto(/http\S+/.exec(String(link))?.[0] ?? '')
  await tab.locator('.hearing.live').waitFor()
  await tab.screenshot({ path: join(PICTURES, `${page}.png`) })
  await context.close()
  service.kill('SIGTERM')
  await service.catch(() => undefined)
}
