/** The parts of the world page that need no browser. */
import { expect, test } from 'vitest'
import { HEIGHT, place, whereIs, WIDTH } from '../../src/web/world/draw.ts'
import { type Person, timeOf } from '../../src/web/world/people.ts'
import { clockText, eventText, jobText, momentText, thingText, untilText } from '../../src/web/world/words.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const after = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString()
const [BANK, ANGEL] = [
  { latitude: 51.5133, longitude: -0.0886 },
  { latitude: 51.5322, longitude: -0.1058 },
]

const courier: Person = {
  person_id: 'cou_1',
  crew: 'courier',
  name: 'Ada',
  vehicle: 'bicycle',
  at: BANK,
  job: {
    resource_id: 'del_00000abcde',
    kind: 'delivery',
    order_id: null,
    account_id: 'cus_1',
    status: 'picked_up',
    from: 'Bank',
    to: 'Angel',
    leg: { path: [BANK, ANGEL], starts_at: after(0), ends_at: after(10) },
    next: { event: 'arrived_at_dropoff', due_at: after(10) },
  },
}

test('somebody on the way is halfway at half the time, and stays where the way ends', () => {
  const [from, to] = [place(BANK), place(ANGEL)]
  expect(whereIs(courier, NOON - 60_000).spot).toEqual(from)
  const { spot, way } = whereIs(courier, NOON + 300_000)
  expect(spot.x).toBeCloseTo((from.x + to.x) / 2, 0)
  expect(spot.y).toBeCloseTo((from.y + to.y) / 2, 0)
  expect(way.at(-1)).toEqual(to)
  expect(whereIs(courier, NOON + 900_000)).toEqual({ spot: to, way: [] })
  expect(whereIs({ ...courier, job: null }, NOON)).toEqual({ spot: from, way: [] })
})

test('the north is above, the east is to the right, and both places are on the map', () => {
  const [bank, angel] = [place(BANK), place(ANGEL)]
  expect(angel.y).toBeLessThan(bank.y)
  expect(angel.x).toBeLessThan(bank.x)
  expect(bank.x > 0 && bank.x < WIDTH && bank.y > 0 && bank.y < HEIGHT).toBe(true)
})

test('times are those of London, and say how long there is', () => {
  expect(clockText(Date.parse('2026-07-01T12:04:31Z'))).toBe('13:04:31')
  expect(momentText(after(4), NOON)).toBe('12:04')
  expect(momentText(after(24 * 60), NOON)).toBe('Sat 21 Nov, 12:00')
  const spans = [-1, 0, 0.5, 12, 100, 180, 20 * 1440].map((minutes) => untilText(after(minutes), NOON))
  expect(spans).toEqual(['now', 'now', 'in 30 s', 'in 12 min', 'in 2 h', 'in 3 h', 'in 20 days'])
})

test('what somebody does and what happened read as sentences', () => {
  expect(jobText(courier, NOON)).toBe('Bank → Angel, arrives 12:10')
  expect(jobText(courier, NOON + 900_000)).toBe('Bank → Angel, picked up')
  expect(jobText({ ...courier, job: null }, NOON)).toBe('Available')
  expect(thingText('shipment', 'ZC968043370GB')).toBe('Parcel ZC968043370GB')
  const event = { seq: 1, occurred_at: after(0), owner_id: 'cus_1', from: null, to: 'picked_up' }
  expect(eventText({ ...event, type: 'delivery.picked_up', resource_id: 'del_00000abcde' })).toEqual({
    thing: 'Delivery …abcde',
    did: 'picked up',
  })
})

test('the clock of the page runs as that of the sandbox does', () => {
  const clock = { now: after(0), factor: 60, next_due_at: null }
  const rates = (['frozen', 'offset', 'real', 'scaled'] as const).map(
    (mode) => timeOf({ clock: { ...clock, mode } }).rate,
  )
  expect(rates).toEqual([0, 1, 1, 60])
})
