import { findPlacePoint } from '../../../core/places/place.ts'
import type { DeliveryRequest } from '../../couriers/lifecycle/delivery.ts'
import type { OrderDoc, OrderRecord } from '../queries/orders.ts'
import { cookedRows } from '../rules/kitchen-lines.ts'

/** The courier's job: from the store's door to the customer's (docs/rules/food-and-stores.md#a-delivery-order-creates-one-delivery). */
export function runOf({ account_id, order_id, ordinal, doc }: OrderRecord): Omit<DeliveryRequest, 'by'> {
  const { merchant, contact, customer, dropoff, total } = doc
  const place = dropoff ?? merchant.place
  return {
    accountId: account_id,
    order: { order_id, ordinal, agreement_id: merchant.agreement_id },
    quoteId: null,
    pickup: {
      place: merchant.place,
      point: merchant.location,
      contact: { name: merchant.name, ...(merchant.phone !== null && { phone: merchant.phone }) },
      notes: doc.collection_instructions,
    },
    dropoff: {
      place,
      point: findPlacePoint(place) ?? merchant.location,
      contact: contact ?? { name: customer.name, ...(customer.phone !== null && { phone: customer.phone }) },
      notes: dropoff?.address?.access_notes ?? null,
      verification: ['photo'],
      if_absent: doc.if_absent ?? 'return',
    },
    parcel: {
      size: 'small',
      weight_grams: null,
      description: `Order ${contentsOf(doc)}`.slice(0, 120),
      value: total,
      requires_id: false,
    },
    price: { amount: 0, currency: total.currency },
    scenario: doc.scenario,
  }
}

/** Returns what is in the bag: without what was removed, and with what replaced it. */
function contentsOf({ lines, adjustments = [] }: OrderDoc): string {
  const changes = adjustments.map((change) => ({
    ...change,
    lines: change.lines.map(({ back, ...line }) => ({ ...line, replacement: back ?? null })),
  }))
  return cookedRows({ lines, adjustments: changes })
    .map(({ quantity, name }) => `${quantity} × ${name}`)
    .join(', ')
}
