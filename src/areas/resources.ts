/** Every resource. When several have the same kind of id, the customer's comes first. */
import { CATALOG_ITEM, STORE_ORDER } from './business/resource.ts'
import { SHIPMENT } from './carrier/resource.ts'
import { DELIVERY } from './delivery/resource.ts'
import { FOOD_ORDER } from './food/resource.ts'
import { RIDE } from './rides/resource.ts'
import { BOOKING } from './services/resource.ts'
import { TASK } from './tasks/resource.ts'

export const RESOURCES = {
  food_order: FOOD_ORDER,
  ride: RIDE,
  delivery: DELIVERY,
  shipment: SHIPMENT,
  booking: BOOKING,
  task: TASK,
  store_order: STORE_ORDER,
  catalog_item: CATALOG_ITEM,
} as const

type Row = (typeof RESOURCES)[keyof typeof RESOURCES]

/** The kinds of quote, as named in a quote. */
export type QuoteKind = Extract<Row, { held: unknown }>['held']['kind']
