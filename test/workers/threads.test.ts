/** Threads beside a service: what they draw, and how one that ends concerns its own caller only. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { renderLabelsInWorker, type LabelWork } from '../../src/workers/labels.ts'
import { runInWorker } from '../../src/workers/pool.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox } from '../support/world.ts'

async function makeLabel(): Promise<LabelWork> {
  const world = await openTestSandbox()
  const parcel = await world.ok('create_shipment', makeParcel())
  return { title: 'A label', parcels: [parcel], size: '4x6', start: 1, format: 'pdf', dpi: 300 }
}

/** No time passes: a job waits for a thread as long as a busy machine takes to start one. */
function freezeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('a thread that ends answers its own caller with an error; others get what they asked for', async () => {
  freezeTimers()
  const label = await makeLabel()
  const [drawn, broken, unknown, other] = await Promise.allSettled([
    renderLabelsInWorker(label, 'one'),
    // A drawing without a sheet is a bug of the caller.
    renderLabelsInWorker({ ...label, parcels: [] }, 'two'),
    runInWorker({ work: 'none', input: undefined, caller: 'three' }),
    renderLabelsInWorker({ ...label, format: 'png' }, 'four'),
  ])
  expect([drawn.status, broken.status, unknown.status, other.status]).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
  ])
  expect(String.fromCharCode(...(await renderLabelsInWorker(label, 'one')).slice(0, 4))).toBe('%PDF')
})

test('too many drawings of one caller are refused, and neither hold up nor shut out that of another', async () => {
  freezeTimers()
  const label = await makeLabel()
  const ended: string[] = []
  const draw = (caller: string): Promise<unknown> =>
    renderLabelsInWorker(label, caller).then(
      () => ended.push(caller),
      (error: { code?: string }) => ended.push(String(error.code)),
    )
  // Both threads are there.
  await Promise.all([draw('warm'), draw('up')])
  const many = Array.from({ length: 80 }, () => draw('many'))
  await draw('few')
  expect(ended.filter((end) => end === 'many').length).toBeLessThan(40)
  await Promise.all(many)
  expect(new Set(ended)).toEqual(new Set(['warm', 'up', 'few', 'many', 'service_unavailable']))
})

test('who waits behind two held threads is refused after ten seconds, and those at work go on', async () => {
  const label = await makeLabel()
  freezeTimers()
  const ended = Promise.allSettled(
    ['one', 'two', 'three'].map((caller) => renderLabelsInWorker(label, caller)),
  )
  vi.advanceTimersByTime(10_000)
  expect((await ended).map((end) => (end.status === 'rejected' ? end.reason : end.status))).toEqual([
    'fulfilled',
    'fulfilled',
    expect.objectContaining({ code: 'service_unavailable' }),
  ])
})

test('an input that no thread can take fails its own job, and leaves no timer behind', async () => {
  freezeTimers()
  const uncopied = (): void => {}
  const input = runInWorker({ work: 'labels', input: uncopied, caller: 'five' })
  await expect(input).rejects.toThrow('could not be cloned')
  expect(vi.getTimerCount()).toBe(0)
})
