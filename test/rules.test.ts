/** The pages of rules are true: their examples and tables fit the code, and comments cite rules that exist. */
import { describe, expect, test } from 'vitest'
import { daysLate } from '../src/areas/carrier/rules/lateness.ts'
import { findOptionWarnings } from '../src/areas/carrier/rules/options.ts'
import * as rates from '../src/areas/carrier/rules/rates.ts'
import * as trackingNumbers from '../src/areas/carrier/rules/tracking-number.ts'
import { canMoveShipment, SHIPMENT_STATUSES } from '../src/areas/carrier/states.ts'
import { isGtin } from '../src/areas/catalog/rules/gtin.ts'
import { canVehicleCarry, vehiclesFor } from '../src/areas/couriers/rules.ts'
import { canMoveDelivery, DELIVERY_STATUSES } from '../src/areas/couriers/states.ts'
import { priceRun } from '../src/areas/delivery/rules/price.ts'
import { findRunWorth } from '../src/areas/delivery/rules/worth.ts'
import { type BasketTerms, priceBasket } from '../src/areas/food/rules.ts'
import { acceptDeadline } from '../src/areas/orders/rules/accept-deadline.ts'
import { computeUnitsTaken, refundFor } from '../src/areas/orders/rules/adjust.ts'
import { computeOrderParts, type LineTaken, type PricedOrder } from '../src/areas/orders/rules/shares.ts'
import { divideTableBill, splitTableBill } from '../src/areas/orders/rules/table-shares.ts'
import { canMoveOrder, ORDER_STATUSES } from '../src/areas/orders/states.ts'
import { allocateByWeight, taxOn } from '../src/areas/payments/rules/price.ts'
import { keepsPrice } from '../src/areas/proofs/rules/failures.ts'
import { RESOURCES } from '../src/areas/resources.ts'
import { cancellationFee, computeLateRefund, priceRide } from '../src/areas/rides/rules.ts'
import { canMoveRide, RIDE_STATUSES } from '../src/areas/rides/states.ts'
import { computeKept } from '../src/areas/services/rules.ts'
import { BOOKING_STATUSES, canMoveBooking } from '../src/areas/services/states.ts'
import { priceTask, type TaskPriceInput } from '../src/areas/tasks/rules/price.ts'
import { canMoveTask, TASK_STATUSES } from '../src/areas/tasks/states.ts'
import { computeRoadTravelSeconds, roadMetres } from '../src/core/geometry.ts'
import { jitter, seededInt } from '../src/core/hash.ts'
import { parseIdempotencyKey } from '../src/core/idempotency-key.ts'
import { computeIncludedTax, mulBps, parseMoney } from '../src/core/money.ts'
import { countCells } from '../src/core/slots.ts'
import { escapeFormula, unescapeFormula } from '../src/tabular/csv/write.ts'
import { gbp } from './support/money.ts'
import {
  isHeading,
  listBrokenLinks,
  listCitations,
  listExamples,
  listOutsideCitations,
  listRules,
  readCitingSources,
  readStateTable,
  RULE_PAGES,
  runExamples,
} from './support/rules.ts'
import * as tables from './support/state-tables.ts'

const MINUTE = 60_000

/** The terms of a store in London, without fees. */
const LONDON: BasketTerms = {
  currency: 'GBP',
  prices_include_tax: true,
  tax_rate_bps: 2000,
  fee_tax_rate_bps: 2000,
  tax_name: 'VAT',
  delivery_fee: null,
  service_fee: null,
  small_order_fee: null,
  courier_tip: null,
  discount_bps: 0,
}

/** A shelf audit as its type offers it. */
const AUDIT: TaskPriceInput = {
  base_price: gbp(1800),
  included_photos: 0,
  typical_duration_minutes: 20,
  questions: 0,
  rules: [],
  urgency: 'standard',
  estimated_minutes: null,
  road_distance_m: 0,
}

function line(line_id: string, quantity: number, pence: number) {
  const unit_price = gbp(pence)
  return {
    line_id,
    item_id: line_id,
    name: line_id,
    quantity,
    unit_price,
    modifiers: [],
    notes: null,
    total: gbp(quantity * pence),
    tax_rate_bps: null,
  }
}

/** Returns the parts of an order from which lines were taken. */
function partsOf(sold: PricedOrder, taken: readonly LineTaken[] = []) {
  const { store, platform, courier } = computeOrderParts(sold, taken)
  return { store, platform, courier }
}

/** Returns the minutes for which quotes of a kind hold. */
function minutesHeld(kind: string): number | undefined {
  const held = Object.values(RESOURCES).flatMap((resource) => ('held' in resource ? [resource.held] : []))
  const ms = held.find((each) => each.kind === kind)?.ms
  return ms && ms / MINUTE
}

/** The functions that the examples of the pages may call. */
const NAMES = {
  ...rates,
  ...trackingNumbers,
  acceptDeadline,
  allocateByWeight,
  AUDIT,
  cancellationFee,
  canVehicleCarry,
  computeIncludedTax,
  computeKept,
  computeLateRefund,
  computeOrderParts,
  computeRoadTravelSeconds,
  computeUnitsTaken,
  countCells,
  daysLate,
  divideTableBill,
  escapeFormula,
  findOptionWarnings,
  findRunWorth,
  gbp,
  HOUR: 60 * MINUTE,
  isGtin,
  jitter,
  keepsPrice,
  line,
  LONDON,
  MINUTE,
  minutesHeld,
  mulBps,
  parseIdempotencyKey,
  parseMoney,
  partsOf,
  priceBasket,
  priceRide,
  priceRun,
  priceTask,
  refundFor,
  roadMetres,
  seededInt,
  splitTableBill,
  taxOn,
  unescapeFormula,
  vehiclesFor,
}

describe('the examples of the rules', () => {
  test.for(RULE_PAGES.filter((page) => listExamples(page).length > 0))('of %s give what they say', (page) => {
    const examples = runExamples(page, NAMES)
    expect(examples.map(({ code, gives }) => `${code} // ${gives}`)).toEqual(
      examples.map(({ code, says }) => `${code} // ${says}`),
    )
  })

  test('are on most pages', () => {
    expect(RULE_PAGES.filter((page) => listExamples(page).length > 0).length).toBeGreaterThan(8)
  })
})

describe('the table of statuses', () => {
  test.for([
    [
      'food-and-stores',
      tables.ORDER_TRANSITIONS,
      tables.listAllowedTransitions(ORDER_STATUSES, canMoveOrder),
    ],
    ['rides', tables.RIDE_TRANSITIONS, tables.listAllowedTransitions(RIDE_STATUSES, canMoveRide)],
    [
      'deliveries',
      tables.DELIVERY_TRANSITIONS,
      tables.listAllowedTransitions(DELIVERY_STATUSES, canMoveDelivery),
    ],
    ['services', tables.BOOKING_TRANSITIONS, tables.listAllowedTransitions(BOOKING_STATUSES, canMoveBooking)],
    ['tasks', tables.TASK_TRANSITIONS, tables.listAllowedTransitions(TASK_STATUSES, canMoveTask)],
    ['parcels', tables.PARCEL_TRANSITIONS, tables.listAllowedTransitions(SHIPMENT_STATUSES, canMoveShipment)],
  ] as const)('of %s is that of the code', ([page, expected, allowed]) => {
    const table = readStateTable(page)
    expect(tables.listTransitions(table)).toEqual(allowed)
    expect(table['']?.toSorted()).toEqual([...(expected[''] ?? [])].toSorted())
  })
})

describe('comments', () => {
  const sources = readCitingSources()
  const citations = listCitations(sources)

  test('cite pages and headings that exist', () => {
    const wrong = [...citations].filter(([citation]) => !isHeading(citation))
    expect(wrong).toEqual([])
  })

  test('cite every rule', () => {
    expect(listRules().filter((rule) => !citations.has(rule))).toEqual([])
  })

  test('cite no document outside the project, and no rule by a letter and a number', () => {
    expect(sources.flatMap(listOutsideCitations)).toEqual([])
  })
})

test('every link of a page for readers leads to a file and a heading', () => {
  expect(listBrokenLinks()).toEqual([])
})

test('no two rules of a page have one anchor', () => {
  expect(listRules()).toEqual([...new Set(listRules())])
})
