/** The stories to start from the page: real calls of the interface, made for the sample accounts. */
import type { OperationOutput, OperationInput, ClientOperationName } from '../../client/operations.ts'
import { findNamedPlace } from '../../core/places/gazetteer.ts'

/** Makes the calls of a story, for one account each. */
export type Caller = <N extends ClientOperationName>(
  as: string,
  operation: N,
  input: OperationInput<N>,
  scenario?: string,
) => Promise<OperationOutput<N>>

export type Story = {
  name: string
  title: string
  /** The scene that its starter sees. */
  about: string
  /** The calls that it makes, told before it makes them. */
  asks: readonly { as: string; operations: readonly ClientOperationName[]; times: number }[]
  /** Makes its calls; `say` tells of each thing that was made. */
  play(call: Caller, say: (line: string) => void): Promise<void>
}

const CARD = { method: 'card', payment_token: 'tok_ok' } as const
const PHONE = '+447700900123'

/** Doors that couriers bring food to. */
const DOORS = [
  ['12 Finsbury Square', 'EC2A 1AN'],
  ['1 Leadenhall Street', 'EC3V 1AB'],
  ['60 Old Compton Street', 'W1D 4UH'],
  ['5 Upper Street', 'N1 0PQ'],
  ['40 Bermondsey Street', 'SE1 3UD'],
  ['9 Whitechapel Road', 'E1 1DU'],
] as const

/** The accounts of the sample data with a membership that lets them order. */
const CUSTOMERS = ['member', 'everything'] as const

export const STORIES: readonly Story[] = [
  {
    name: 'lunch',
    title: 'The lunch rush',
    about:
      'Six people order lunch from different restaurants. The kitchens accept and cook, and couriers deliver the orders.',
    asks: CUSTOMERS.map((as) => ({
      as,
      operations: ['search_restaurants', 'get_restaurant_menu', 'quote_food_order', 'place_food_order'],
      times: 3,
    })),
    async play(call, say) {
      for (const [index, door] of DOORS.entries()) {
        const as = CUSTOMERS[index % CUSTOMERS.length] ?? 'member'
        say(await orderLunch(call, { as, door, index }))
      }
    },
  },
  {
    name: 'rides',
    title: 'Rides across town',
    about:
      'Two customers request rides. Nearby drivers get the request; one accepts and drives to the pickup, then to the drop-off. The second driver cancels on the way, and another driver takes over.',
    asks: CUSTOMERS.map((as) => ({
      as,
      operations: ['quote_ride', 'request_ride'],
      times: 1,
    })),
    async play(call, say) {
      const trips = [
        ['member', 'Paddington', 'Canary Wharf'],
        ['everything', 'King’s Cross', 'Greenwich'],
      ] as const
      for (const [as, from, to] of trips) {
        const quote = await call(as, 'quote_ride', { pickup: at(from), dropoff: at(to) })
        await call(
          as,
          'request_ride',
          { quote_id: quote.quote_id, tier: 'economy', payment: CARD },
          as === 'everything' ? 'driver_cancels' : undefined,
        )
        say(
          `${as} rides from ${from} to ${to}${as === 'everything' ? '; the first driver will cancel' : ''}.`,
        )
      }
    },
  },
  {
    name: 'errands',
    title: 'Errands and parcels',
    about:
      'Two couriers make deliveries, two taskers check shelves and meters, and a shop sends three parcels. One parcel is delivered at the second attempt.',
    asks: [
      { as: 'member', operations: ['quote_delivery', 'request_delivery'], times: 2 },
      { as: 'everything', operations: ['quote_task', 'create_task'], times: 2 },
      { as: 'shipper', operations: ['create_shipment'], times: 3 },
    ],
    async play(call, say) {
      for (const [from, to, what] of [
        ['Covent Garden', 'Clerkenwell', 'A set of keys'],
        ['London Bridge', 'Bloomsbury', 'A birthday cake'],
      ] as const)
        say(await sendAcross(call, { from, to, what }))
      for (const place of ['Leadenhall Market', 'Borough Market']) {
        const quote = await call('everything', 'quote_task', {
          task_type: 'shelf_audit',
          place: at(place),
          requirements: { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] },
        })
        await call('everything', 'create_task', { quote_id: quote.quote_id, payment: CARD })
        say(`everything sends a tasker to ${place}.`)
      }
      for (const [index, name] of ['Grace Okoro', 'Ravi Shah', 'Nia Clarke'].entries())
        say(await postParcel(call, { name, tried: index === 0 }))
    },
  },
  {
    name: 'trouble',
    title: 'Things go wrong',
    about:
      'Typical failures: a store rejects and refunds an order, a courier cancels a delivery, a parcel is lost. See how your program handles them.',
    asks: [
      {
        as: 'everything',
        operations: ['search_restaurants', 'get_restaurant_menu', 'quote_food_order', 'place_food_order'],
        times: 1,
      },
      { as: 'member', operations: ['quote_delivery', 'request_delivery'], times: 1 },
      { as: 'shipper', operations: ['create_shipment'], times: 1 },
    ],
    async play(call, say) {
      say(
        await orderLunch(call, {
          as: 'everything',
          door: DOORS[0],
          index: 2,
          scenario: 'store_rejects;reason=too_busy',
        }),
      )
      say(
        await sendAcross(call, {
          from: 'Angel',
          to: 'Whitechapel',
          what: 'A laptop',
          scenario: 'courier_cancels',
        }),
      )
      say(await postParcel(call, { name: 'Tom Baker', scenario: 'lost' }))
    },
  },
]

function at(name: string): { location: { latitude: number; longitude: number }; name: string } {
  const { latitude = 51.5129, longitude = -0.0823 } = findNamedPlace(name) ?? {}
  return { location: { latitude, longitude }, name }
}

type Lunch = { as: string; door: (typeof DOORS)[number]; index: number; scenario?: string }

/** Orders two dishes of a restaurant near a door; each `index` another restaurant. */
async function orderLunch(call: Caller, { as, door, index, scenario }: Lunch): Promise<string> {
  const [line1, postal_code] = door
  const { data: stores } = await call(as, 'search_restaurants', {
    latitude: 51.5129,
    longitude: -0.0823,
    fulfillment_type: 'delivery',
  })
  const store = stores[index % stores.length]
  if (store === undefined) return 'No restaurant delivers now.'
  const { merchant_id, name } = store
  const menu = await call(as, 'get_restaurant_menu', { merchant_id, available_only: true })
  const dishes = menu.categories.flatMap(({ items }) => items)
  const items = dishes.slice(0, 2).map(({ item_id, modifier_groups }) => ({
    item_id,
    quantity: 2,
    modifiers: modifier_groups.flatMap(({ min_selections, modifiers }) =>
      modifiers
        .filter(({ available }) => available)
        .slice(0, min_selections)
        .map(({ modifier_id }) => ({ modifier_id })),
    ),
  }))
  const quote = await call(as, 'quote_food_order', {
    merchant_id,
    fulfillment_type: 'delivery',
    items,
    dropoff: { address: { line1, city: 'London', postal_code, country_code: 'GB' } },
  })
  const order = await call(
    as,
    'place_food_order',
    { quote_id: quote.quote_id, payment: CARD, contact: { name: 'Sample Customer', phone: PHONE } },
    scenario ?? 'store_auto',
  )
  return `${as} orders ${order.display_number} from ${name}.`
}

async function sendAcross(
  call: Caller,
  { from, to, what, scenario }: { from: string; to: string; what: string; scenario?: string },
): Promise<string> {
  const quote = await call('member', 'quote_delivery', {
    pickup: at(from),
    dropoff: at(to),
    parcel: { size: 'small', weight_grams: 300, description: what },
  })
  await call(
    'member',
    'request_delivery',
    {
      quote_id: quote.quote_id,
      pickup_contact: { name: 'Ana Moreau', phone: PHONE },
      dropoff_contact: { name: 'Ravi Shah', phone: PHONE },
      payment: CARD,
    },
    scenario,
  )
  return `member sends “${what}” from ${from} to ${to}.`
}

async function postParcel(
  call: Caller,
  { name, tried = false, scenario }: { name: string; tried?: boolean; scenario?: string },
): Promise<string> {
  const { tracking_number } = await call(
    'shipper',
    'create_shipment',
    {
      service_level: 'next_day',
      recipient: {
        contact: { name, phone: PHONE },
        address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
      },
      parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100, description: 'Books' },
    },
    tried ? 'attempt_fails;times=2' : scenario,
  )
  return `shipper sends parcel ${tracking_number} to ${name}.`
}
