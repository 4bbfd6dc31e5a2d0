/** The answers of operations, as the pages of shared links read them. */
import type { OPERATIONS } from '../../areas/index.ts'
import type { JsonText } from '../../core/json-text.ts'

type Of<N extends keyof typeof OPERATIONS> = Awaited<ReturnType<(typeof OPERATIONS)[N]>>

type Answer<N extends keyof typeof OPERATIONS> = Exclude<Awaited<ReturnType<Of<N>['run']>>, JsonText<unknown>>

/** The resource of each kind, with all that its owner may see. */
export type Resources = {
  order: Answer<'get_food_order'>
  ride: Answer<'get_ride'>
  delivery: Answer<'get_delivery'>
  parcel: Answer<'get_shipment'>
  booking: Answer<'get_service_booking'>
  task: Answer<'get_task'>
}

export type Proof = NonNullable<Resources['delivery']['proof_of_delivery']>
