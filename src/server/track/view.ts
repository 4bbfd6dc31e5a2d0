/**
 * The view that a shared page shows of a resource. Each member is chosen by name: a member that the resource gains later
 * is not shown, and no text that somebody wrote is. Pure.
 */
import { isTerminal } from '../../areas/carrier/states.ts'
import { isDeliveryOver } from '../../areas/couriers/states.ts'
import { isOrderOver } from '../../areas/orders/states.ts'
import { isRideOver } from '../../areas/rides/states.ts'
import { isBookingOver } from '../../areas/services/states.ts'
import { isTaskOver } from '../../areas/tasks/states.ts'
import type { Point } from '../../core/geometry.ts'
import { pointOf } from '../../core/places/place.ts'
import { firstName } from '../../core/privacy.ts'
import type { SharedKind, SharedStep, SharedView } from '../../core/shared-view.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Proof, Resources } from './answers.ts'
import { moodOf, PATHS, spoken, whyOf, WORDS } from './words.ts'

type Own = Omit<SharedView, 'kind' | 'state' | 'mood'> & { status: string; state?: string }

const VIEWS: { readonly [K in SharedKind]: (resource: Resources[K], now: number) => Own } = {
  order: viewOrder,
  ride: viewRide,
  delivery: viewDelivery,
  parcel: viewParcel,
  booking: viewBooking,
  task: viewTask,
}

/** Returns what the page of a shared link shows, at `now` of the service. */
export function sharedView<K extends SharedKind>(kind: K, resource: Resources[K], now: number): SharedView {
  const { status, state, ...view } = VIEWS[kind](resource, now)
  const [words] = (WORDS[kind] as Readonly<Record<string, readonly [string, string?]>>)[status] ?? [
    spoken(status),
  ]
  return { kind, ...view, state: state ?? words, mood: moodOf(kind, status) }
}

/** Returns when a resource ended; undefined for one that goes on. */
export function endOf({ over, steps }: Pick<SharedView, 'over' | 'steps'>): number | undefined {
  const last = steps.findLast(({ at }) => at !== null)?.at ?? null
  return over && last !== null ? Date.parse(last) : undefined
}

function viewOrder(order: Resources['order']): Own {
  const { status, fulfillment_type: how, courier } = order
  const over = isOrderOver(status)
  const brought = how === 'delivery'
  const done = { delivery: 'Delivered', pickup: 'Collected', dine_in: 'Served' }[how]
  const forYou = status === 'ready' && !brought
  return {
    status,
    title: order.merchant.name,
    ...(status === 'completed' && { state: done }),
    ...(forYou && { state: 'Ready for you' }),
    over,
    eta: over || forYou ? null : orderTime(order),
    steps: stepsOf('order', order, over, {
      without: brought ? [] : ['out_for_delivery'],
      words: { completed: done },
    }),
    who: over && status !== 'completed' ? null : personOf('Courier', courier),
    // Before that the courier is at the store, or with somebody else's order.
    map:
      status === 'out_for_delivery'
        ? mapOf(order.dropoff && pointOf(order.dropoff), 'Your door', courier)
        : null,
    proof: proofOf(order.proof_of_delivery),
  }
}

function orderTime(order: Resources['order']): SharedView['eta'] {
  const { fulfillment_type: how, slot, courier } = order
  const words = how === 'delivery' ? 'Arrives about' : 'Ready about'
  if (slot !== null) return timeOf(words, slot.starts_at, slot.ends_at)
  if (how !== 'delivery') return timeOf(words, order.estimated_ready_at)
  return timeOf(words, courier?.eta_at ?? order.estimated_delivery_at)
}

function viewRide(ride: Resources['ride'], now: number): Own {
  const { status, driver, vehicle, vehicle_location: at } = ride
  const over = isRideOver(status)
  const aboard = status === 'in_progress'
  const comes = status === 'accepted' || status === 'arriving'
  const place = aboard ? ride.dropoff : ride.pickup
  return {
    status,
    title: 'Ride',
    over,
    eta: rideTime(ride, now),
    steps: stepsOf('ride', ride, over),
    who:
      driver === null || status === 'cancelled'
        ? null
        : {
            role: 'Driver',
            name: firstName(driver.name),
            vehicle: vehicle && `${vehicle.colour} ${vehicle.make} ${vehicle.model}`,
            plate: vehicle && vehicle.licence_plate,
          },
    map:
      aboard || comes || status === 'arrived'
        ? mapOf(pointOf(place), aboard ? 'Destination' : 'Pickup', driver && { ...driver, location: at })
        : null,
    proof: null,
  }
}

function rideTime(ride: Resources['ride'], now: number): SharedView['eta'] {
  const { status, pickup_eta_seconds: seconds } = ride
  if (status === 'in_progress') return timeOf('Arrives about', ride.dropoff_eta_at)
  if (status === 'scheduled') return timeOf('Booked for', ride.scheduled_for)
  if ((status !== 'accepted' && status !== 'arriving') || seconds === null) return null
  return timeOf('At the pickup about', toTimestamp(now + seconds * 1000))
}

/** Before it is collected its courier is on the way to the sender, whose address is nobody else's business. */
const WITH_THE_PARCEL: readonly string[] = ['picked_up', 'arrived_at_dropoff']

function viewDelivery(delivery: Resources['delivery']): Own {
  const { status, courier } = delivery
  const over = isDeliveryOver(status)
  const back = status === 'returning' || status === 'returned'
  return {
    status,
    title: 'Delivery',
    over,
    eta: over || back ? null : timeOf('Arrives about', delivery.dropoff_eta_at),
    steps: stepsOf('delivery', delivery, over || back),
    who: (over && status !== 'delivered') || back ? null : personOf('Courier', courier),
    map: WITH_THE_PARCEL.includes(status)
      ? mapOf(pointOf(delivery.dropoff.place), 'The door', courier)
      : null,
    proof: proofOf(delivery.proof_of_delivery),
  }
}

function viewParcel(parcel: Resources['parcel']): Own {
  const { status, estimated_delivery_date: day, scan_history: scans } = parcel
  const over = isTerminal(status)
  const last = scans.findLast(({ location: { hub_id: hub, point } }) => hub !== null && point !== null)
  const seen = over || status === 'out_for_delivery' ? undefined : last?.location
  return {
    status,
    title: 'Parcel',
    over,
    eta:
      over || status === 'returning' || status === 'available_for_pickup'
        ? null
        : { words: 'Arrives by', at: day, until: null, day: true },
    steps: scans.map(({ code, occurred_at, location, reason }) => ({
      words: SCANS[code] ?? spoken(code),
      at: occurred_at,
      // The place of a hub is public. That of a scan at a door is not.
      note: reason === null ? location.hub_id && location.city : spoken(reason.code),
    })),
    who: null,
    map: seen === undefined ? null : mapOf(seen.point ?? undefined, `Last seen in ${seen.city}`, null),
    proof: proofOf(parcel.proof_of_delivery),
  }
}

const SCANS: Readonly<Record<string, string>> = {
  label_created: 'Announced by the sender',
  manifested: 'Announced to the driver',
  arrived_at_facility: 'Arrived at a hub',
  departed_facility: 'Left a hub',
  delivery_attempted: 'Could not be handed over',
  available_for_pickup: 'Ready to be collected',
}

function viewBooking(booking: Resources['booking']): Own {
  const { status } = booking
  const over = isBookingOver(status)
  const onTheWay = status === 'en_route'
  return {
    status,
    title: booking.service_name,
    over,
    eta: comingTime(
      onTheWay,
      booking.eta_at,
      isAhead(status) ? (booking.slot ?? booking.arrival_window) : null,
    ),
    steps: stepsOf('booking', booking, over),
    // The name on its offers, which everybody finds.
    who: over && status !== 'completed' ? null : { role: 'Provider', name: booking.provider.name, ...NO_CAR },
    map: onTheWay
      ? mapOf(pointOf(booking.place), 'Your door', {
          name: booking.provider.name,
          location: booking.provider_location,
        })
      : null,
    proof: null,
  }
}

function viewTask(task: Resources['task']): Own {
  const { status, provider } = task
  const over = isTaskOver(status)
  const onTheWay = status === 'en_route'
  return {
    status,
    title: task.task_name,
    over,
    eta: comingTime(onTheWay, task.eta_at, isAhead(status) ? task.window : null),
    steps: stepsOf('task', task, over),
    who: over && status !== 'completed' ? null : personOf('Helper', provider),
    map: onTheWay
      ? mapOf(pointOf(task.place), 'The place', provider && { ...provider, location: task.provider_location })
      : null,
    proof: evidenceOf(task),
  }
}

/** The states before somebody sets out. */
function isAhead(status: string): boolean {
  return ['requested', 'confirmed', 'created', 'assigned'].includes(status)
}

function comingTime(
  onTheWay: boolean,
  at: string | null,
  planned: { starts_at: string; ends_at: string } | null,
): SharedView['eta'] {
  if (onTheWay) return timeOf('Arrives about', at)
  return planned && timeOf('Planned for', planned.starts_at, planned.ends_at)
}

const NO_CAR = { vehicle: null, plate: null }

type Person = { name: string; vehicle_type: string }

function personOf(role: string, person: Person | null): SharedView['who'] {
  return person && { role, name: firstName(person.name), vehicle: person.vehicle_type, plate: null }
}

function timeOf(words: string, at: string | null, until: string | null = null): SharedView['eta'] {
  return at === null ? null : { words, at, until, day: false }
}

function mapOf(
  door: Point | null | undefined,
  words: string,
  mover: { name: string; location: Point | null } | null,
): SharedView['map'] {
  const location = mover?.location ?? null
  if (door === null || door === undefined) return null
  return {
    door: { point: onlyPoint(door), words },
    mover:
      mover === null || location === null
        ? null
        : { point: onlyPoint(location), words: firstName(mover.name) },
  }
}

/** A location may say more than where it is. */
function onlyPoint({ latitude, longitude }: Point): Point {
  return { latitude, longitude }
}

/** The steps that were made, oldest first, and those ahead while all goes well. */
function stepsOf<K extends keyof typeof PATHS>(
  kind: K,
  { status, status_history: history }: Pick<Resources[K], 'status' | 'status_history'>,
  ended: boolean,
  {
    without = [],
    words = {},
  }: { without?: readonly string[]; words?: Readonly<Record<string, string>> } = {},
): SharedStep[] {
  const said: Readonly<Record<string, readonly [string, string?]>> = WORDS[kind]
  const step = (each: string, at: string | null, note: string | null = null): SharedStep => {
    const [state, own] = said[each] ?? [spoken(each)]
    return { words: words[each] ?? own ?? state, at, note }
  }
  const path: readonly string[] = PATHS[kind].filter((each) => !without.includes(each))
  // A state between two of the way, such as `arriving`, has the place of the one before it. A courier who gives the
  // delivery back makes the way begin again.
  const last = [...history.map((entry) => entry.status as string), status].findLast((each) =>
    path.includes(each),
  )
  const happened = history.map((entry) => step(entry.status, entry.at, whyOf(entry)))
  const ahead = ended ? [] : path.slice(path.indexOf(last ?? '') + 1)
  return [...happened, ...ahead.map((each) => step(each, null))]
}

const METHODS: Readonly<Record<Proof['method'], string>> = {
  photo: 'Photographed at the door',
  signature: 'Signed for',
  pincode: 'The right PIN was told',
  barcode: 'Scanned at the door',
  handed_to_recipient: 'Handed over',
  left_safe: 'Left in a safe place',
}

function isPicture({ content_type }: { content_type: string }): boolean {
  return /^image\/(png|jpeg|webp)$/.test(content_type)
}

/** The pictures that the page may fetch: photos of the thing at the door, and not a signature. */
function proofPictures(proof: Proof | null): string[] {
  if (proof === null || proof.method === 'signature') return []
  return proof.media.filter(isPicture).map(({ media_id }) => media_id)
}

/** The pictures of a page, by their ids: of its proof, or of the evidence that was accepted. */
export function sharedPictures<K extends SharedKind>(kind: K, resource: Resources[K]): string[] {
  if (kind === 'task') return evidencePictures(resource as Resources['task'])
  return 'proof_of_delivery' in resource ? proofPictures(resource.proof_of_delivery) : []
}

function acceptedOf({ status, evidence }: Resources['task']): Resources['task']['evidence'] {
  return status === 'completed' ? evidence.filter((item) => item.status === 'accepted') : []
}

function evidencePictures(task: Resources['task']): string[] {
  return acceptedOf(task)
    .flatMap(({ media }) => media ?? [])
    .filter(isPicture)
    .map(({ media_id }) => media_id)
}

/** Returns the accepted evidence: its photos and the number of answers, but no answer, because a person wrote it. */
function evidenceOf(task: Resources['task']): SharedView['proof'] {
  const items = acceptedOf(task)
  const at = task.completed_at
  if (at === null || items.length === 0) return null
  const pictures = evidencePictures(task).length
  const answers = items.reduce((sum, item) => sum + item.answers.length, 0)
  const parts = [...counted(pictures, 'photo'), ...counted(answers, 'answer')]
  return { words: `${parts.join(' and ')}, checked and accepted`, at, pictures }
}

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]
}

function proofOf(proof: Proof | null): SharedView['proof'] {
  if (proof === null) return null
  const initial = proof.recipient_name?.trim().at(0)?.toUpperCase()
  const by = initial === undefined ? '' : ` by ${initial}.`
  const words = proof.waypoint === 'return' ? 'Given back to the sender' : `${METHODS[proof.method]}${by}`
  return {
    words,
    at: proof.collected_at,
    pictures: proofPictures(proof).length,
  }
}
