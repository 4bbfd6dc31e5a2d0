/** The state that a shared page knows, in plain words, with nothing of a person that the door does not need. */
import { beforeAll, describe, expect, test } from 'vitest'
import { PRESENTERS } from '../../../src/areas/presenters.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { type AnyPresenter, presentResource } from '../../../src/core/presenter.ts'
import type { SharedView } from '../../../src/core/shared-view.ts'
import { findEndTime, sharedView } from '../../../src/server/track/view.ts'
import { sendRun, advanceToDeliveryStatus } from '../../support/deliveries.ts'
import { makeOneOfEach, SHARED, SHARED_KINDS, type SharedKind } from '../../support/shared.ts'
import { openTestSandbox } from '../../support/world.ts'

type Delivery = OperationOutput<'get_delivery'>
type Task = OperationOutput<'get_task'>
type SharedResourceState = { kind: SharedKind; resource: Record<string, unknown>; now: number }

const stories = new Map<SharedKind, AnyPresenter>()

/** Each kind in every state that it had while nobody interfered. */
const seen: SharedResourceState[] = []

beforeAll(async () => {
  for (const kind of SHARED_KINDS) stories.set(kind, await PRESENTERS[kind]())
  const world = await openTestSandbox()
  const ids = await makeOneOfEach(world)
  const known = new Set<string>()
  const look = async (): Promise<void> => {
    for (const kind of SHARED_KINDS) {
      const { as, show, id } = SHARED[kind]
      const { body } = await world.call(show, { [id]: ids[kind] }, { as })
      const name = `${kind} ${String(body['status'])}`
      if (!known.has(name)) seen.push({ kind, resource: body, now: await world.now() })
      known.add(name)
    }
  }
  for (let minute = 0; minute < 60; minute += 2) {
    await look()
    await world.advance(120_000)
  }
  for (let day = 0; day < 6; day++) {
    await world.advance(8 * 3_600_000)
    await look()
  }
})

function presentShared(kind: SharedKind, resource: unknown, now: number) {
  const story = stories.get(kind)
  if (story === undefined) throw new Error(`no story of ${kind}`)
  return presentResource(story, resource as Parameters<typeof presentResource>[1], now)
}

function toSharedView({
  kind,
  resource,
  now,
}: {
  kind: SharedKind
  resource: unknown
  now: number
}): SharedView {
  return sharedView(kind, presentShared(kind, resource, now))
}

/** Fields whose words the program itself chose, or which are times. */
const CODES =
  /(^|\.)(\w+_at|at|status|code|reason_code|method|fulfillment_type|vehicle_type|content_type|estimated_delivery_date|hub_id|kind|currency)$/

/** Puts a word of its own into each text of a resource, and a field that nobody knows into each object. */
function plant(value: unknown, path = ''): unknown {
  if (typeof value === 'string') return CODES.test(path) ? value : `First-${path} Rest-${path}`
  if (Array.isArray(value)) return value.map((each) => plant(each, `${path}[]`))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [
    name,
    plant(each, path === '' ? name : `${path}.${name}`),
  ])
  return { ...Object.fromEntries(members), added_later: `First-${path}.added_later Rest` }
}

/** The texts of people and firms that a page may show, by the field they come from. `Rest` is the whole name. */
const ALLOWED: Readonly<Record<SharedKind, readonly string[]>> = {
  food_order: ['First-merchant.name', 'Rest-merchant.name', 'First-courier.name'],
  ride: [
    'First-driver.name',
    ...['colour', 'make', 'model', 'licence_plate'].flatMap((part) => [
      `First-vehicle.${part}`,
      `Rest-vehicle.${part}`,
    ]),
  ],
  delivery: ['First-courier.name'],
  shipment: ['First-scan_history[].location.city', 'Rest-scan_history[].location.city'],
  booking: ['First-service_name', 'Rest-service_name', 'First-provider.name', 'Rest-provider.name'],
  task: ['First-task_name', 'Rest-task_name', 'First-provider.name'],
}

test('no state of any kind shows a text that is not needed at the door', () => {
  const strays = seen.flatMap((one) => {
    const text = JSON.stringify(
      toSharedView({ ...one, resource: plant(one.resource) as SharedResourceState['resource'] }),
    )
    return [...text.matchAll(/(?:First|Rest)-[\w.[\]]+/g)]
      .map(([word]) => word)
      .filter((word) => !ALLOWED[one.kind].includes(word))
      .map((word) => `${one.kind} ${String(one.resource['status'])}: ${word}`)
  })
  expect(strays).toEqual([])
})

test('a page has no member but those that are named, and no number but those of a map', () => {
  const members = new Set<string>()
  const numbers = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') numbers.add(path)
    if (typeof value !== 'object' || value === null) return
    for (const [name, each] of Object.entries(value)) {
      const inner = Array.isArray(value) ? `${path}[]` : `${path}.${name}`
      if (!Array.isArray(value)) members.add(inner)
      walk(each, inner)
    }
  }
  for (const one of seen) walk(toSharedView(one), '')
  expect([...members].toSorted()).toMatchInlineSnapshot(`
    [
      ".eta",
      ".eta.at",
      ".eta.day",
      ".eta.until",
      ".eta.words",
      ".kind",
      ".map",
      ".map.door",
      ".map.door.point",
      ".map.door.point.latitude",
      ".map.door.point.longitude",
      ".map.door.words",
      ".map.mover",
      ".map.mover.point",
      ".map.mover.point.latitude",
      ".map.mover.point.longitude",
      ".map.mover.words",
      ".mood",
      ".over",
      ".proof",
      ".proof.at",
      ".proof.pictures",
      ".proof.words",
      ".state",
      ".steps",
      ".steps[].at",
      ".steps[].note",
      ".steps[].words",
      ".title",
      ".who",
      ".who.name",
      ".who.plate",
      ".who.role",
      ".who.vehicle",
    ]
  `)
  expect([...numbers].toSorted()).toMatchInlineSnapshot(`
    [
      ".map.door.point.latitude",
      ".map.door.point.longitude",
      ".map.mover.point.latitude",
      ".map.mover.point.longitude",
      ".proof.pictures",
    ]
  `)
})

test('says in a few words where each kind stands', () => {
  expect(
    seen.map((one) => {
      const { kind, state, mood, eta, who, map, proof } = toSharedView(one)
      const parts = [eta?.words, who?.role, map && (map.mover === null ? 'map' : 'moving'), proof?.words]
      return `${kind}: ${state} (${[mood, ...parts].filter(Boolean).join(', ')})`
    }),
  ).toMatchInlineSnapshot(`
    [
      "food_order: Waiting for the store (waiting, Arrives about)",
      "ride: Looking for a driver (waiting)",
      "delivery: Looking for a courier (waiting, Arrives about)",
      "shipment: Awaiting collection (waiting, Arrives by)",
      "booking: Waiting for the provider (waiting, Provider)",
      "task: Looking for a tasker (waiting, Planned for)",
      "ride: Nearly at the pickup (moving, At the pickup about, Driver, moving)",
      "delivery: Courier on the way to the pickup (waiting, Arrives about, Courier)",
      "task: Tasker assigned (waiting, Planned for, Tasker)",
      "food_order: Being prepared (waiting, Arrives about)",
      "ride: On the way (moving, Arrives about, Driver, moving)",
      "delivery: At the pickup (waiting, Arrives about, Courier)",
      "task: On the way (moving, Arrives about, Tasker, moving)",
      "delivery: On its way (moving, Arrives about, Courier, moving)",
      "booking: Confirmed (waiting, Planned for, Provider)",
      "task: At work (moving, Tasker)",
      "task: Completed (done, Tasker, 3 photos and 4 answers, checked and accepted)",
      "delivery: At the door (moving, Arrives about, Courier, moving)",
      "ride: Arrived (done, Driver)",
      "delivery: Delivered (done, Courier, Photographed at the door)",
      "food_order: Ready (waiting, Arrives about, Courier)",
      "food_order: On its way (moving, Arrives about, Courier, moving)",
      "food_order: Delivered (done, Courier, Photographed at the door)",
      "booking: On the way (moving, Arrives about, Provider, moving)",
      "shipment: On its way (moving, Arrives by, map)",
      "booking: Completed (done, Provider)",
      "shipment: Out for delivery (moving, Arrives by)",
      "shipment: Delivered (done, Handed over by G.)",
    ]
  `)
})

test('the way of a delivery is that to the door: the sender’s address is not on its map', () => {
  const runs = seen.filter(({ kind }) => kind === 'delivery')
  const [first] = runs.map(({ resource }) => resource as unknown as Delivery)
  const text = JSON.stringify(runs.map((run) => toSharedView(run).map?.door))
  expect(text).toContain(String(first?.dropoff.place.location?.latitude))
  expect(text).not.toContain(String(first?.pickup.place.location?.latitude))
  const early = runs.filter(({ resource }) => BEFORE.includes(String(resource['status'])))
  expect(early.map((run) => toSharedView(run).map)).toEqual(BEFORE.map(() => null))
})

const BEFORE = ['pending', 'assigned', 'arrived_at_pickup']

test('who received it is an initial, and a signature is not shown', () => {
  const done = seen.find(({ kind, resource }) => kind === 'delivery' && resource['status'] === 'delivered')
  const delivery = done?.resource as unknown as Delivery
  const proof = delivery.proof_of_delivery
  if (proof === null || done === undefined) throw new Error('it has no proof')
  const signed = { ...proof, method: 'signature' as const, recipient_name: 'jane Doe' }
  const resource: Delivery = { ...delivery, proof_of_delivery: signed }
  expect(toSharedView({ kind: 'delivery', resource, now: done.now }).proof).toEqual({
    words: 'Signed for by J.',
    at: proof.collected_at,
    pictures: 0,
  })
})

test('what came back to its sender was not handed over at the door', () => {
  const done = seen.find(({ kind, resource }) => kind === 'delivery' && resource['status'] === 'delivered')
  const delivery = done?.resource as unknown as Delivery
  const proof = delivery.proof_of_delivery
  if (proof === null || done === undefined) throw new Error('it has no proof')
  const resource = { ...delivery, proof_of_delivery: { ...proof, waypoint: 'return' as const } }
  expect(toSharedView({ kind: 'delivery', resource, now: done.now }).proof?.words).toBe(
    'Returned to the sender',
  )
})

test('what goes on has no end; what is over ended with its last step', () => {
  const views = seen.map((one) => ({ ...toSharedView(one), now: one.now }))
  const going = views.filter(({ over }) => !over)
  expect(going.map((view) => findEndTime(view))).toEqual(going.map(() => undefined))
  const ended = views.filter(({ over }) => over)
  expect(ended.filter((view) => (findEndTime(view) ?? Infinity) > view.now)).toEqual([])
})

describe('the steps of what did not go on as it began', () => {
  const stepsOf = (kind: SharedKind, resource: unknown): string[] =>
    toSharedView({ kind, resource, now: 0 }).steps.map(({ words, at, note }) =>
      [at === null ? `(${words})` : words, ...(note === null ? [] : [note])].join(': '),
    )

  test('say why a courier is looked for once more, and what is ahead again', async () => {
    const world = await openTestSandbox()
    const { delivery_id } = await sendRun(world, { scenario: 'courier_cancels;at=assigned' })
    await advanceToDeliveryStatus(world, delivery_id, 'assigned')
    expect(stepsOf('delivery', await advanceToDeliveryStatus(world, delivery_id, 'pending'))).toEqual([
      'Requested',
      'Courier assigned',
      'Requested: The courier could not come. Another courier is being found.',
      '(Courier assigned)',
      '(At the pickup)',
      '(Collected)',
      '(At the door)',
      '(Delivered)',
    ])
  })

  test('say why it was cancelled', async () => {
    const world = await openTestSandbox()
    const { delivery_id } = await sendRun(world, { scenario: 'no_courier' })
    expect(stepsOf('delivery', await advanceToDeliveryStatus(world, delivery_id, 'cancelled'))).toEqual([
      'Requested',
      'Cancelled: No courier was free in time.',
    ])
  })

  test('give no reason of a customer’s, and no unforeseen one', () => {
    const steps = [
      { status: 'processing', at: '2026-11-20T12:00:00.000Z', by: 'rider', reason: 'secret_plans' },
      { status: 'cancelled', at: '2026-11-20T12:01:00.000Z', by: 'rider', reason: 'changed_plans' },
    ]
    const ride = seen.find(({ kind }) => kind === 'ride')?.resource
    expect(stepsOf('ride', { ...ride, status: 'cancelled', status_history: steps })).toEqual([
      'Requested',
      'Cancelled: The rider cancelled.',
    ])
  })
})

const picturesOf = (task: Task) => presentShared('task', task, 0).proof?.pictures ?? []

test('the evidence of a task is what was accepted, once the task is done', () => {
  const tasks = seen.filter(({ kind }) => kind === 'task')
  expect(
    tasks.filter((one) => toSharedView(one).proof !== null).map(({ resource }) => resource['status']),
  ).toEqual(['completed'])
  const done = tasks.at(-1)?.resource as unknown as Task
  const photos = done.evidence.flatMap(({ media }) => media?.media_id ?? [])
  expect(picturesOf(done)).toEqual(photos)
  const [first, ...others] = done.evidence
  if (first === undefined) throw new Error('it has no evidence')
  const rejected = { ...done, evidence: [{ ...first, status: 'rejected' as const }, ...others] }
  expect(picturesOf(rejected)).toEqual(photos.slice(1))
  expect(picturesOf({ ...done, status: 'under_review' })).toEqual([])
})
