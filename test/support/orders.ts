import { ORDER_ACTIONS } from '../../src/areas/orders/states.ts'
import type { BusinessOrderOutput } from '../../src/commands/business/orders/order.ts'
import { gbp } from './money.ts'
import { type DeepPartial, partialResponse } from './part.ts'

/** Returns a store's order for pickup, paid by card, placed at nine; with overrides. A new one waits for ten minutes. */
export function makeStoreOrder(
  number: string,
  over: DeepPartial<BusinessOrderOutput> = {},
): BusinessOrderOutput {
  const { placed_at = '2026-11-20T09:00:00.000Z', status = 'placed' } = over
  return partialResponse<BusinessOrderOutput>({
    order_id: `ord_${number.toLowerCase()}`,
    display_number: number,
    merchant_id: 'mer_1',
    status: 'placed',
    fulfillment_type: 'pickup',
    customer: { first_name: 'Ana', phone_masked: '•••• 0123', orders_count: 3 },
    lines: [
      {
        line_id: '1',
        item_id: 'itm_1',
        name: 'Pad Thai',
        quantity: 2,
        unit_price: gbp(1150),
        modifiers: [
          {
            modifier_id: 'mod_1',
            modifier_group_id: 'mgr_1',
            name: 'Extra prawns',
            quantity: 1,
            price_delta: gbp(80),
          },
        ],
        notes: 'no coriander',
        total: gbp(2460),
        tax_rate_bps: 2000,
        sku: null,
      },
      {
        line_id: '2',
        item_id: 'itm_2',
        name: 'Spring rolls',
        quantity: 1,
        unit_price: gbp(395),
        modifiers: [],
        notes: null,
        total: gbp(395),
        tax_rate_bps: 2000,
        sku: null,
      },
    ],
    subtotal: gbp(2855),
    fees: [{ type: 'service_fee', label: 'Service fee', amount: gbp(150) }],
    discounts: [{ type: 'member', label: 'Member discount', amount: gbp(286), funded_by: 'platform' }],
    taxes: [{ name: 'VAT', rate_bps: 2000, taxable_amount: gbp(2719), amount: gbp(453), included: true }],
    prices_include_tax: true,
    total: gbp(2719),
    notes: null,
    payment: { method: 'card', status: 'paid', collected_by: 'platform', amount: gbp(2719) },
    refund: null,
    refunds: [],
    refunded: null,
    adjustments: [],
    problems: [],
    table: null,
    slot: null,
    prep: { estimated_ready_at: '2026-11-20T09:25:00.000Z', ready_at: null },
    delivery: null,
    rejection: null,
    allowed_actions: [...ORDER_ACTIONS],
    accept_by: status === 'placed' ? new Date(Date.parse(placed_at) + 600_000).toISOString() : null,
    placed_at,
    created_at: placed_at,
    updated_at: placed_at,
    ...over,
  })
}

/** Returns a completed order with a problem that its customer reported: one of two is missing. */
export function problemOrder(
  number: string,
  over: DeepPartial<BusinessOrderOutput['problems'][number]> = {},
): BusinessOrderOutput {
  return makeStoreOrder(number, {
    status: 'completed',
    problems: [
      {
        problem_id: `prb_${number.toLowerCase()}`,
        status: 'open',
        reason_code: 'missing',
        lines: [{ line_id: '1', quantity: 1 }],
        amount: gbp(1107),
        note: 'Only one in the bag',
        answer_by: '2026-11-21T09:30:00.000Z',
        answer: null,
        ...over,
      },
    ],
  })
}

/** Returns the fields of an order of which all went back. */
export function wholeRefund(borne_by: 'store' | 'platform' = 'store') {
  const refund = {
    refund_id: 'rfd_1',
    status: 'succeeded',
    destination: 'original_method',
    amount: gbp(2719),
    reason: 'rejected',
    borne_by,
  } as const
  return {
    payment: { method: 'card', status: 'refunded', collected_by: 'platform', amount: gbp(2719) },
    refund,
    refunds: [refund],
  } satisfies DeepPartial<BusinessOrderOutput>
}
