/** The page of a shared link in a real browser: on a phone, for somebody without an account. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { openTestBrowser } from '../support/browser.ts'
import { DESK, listPageProblems, saveScreenshots, PHONE } from '../support/screenshots.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { makeOneOfEach, SHARED, SHARED_KINDS, type SharedKind } from '../support/shared.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

let browser: Browser
let context: BrowserContext
let served: ServedStore
let world: TestSandbox
let ids: Record<SharedKind, string>
const complaints: string[] = []

// The first run on a machine installs the browser.
beforeAll(async () => {
  ;[browser, served] = await Promise.all([openTestBrowser(), serveStore({ registry })])
  world = sandboxOverStore(served.db)
  ids = await makeOneOfEach(world)
  context = await browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' })
  context.setDefaultTimeout(0)
}, 400_000)

afterAll(() => browser.close())

async function share(kind: SharedKind): Promise<string> {
  const made = await fetch(`${served.url}/v1/shared-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await served.token(SHARED[kind].as)}` },
    body: JSON.stringify({ resource_id: ids[kind] }),
  })
  return served.url + ((await made.json()) as { path: string }).path
}

async function open(link: string): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(served.url)) complaints.push(`asked ${request.url()}`)
  })
  await page.goto(link)
  await page.locator('.hearing.live').waitFor()
  return page
}

/** The names of the map that meet another name or a mark, or are cut by its edge. */
const MEETINGS = `(() => {
  const box = (one) => one.getBoundingClientRect()
  const edge = box(document.querySelector('.map svg'))
  const names = [...document.querySelectorAll('.map text')]
  const marks = [...document.querySelectorAll('.map rect, .map .door, .map .mover')]
  const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  const isIn = ({ left, right, top, bottom }) =>
    left >= edge.left && right <= edge.right && top >= edge.top && bottom <= edge.bottom
  return names.flatMap((name, at) => [
    ...(isIn(box(name)) ? [] : [name.textContent + ' is cut']),
    ...[...names.slice(at + 1), ...marks].filter((other) => meets(box(name), box(other))).map(({ outerHTML }) => name.textContent + ' meets ' + outerHTML),
  ])
})()`

const state = (page: Page, words: string) => page.getByRole('heading', { level: 1, name: words, exact: true })

test('a delivery is followed to the door, and its link withdrawn', async () => {
  const page = await open(await share('delivery'))
  await state(page, 'Looking for a courier').waitFor()
  await saveScreenshots(page, 'delivery-new', [PHONE, DESK])

  // The clock of the service moves; the page hears of it.
  const until = async (status: string): Promise<void> => {
    for (let step = 0; step < 200; step++) {
      const run = await world.ok('get_delivery', { delivery_id: ids.delivery }, { as: 'member' })
      if (run.status === status) return
      await world.advance(60_000)
    }
    throw new Error(`it never was ${status}`)
  }
  await until('picked_up')
  await state(page, 'On its way').waitFor()
  const mover = page.locator('.mover')
  await mover.waitFor()
  // The ground says where in town that is.
  await page.locator('.map').getByText('Liverpool Street').waitFor()
  expect(await page.evaluate(MEETINGS)).toEqual([])
  await saveScreenshots(page, 'delivery-moving', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  const before = (await page.getByRole('figure').textContent()) ?? ''
  await world.advance(60_000)
  await page.locator('figure', { hasNotText: before }).waitFor()

  await until('delivered')
  await state(page, 'Delivered').waitFor()
  const photo = page.getByRole('img', { name: 'Photo of the delivery' })
  await photo.waitFor()
  await saveScreenshots(page, 'delivery-done', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  expect(complaints).toEqual([])

  await fetch(`${served.url}/v1/shared-links/${ids.delivery}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await served.token('member')}` },
  })
  await state(page, 'This link does not work').waitFor()
  await page.reload()
  await state(page, 'This link does not work').waitFor()
  await saveScreenshots(page, 'gone', [PHONE, DESK])
  await page.close()
  complaints.length = 0
})

test('a task that is done shows the photos of its evidence', async () => {
  const page = await open(await share('task'))
  for (let minute = 0; minute < 180; minute++) {
    if ((await world.ok('get_task', { task_id: ids.task }, { as: 'member' })).status === 'completed') break
    await world.advance(60_000)
  }
  await state(page, 'Completed').waitFor()
  await page.getByRole('heading', { name: 'Evidence' }).waitFor()
  const photos = page.getByRole('img', { name: /^Photo \d of the task$/ })
  await photos.nth(1).waitFor()
  const widths = await photos.evaluateAll((all) =>
    Promise.all(
      all.map(
        async (each) => (await (each as HTMLImageElement).decode(), (each as HTMLImageElement).naturalWidth),
      ),
    ),
  )
  expect(widths.every((width) => width > 0)).toBe(true)
  await saveScreenshots(page, 'task-done', [PHONE, DESK])
  expect(await listPageProblems(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.close()
})

test('each kind has a page; one that lost its service says so, and finds back', async () => {
  for (const kind of SHARED_KINDS.filter((each) => each !== 'delivery')) {
    const page = await open(await share(kind))
    await saveScreenshots(page, kind, [PHONE, DESK])
    expect({ kind, faults: await listPageProblems(page) }).toEqual({ kind, faults: [] })
    expect(complaints).toEqual([])
    if (kind === 'task') {
      await served.restart(async () => {
        await page.getByRole('alert').waitFor()
        await saveScreenshots(page, 'lost', [PHONE, DESK])
      })
      await page.getByRole('alert').waitFor({ state: 'detached' })
      complaints.length = 0
    }
    await page.close()
  }
})
