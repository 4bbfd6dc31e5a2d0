/** An order as its customer sees it. */
import type { Static } from 'typebox'
import { negate, formatBasisPoints, formatGroupedMoney } from '../../core/money.ts'
import { resolvePlace } from '../../core/places/place.ts'
import {
  type Arrival,
  type Bill,
  type BillLine,
  definePresenter,
  type Piece,
  type AssignedWorker,
  type Receipt,
  type RouteMap,
  type RichText,
} from '../../core/presenter.ts'
import { COURIER_DOING, courierMap, vehicleText } from '../couriers/presenter.ts'
import type { DeliveryStatus } from '../couriers/states.ts'
import { ORDER_PRESENTER } from '../orders/presenter.ts'
import {
  isAwaitingCustomerAnswer,
  listOpenQuestions,
  takenOff,
  problemNotes,
} from '../orders/rules/wrong-words.ts'
import { isOrderOver } from '../orders/states.ts'
import { refundNotes, receiptTotals, walletNotes } from '../payments/presenter.ts'
import { chargeOf } from '../payments/rules/payment.ts'
import { absentNotes, proofNotes, presentProof } from '../proofs/presenter.ts'
import { hasPictures } from '../proofs/rules/proof.ts'
import { FOOD_ORDER } from './resource.ts'
import type { foodQuoteSchema } from './schema.ts'
import type { FoodOrderView } from './views.ts'

type FoodQuote = Static<typeof foodQuoteSchema>

export const foodOrderPresenter = definePresenter<FoodOrderView, FoodQuote>(FOOD_ORDER, {
  ...ORDER_PRESENTER,
  title: (order) =>
    `${order.merchant.name}, order ${order.display_number}, ${formatGroupedMoney(chargeOf(order))}`,
  publicTitle: ({ merchant }) => merchant.name,
  expectedTimes: ({ estimated_ready_at, estimated_delivery_at }) => ({
    ready: estimated_ready_at,
    completed: estimated_delivery_at,
  }),
  arrival: arrivalOf,
  worker: courierOf,
  routeMap: mapOf,
  notes: (order) => [
    ...absentNotes(order.if_absent, isOrderOver(order.status)),
    ...proofNotes(order.proof_of_delivery),
    ...problemNotes(order),
    ...(listOpenQuestions(order).length === 0
      ? []
      : [`Answer the store: dray food answer ${order.display_number}`]),
    ...(order.problems.some(({ status, appeal }) => status === 'declined' && (appeal ?? null) === null)
      ? [`Appeal against a decline: dray food problem ${order.display_number} --appeal`]
      : []),
    ...refundNotes(order),
    ...walletNotes(order),
  ],
  proof: ({ proof_of_delivery }) => presentProof(proof_of_delivery),
  openCommand: ({ status, proof_of_delivery }) =>
    isOrderOver(status) && hasPictures([proof_of_delivery])
      ? 'dray food show {display_number} --save proof'
      : null,
  price: billOf,
  receipt: receiptOf,
})

function arrivalOf(order: FoodOrderView): Arrival | null {
  const { fulfillment_type: type, slot, courier, status } = order
  const isBrought = type === 'delivery'
  if (status === 'ready' && !isBrought) return null
  const words = isBrought ? 'Arrives about' : 'Ready about'
  if (slot !== null) return { words, at: slot.starts_at, until: slot.ends_at }
  if (!isBrought) return { words, at: order.estimated_ready_at }
  const at = courier?.eta_at ?? order.estimated_delivery_at
  return at === null ? null : { words, at }
}

function courierOf({ courier }: FoodOrderView): AssignedWorker | null {
  if (courier === null) return null
  const { name, status } = courier
  const vehicle = vehicleText(courier.vehicle_type)
  const doing = COURIER_DOING[status as DeliveryStatus]
  return { name, vehicle, ...(doing !== undefined && { doing }) }
}

function mapOf({ courier, merchant, dropoff }: FoodOrderView): RouteMap | null {
  if (courier === null || courier.location === null) return null
  const { name, address } = merchant
  return courierMap({
    courier,
    status: courier.status,
    from: address === null ? undefined : resolvePlace({ name, address }),
    to: dropoff === null ? undefined : resolvePlace(dropoff),
  })
}

type FoodBasketPrice = Pick<FoodQuote, 'lines' | 'fees' | 'discounts' | 'subtotal' | 'taxes' | 'total'>

/** Returns the price of a basket, line by line: the same on a quote and on a receipt. */
function priceOf(basket: FoodBasketPrice): Pick<Bill, 'lines' | 'added' | 'total' | 'included'> {
  const { fees, discounts, subtotal } = basket
  const sum = fees.length + discounts.length > 0 ? [{ label: 'Subtotal', amount: subtotal }] : []
  return {
    lines: basket.lines.map(toLine),
    added: [
      ...sum,
      ...fees.map(({ label, amount }) => ({ label: [{ name: label }], amount })),
      ...discounts.map(({ label, amount }) => ({ label: [{ name: label }], amount: negate(amount) })),
      ...taxLines(basket, false),
    ],
    total: basket.total,
    included: taxLines(basket, true),
  }
}

/** A part that was removed before the payment has a line below the total; a later one is a refund. */
function receiptOf(order: FoodOrderView, isLost: boolean): Receipt {
  const { display_number, merchant, dropoff } = order
  const off = takenOff(order).map(({ amount, reason_code }) => ({
    label: `Taken off, ${reason_code.replaceAll('_', ' ')}`,
    amount: negate(amount),
  }))
  return {
    head: [`Order ${display_number} from `, { name: merchant.name }],
    about: [
      ...(merchant.address === null ? [] : [[{ place: { address: merchant.address } }]]),
      ...(dropoff === null ? [] : [['Delivery to ', { place: dropoff }]]),
    ],
    ...priceOf(order),
    lines: order.lines.map((line) => withDepartures(toLine(line), listDepartures(order, line))),
    ...withTableShares(order, receiptTotals(order, isLost, off)),
    made: order.created_at,
  }
}

type ReceiptTotals = ReturnType<typeof receiptTotals>

/** Adds the shares in which the table paid the order. */
function withTableShares({ table }: FoodOrderView, totals: ReceiptTotals): ReceiptTotals {
  const shares = (table?.shares ?? []).map(
    ({ number, of, amount }) => `${formatGroupedMoney(amount)} by share ${number} of ${of}`,
  )
  return shares.length === 0
    ? totals
    : { ...totals, notes: [`Paid at the table: ${shares.join(', ')}.`, ...totals.notes] }
}

function billOf(quote: FoodQuote): Bill {
  return {
    head: ['Order from ', { name: quote.merchant_name }],
    about: [fulfillmentText(quote), ...absentNotes(quote.if_absent)],
    ...priceOf(quote),
    notes: quote.warnings.map((warning) => ['Note: ', { name: warning }]),
    made: quote.created_at,
  }
}

function toLine({ quantity, name, modifiers, notes, total }: FoodQuote['lines'][number]): BillLine {
  const chosen = modifiers.map(formatOption)
  const details = [...chosen, ...(notes === null ? [] : [['“', { name: notes }, '”']])]
  return { label: [`${quantity} × `, { name }], amount: total, details }
}

function formatOption(modifier: FoodQuote['lines'][number]['modifiers'][number]): Piece[] {
  const { price_delta: extra } = modifier
  return [
    modifier.quantity > 1 ? `${modifier.quantity} × ` : '',
    { name: modifier.name },
    extra.amount > 0 ? ` +${formatGroupedMoney(extra)}` : '',
  ]
}

/** Adds what left a line. Its amount stays as quoted: what was refunded is below the total. */
function withDepartures(line: BillLine, departures: readonly RichText[]): BillLine {
  return { ...line, details: [...(line.details ?? []), ...departures] }
}

/** An order; a service from before there were adjustments sends none. */
type AdjustedOrder = Partial<Pick<FoodOrderView, 'adjustments'>>
type LeftLine = { line_id: string; removed?: number }

/** Returns `1 taken off` and `2 replaced by Summer Rolls (1 taken off)` for the units that left a line. */
function listDepartures({ adjustments = [] }: AdjustedOrder, line: LeftLine): Piece[][] {
  const { line_id, removed = 0 } = line
  const replaced = adjustments
    .filter((change) => change.kind === 'replaced' && !isAwaitingCustomerAnswer(change))
    .flatMap((change) => change.lines.filter((each) => each.line_id === line_id))
  return [
    ...(removed > 0 ? [[`${removed} taken off`]] : []),
    ...replaced.map(({ quantity, replacement }): Piece[] => {
      if (replacement === null) return [`${quantity} replaced`]
      const about = [
        ...replacement.modifiers.map(formatOption),
        ...listDepartures({ adjustments }, replacement),
      ]
      return [`${quantity} replaced by `, { name: replacement.name }, ...inParentheses(about)]
    }),
  ]
}

function inParentheses(texts: readonly (readonly Piece[])[]): Piece[] {
  const [first, ...rest] = texts
  return first === undefined ? [] : [' (', ...first, ...rest.flatMap((text) => [', ', ...text]), ')']
}

function taxLines({ taxes }: FoodBasketPrice, included: boolean): BillLine[] {
  return taxes
    .filter((tax) => tax.included === included && tax.amount.amount > 0)
    .map(({ name, rate_bps, amount }) => ({ label: [{ name }, ` ${formatBasisPoints(rate_bps)}`], amount }))
}

/** `Delivery to 12 Finsbury Square, London EC2A 1AN, between 12:40 and 12:55` */
function fulfillmentText(quote: FoodQuote): RichText {
  const { slot, estimated_delivery_window: window, dropoff, table } = quote
  const ready: RichText =
    slot === null ? ['ready about ', { at: quote.estimated_ready_at }] : ['for ', { at: slot.starts_at }]
  switch (quote.fulfillment_type) {
    case 'delivery':
      return [
        'Delivery to ',
        ...(dropoff === null ? ['the address'] : [{ place: dropoff }]),
        ', ',
        ...(window === null
          ? ready
          : ['between ', { at: window.starts_at }, ' and ', { at: window.ends_at }]),
      ]
    case 'pickup':
      return ['Pickup, ', ...ready]
    case 'dine_in': {
      const party = table?.party_size ?? null
      return [
        'Table ',
        { name: table?.table_number ?? '' },
        party === null ? ', ' : ` for ${party}, `,
        ...ready,
      ]
    }
  }
}
