/** Screens of courier deliveries, at three widths and without drawing. */
import { describe, expect, test } from 'vitest'
import { deliveryPresenter } from '../../../src/areas/delivery/presenter.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import type { RenderOptions } from '../../../src/cli/output/render-options.ts'
import { renderTracking } from '../../../src/cli/track/journey.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { presentResource } from '../../../src/core/presenter.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'
import { makeRenderOptions, linesBeyond, WIDTHS } from '../../support/screens.ts'

type Delivery = OperationOutput<'get_delivery'>
type DeliveryQuote = OperationOutput<'quote_delivery'>

const NOON = Date.parse('2026-11-20T12:10:00Z')

const QUOTE = partialResponse<DeliveryQuote>({
  quote_id: 'quo_1',
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:05:00.000Z',
  expires_in_seconds: 300,
  pickup: { location: { latitude: 51.5308, longitude: -0.1238 }, name: 'kings-cross' },
  dropoff: {
    address: { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN', country_code: 'GB' },
    location: { latitude: 51.5207, longitude: -0.0873 },
    name: 'Moorgate',
  },
  parcel: { size: 'medium', weight_grams: null, description: 'A cake', requires_id: true },
  vehicle_type: 'motorbike',
  road_distance_m: 3401,
  lines: [
    { type: 'base', amount: gbp(350) },
    { type: 'distance', amount: gbp(323) },
    { type: 'size', amount: gbp(150) },
  ],
  total: gbp(823),
  tax_included: gbp(137),
  pickup_eta_at: '2026-11-20T12:21:00.000Z',
  dropoff_eta_at: '2026-11-20T12:31:00.000Z',
})

const DELIVERY = partialResponse<Delivery>({
  delivery_id: 'dlv_1',
  origin: { kind: 'customer_request' },
  status: 'picked_up',
  pickup: { place: QUOTE.pickup },
  dropoff: { place: QUOTE.dropoff, verification: ['pincode'] },
  parcel: { description: 'A cake' },
  price: gbp(823),
  payment: {
    payment_id: 'pay_1',
    method: 'card',
    status: 'paid',
    collected_by: 'platform',
    amount: gbp(823),
  },
  refund: null,
  courier: {
    name: 'Rosa Delgado',
    vehicle_type: 'motorbike',
    rating: 4.9,
    location: { latitude: 51.5258, longitude: -0.106 },
  },
  pickup_eta_at: '2026-11-20T12:04:00.000Z',
  dropoff_eta_at: '2026-11-20T12:15:00.000Z',
  courier_imminent: false,
  dropoff_pincode: '2843',
  pickup_proof: null,
  proof_of_delivery: null,
  undeliverable: null,
  status_history: [
    { status: 'pending', at: '2026-11-20T12:00:00.000Z', by: 'customer', reason: null },
    { status: 'assigned', at: '2026-11-20T12:01:00.000Z', by: 'courier', reason: null },
    { status: 'arrived_at_pickup', at: '2026-11-20T12:04:00.000Z', by: 'courier', reason: null },
    { status: 'picked_up', at: '2026-11-20T12:05:00.000Z', by: 'courier', reason: null },
  ],
})

const screen = (delivery: Delivery, renderOptions = makeRenderOptions(80)) =>
  renderTracking(presentResource(deliveryPresenter, delivery, NOON), NOON, renderOptions)

const quoteText = (quote: OperationOutput<'quote_delivery'>, renderOptions: RenderOptions) =>
  billText(deliveryPresenter.price(quote, null), renderOptions)

describe('the price', () => {
  test('stands line by line over its total, with the way and the times', () => {
    expect(quoteText(QUOTE, makeRenderOptions(80)).split('\n')).toEqual([
      'Courier delivery: A cake',
      'From kings-cross to 12 Finsbury Square, London EC2A 1AN, GB',
      'Collection about 12:21, arrival about 12:31, motorbike',
      'The recipient must show ID.',
      '',
      expect.stringMatching(/^Courier +£3\.50$/),
      expect.stringMatching(/^3\.4 km +£3\.23$/),
      expect.stringMatching(/^Size medium +£1\.50$/),
      '─'.repeat(64),
      expect.stringMatching(/^Total +£8\.23$/),
      expect.stringMatching(/^ {2}of which VAT +£1\.37$/),
    ])
  })

  test.each(WIDTHS)('fits into %i columns, whatever it is called', (columns) => {
    for (const description of HOSTILE) {
      const parcel = { ...QUOTE.parcel, description }
      for (const renderOptions of [
        makeRenderOptions(columns),
        makeRenderOptions(columns, { accessible: true }),
      ]) {
        const text = quoteText({ ...QUOTE, parcel }, renderOptions)
        expect(linesBeyond(columns, text)).toEqual([])
        expect(text).not.toMatch(FORBIDDEN)
        expect(text).toContain('£8.23')
      }
    }
  })
})

describe('the way', () => {
  test('tells what has been, what comes, who brings it, and where he is', () => {
    const text = screen(DELIVERY)
    expect(text).toMatch(/^A cake, £8\.23$/m)
    expect(text).toMatch(/^✔ Courier assigned +12:01$/m)
    expect(text).toMatch(/^● On its way +12:05$/m)
    expect(text).toMatch(/^○ At the door +about 12:15$/m)
    expect(text).toMatch(/^Courier: Rosa Delgado, rated 4\.9, motorbike$/m)
    expect(text).toMatch(/^━{12}╌{12} Arrives about 12:15, in 5 minutes$/m)
    expect(text).toMatch(/^│.*A.*│$/m)
    expect(text).toMatch(/^│.*↘.*│$/m)
    expect(text).toMatch(/^↘ Rosa Delgado, 1\.4 km from B$/m)
    expect(text).toMatch(/^PIN 2843: the recipient tells it to the courier\.$/m)
  })

  test('to the pickup leads to A, and back again, too', () => {
    const assigned = presentResource(deliveryPresenter, { ...DELIVERY, status: 'assigned' }, NOON)
    expect([assigned.routeMap?.mover.to, assigned.arrival?.at]).toEqual(['A', DELIVERY.dropoff_eta_at])
    const returning = presentResource(
      deliveryPresenter,
      {
        ...DELIVERY,
        status: 'returning',
        undeliverable: { reason_code: 'business_closed', action: 'return' },
      },
      NOON,
    )
    expect([returning.routeMap?.mover.to, returning.arrival]).toEqual(['A', null])
    expect(returning.upcoming.map(({ status }) => status)).toEqual(['returned'])
    expect(returning.notes).toContain('Not handed over: business closed')
  })

  test('ends with its proof, without the PIN', () => {
    const proof_of_delivery = {
      proof_id: 'pod_1',
      method: 'pincode',
      waypoint: 'dropoff',
      collected_at: '2026-11-20T12:16:00.000Z',
      location: { latitude: 51.52, longitude: -0.08 },
      recipient_name: 'Ravi Shah',
      relationship: 'recipient',
      media: [],
      pincode_verified: true,
      notes: null,
    } as const
    const done = presentResource(
      deliveryPresenter,
      {
        ...DELIVERY,
        status: 'delivered',
        courier: null,
        proof_of_delivery: { ...proof_of_delivery, media: [] },
      },
      NOON,
    )
    expect(done).toMatchObject({ isFinal: true, worker: null, arrival: null, routeMap: null, upcoming: [] })
    expect(done.notes).toEqual(['Proof: Handed over against the PIN by Ravi Shah'])
  })

  test('of an order of food was paid with it', () => {
    expect(
      screen({
        ...DELIVERY,
        origin: { kind: 'food_order', order_id: 'ord_1' },
        price: gbp(0),
        payment: null,
      }),
    ).toMatch(/^A cake, paid with its order$/m)
  })

  test.each(WIDTHS)('fits into %i columns, however long a name is', (columns) => {
    for (const name of HOSTILE) {
      const named = partialResponse<Delivery>({
        parcel: { description: name },
        courier: { name, vehicle_type: 'car', rating: 5, location: null },
      })
      const text = screen({ ...DELIVERY, ...named }, makeRenderOptions(columns))
      expect(linesBeyond(columns, text)).toEqual([])
      expect(text).not.toMatch(FORBIDDEN)
    }
  })
})
