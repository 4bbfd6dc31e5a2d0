import * as Type from 'typebox'
import { AppError, type FieldErrorCode } from '../../core/errors.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, identifierText } from '../../core/schema.ts'
import { addDays, localDate } from '../../core/time.ts'
import { isWorkingDay, nextWorkingDay } from '../../core/working-days.ts'
import { requireCarrierAgreement, OWN_SHIPMENT } from './access.ts'
import { assertRedirectable, type Redirect, redirectShipmentRecord } from './lifecycle/change.ts'
import { hubLocation } from './lifecycle/places.ts'
import { makePlanner, type Planner } from './lifecycle/plan.ts'
import type { ShipmentRecord } from './queries/shipments.ts'
import { assertCashAtDoor } from './rules/options.ts'
import { computeDeliveryEstimate, restrictServiceToZone, SERVICE_LEVELS } from './rules/rates.ts'
import { normalizeTrackingNumber } from './rules/tracking-number.ts'
import { neighbour, safePlace, shipment, trackingNumber } from './schema.ts'

/** The most days that a parcel waits for the day that was requested. */
const MAX_REDIRECT_DAYS = 30
const WAYS = ['date', 'safe_place', 'neighbour', 'hub_id'] as const

export const redirectShipment = defineOperation({
  name: 'redirect_shipment',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Deliver a parcel on another day, or elsewhere',
  description:
    'Exactly one of date, safe_place, neighbour and hub_id. Allowed until the parcel is out for delivery. Costs nothing.',
  details: `A safe place, a neighbour and a hub replace each other; a date stays. A date is at most ${MAX_REDIRECT_DAYS} days ahead. After a failed attempt the parcel can be redirected until the next one.`,
  method: 'POST',
  path: '/v1/shipments/{tracking_number}/redirect',
  scope: 'shipments.manage',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  spends: { how: 'nothing' },
  idempotency: 'supported',
  repetition: 'each_time',
  input: strictObject({
    tracking_number: trackingNumber,
    date: Type.Optional(Type.String({ format: 'date', description: 'Delivery date' })),
    safe_place: Type.Optional(safePlace),
    neighbour: Type.Optional(neighbour),
    hub_id: Type.Optional(identifierText(40, 'Hub where the recipient collects it, by code or ID')),
  }),
  output: shipment,
  errors: [
    'invalid_tracking_number',
    'shipment_not_found',
    'hub_not_found',
    'invalid_state',
    'options_conflict',
  ],
  example: (done) => ({
    tracking_number: done['create_shipments_batch'].results[1]?.tracking_number ?? '',
    safe_place: 'Behind the blue bin',
  }),
  cli: {
    command: 'carrier redirect',
    danger: 'write',
    positionals: ['tracking_number'],
    flags: { hub_id: 'hub' },
    columns: ['tracking_number', 'reference', 'status', 'options', 'estimated_delivery_date'],
    done: 'Redirected parcel {tracking_number}; delivery date {estimated_delivery_date}.',
    next: 'dray carrier track {tracking_number}',
    examples: [
      'dray carrier redirect ZC968043370GB --date 2026-11-27',
      'dray carrier redirect A-1001 --safe-place "Behind the blue bin"',
      'dray carrier redirect A-1001 --hub LON1',
    ],
  },
  touches: ({ tracking_number }) => ({ resource: normalizeTrackingNumber(tracking_number) }),
  async run(context, { tracking_number, ...input }) {
    const { tx, world, now } = context
    assertOneWay(input)
    return OWN_SHIPMENT.act(context, tracking_number, async (found) => {
      assertRedirectable(found)
      const planner = await makePlanner(tx, requireCarrierAgreement(context), now)
      const change = readRedirect(found, input, planner, now)
      assertCashAtDoor(change.options, input.neighbour === undefined ? '/safe_place' : '/neighbour')
      await redirectShipmentRecord({ tx, world, at: now }, found, change)
    })
  },
})

type Ways = Partial<Record<(typeof WAYS)[number], string>>

function assertOneWay(input: Ways): void {
  const given = WAYS.filter((way) => input[way] !== undefined)
  if (given.length === 1) return
  const [code, named]: [FieldErrorCode, readonly string[]] =
    given.length === 0 ? ['required', WAYS] : ['mutually_exclusive', given]
  const detail = `Use exactly one of ${WAYS.join(', ')}.`
  throw new AppError('invalid_request', detail, {
    errors: named.map((way) => ({ pointer: `/${way}`, code, detail })),
  })
}

function readRedirect(found: ShipmentRecord, input: Ways, planner: Planner, now: number): Redirect {
  const { date, safe_place, neighbour: next_door, hub_id } = input
  const rest = { ...found.doc.options }
  delete rest.leave_safe_place
  delete rest.neighbour
  delete rest.pickup_hub_id
  if (date !== undefined) {
    assertDay(found, date, planner, now)
    found.doc.estimated_delivery_date = date
    return {
      options: { ...found.doc.options, not_before_date: date },
      pickup: found.doc.options.pickup_hub_id === undefined ? undefined : found.doc.depot,
      reason: 'future_delivery_requested',
      detail: `To be delivered on ${date}.`,
    }
  }
  if (hub_id !== undefined) {
    const hub = planner.loadHub(hub_id, { pointer: '/hub_id' })
    return {
      options: { ...rest, pickup_hub_id: hub.hub_id },
      pickup: hubLocation(hub),
      reason: 'other',
      detail: `To be collected at ${hub.name}.`,
    }
  }
  // Both places are private: the event, which shared pages show, does not name them.
  return {
    options: {
      ...rest,
      ...(safe_place !== undefined && { leave_safe_place: safe_place }),
      ...(next_door !== undefined && { neighbour: next_door }),
    },
    pickup: undefined,
    reason: 'other',
    detail: safe_place === undefined ? 'To be handed to a neighbour.' : 'To be left in a safe place.',
  }
}

/** Throws `invalid_request` for a day that is too early, too late, or none of the parcel's service. */
function assertDay(
  { doc, hub_id, service_level, created_at }: ShipmentRecord,
  date: string,
  planner: Planner,
  now: number,
): void {
  const level = SERVICE_LEVELS.find(({ code: each }) => each === service_level)
  const hub = planner.hubs.find((each) => each.hub_id === hub_id)
  if (level === undefined || hub === undefined) throw new Error(`${service_level} from ${hub_id} is unknown`)
  const service = restrictServiceToZone(level, doc.zone)
  const promised =
    doc.options.not_before_date === undefined
      ? doc.estimated_delivery_date
      : computeDeliveryEstimate(service, hub, created_at).estimated_delivery_date
  const today = localDate(now, doc.timezone)
  const first = promised > today ? promised : nextWorkingDay(today, service)
  const last = addDays(today, MAX_REDIRECT_DAYS)
  const detail =
    date < first
      ? `${date} is too early: the first possible day is ${first}`
      : date > last
        ? `${date} is too late: the last possible day is ${last}`
        : isWorkingDay(date, service)
          ? undefined
          : `there is no delivery on ${date}: the next day is ${nextWorkingDay(date, service)}`
  if (detail === undefined) return
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: '/date', code: 'out_of_range', detail }],
  })
}
