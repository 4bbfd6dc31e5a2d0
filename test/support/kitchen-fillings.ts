/** Fillings of the kitchen's wall: made-up orders of 2 to 5 lines, in the shape of a real one. */
import type { OperationOutput } from '../../src/client/operations.ts'

export type WallOrder = OperationOutput<'list_business_orders'>['data'][number]

/** The dishes, with their allergens. */
const ALLERGENS: Readonly<Record<string, readonly string[]>> = {
  'Pad Thai': ['peanuts', 'eggs', 'fish'],
  'Khao Soi': ['gluten', 'eggs'],
  'Green Curry': ['fish'],
  'Drunken Noodles': ['gluten', 'soya'],
  'Tom Yum': ['crustaceans', 'fish'],
  'Chicken Satay': ['peanuts', 'soya'],
  Massaman: ['peanuts', 'fish'],
  'Crispy Pork Belly': ['soya', 'gluten'],
  'Fried Rice': ['eggs', 'soya'],
  'Spring Rolls': ['gluten'],
  'Jasmine Rice': ['celery'],
  Roti: ['gluten', 'milk'],
  'Morning Glory': ['soya'],
  'Papaya Salad': ['peanuts', 'fish'],
  'Summer Rolls': ['crustaceans'],
  'Mango Sticky Rice': ['sesame'],
  'Thai Iced Tea': ['milk'],
  Cola: ['sulphites'],
  Singha: ['gluten'],
  'Coconut Water': ['sulphites'],
  'Lime Soda': ['sulphites'],
}

type Basket = { lines: readonly (readonly [number, string, string?])[]; notes?: string }

const BASKETS: readonly Basket[] = [
  {
    lines: [
      [2, 'Pad Thai', 'chicken, hot'],
      [2, 'Thai Iced Tea', 'less ice'],
    ],
  },
  {
    lines: [
      [1, 'Khao Soi', 'beef'],
      [1, 'Spring Rolls', '4 pieces'],
      [2, 'Jasmine Rice'],
      [1, 'Cola', '330 ml'],
    ],
  },
  {
    lines: [
      [1, 'Green Curry', 'prawn, mild'],
      [1, 'Jasmine Rice'],
      [1, 'Papaya Salad', 'no chilli'],
    ],
    notes: 'Peanut allergy, severe',
  },
  {
    lines: [
      [3, 'Chicken Satay', '5 sticks'],
      [1, 'Massaman', 'beef'],
      [2, 'Roti'],
    ],
  },
  {
    lines: [
      [1, 'Drunken Noodles', 'tofu, hot, no onion'],
      [1, 'Lime Soda'],
    ],
    notes: 'Sauce on the side, please',
  },
  {
    lines: [
      [2, 'Tom Yum', 'prawn, large'],
      [1, 'Fried Rice', 'crab'],
      [1, 'Morning Glory'],
      [2, 'Singha'],
    ],
  },
  {
    lines: [
      [1, 'Pad Thai', 'tofu, mild, no egg'],
      [1, 'Summer Rolls', 'prawn'],
    ],
  },
  {
    lines: [
      [1, 'Crispy Pork Belly', 'with rice'],
      [1, 'Papaya Salad', 'Thai hot'],
      [1, 'Mango Sticky Rice'],
      [1, 'Coconut Water'],
    ],
  },
  {
    lines: [
      [2, 'Khao Soi', 'chicken, extra noodles'],
      [1, 'Roti'],
      [2, 'Cola', '330 ml'],
    ],
  },
  {
    lines: [
      [1, 'Massaman', 'lamb'],
      [2, 'Jasmine Rice'],
      [1, 'Spring Rolls', '6 pieces'],
    ],
    notes: 'Birthday: candles if you have any',
  },
  {
    lines: [
      [4, 'Pad Thai', 'prawn, medium'],
      [4, 'Spring Rolls', '4 pieces'],
      [2, 'Lime Soda'],
      [2, 'Cola', '330 ml'],
      [1, 'Mango Sticky Rice'],
    ],
  },
  {
    lines: [
      [1, 'Fried Rice', 'chicken'],
      [1, 'Thai Iced Tea'],
    ],
  },
  {
    lines: [
      [1, 'Green Curry', 'tofu'],
      [1, 'Jasmine Rice'],
      [1, 'Roti', 'no butter'],
    ],
    notes: 'No dairy, please',
  },
  {
    lines: [
      [2, 'Drunken Noodles', 'chicken, hot'],
      [1, 'Morning Glory'],
      [1, 'Singha'],
    ],
  },
  {
    lines: [
      [1, 'Tom Yum', 'mushroom'],
      [1, 'Summer Rolls', 'tofu'],
      [1, 'Coconut Water'],
    ],
    notes: 'Sans coriandre, merci',
  },
  {
    lines: [
      [2, 'Massaman', 'chicken'],
      [1, 'Crispy Pork Belly', 'no rice'],
      [3, 'Jasmine Rice'],
    ],
  },
]

const NUMBERS =
  'XSJ7 E8D8 6SWZ Q20P R28H K6R1 5V0C 88Y3 HXM2 69X2 KRVZ C2QF A9KF T4NB W7PM 2JHD F5RC N8TX 3GQA P9LV B6ZE M1YK D7WS 4CFV H2XN V8RJ 7TKA G3MP Z5BD S9QE L4HV Y6CN J1WT V7FA'.split(
    ' ',
  )
const PEOPLE = 'Priya Alex Mei Oisín Günther Zoë Tariq Ines Jonas Amara Leo Noor Sam Iris Kofi Ada'.split(' ')
const MINUTE_MS = 60_000

export type WallFilling = '31 new' | 'mixed'

/** Returns the orders of a filling at a time, in the shape of `real`. `shift` begins with another basket. */
export function fillWall(real: WallOrder, filling: WallFilling, now: number, shift = 0): WallOrder[] {
  let made = 0
  const make = (status: WallOrder['status'], change: (order: WallOrder) => void): WallOrder => {
    const at = made++
    const order = toOrder(real, at, (at + shift) % BASKETS.length)
    order.status = status
    order.allowed_actions = ALLOWED[status] ?? []
    order.placed_at = toIso(now - 2 * MINUTE_MS)
    change(order)
    return order
  }
  const after = (minutes: number) => toIso(now + minutes * MINUTE_MS)
  const placed = (minutes: number) => make('placed', (order) => (order.accept_by = after(minutes)))
  if (filling === '31 new')
    return Array.from({ length: 31 }, (_, at) => placed((at === 0 ? 50 : 130 + (at - 1) * 16) / 60))
  const cooked = (status: WallOrder['status'], minutes: number) =>
    make(status, (order) => (order.prep.estimated_ready_at = after(minutes)))
  return [
    ...[1.4, 2.6, 7.2, 8.4, 9.5].map(placed),
    ...[6, 9, 12, 14, 18].map((minutes) => cooked('accepted', minutes)),
    ...[-4, 0.4, 3, 5].map((minutes) => cooked('preparing', minutes)),
    ...[-6, -3, -1].map((minutes, at) =>
      make('ready', (order) => {
        order.prep.ready_at = after(minutes)
        order.notes = null
        order.fulfillment_type = at === 1 ? 'pickup' : 'delivery'
        if (at === 1) order.delivery = null
        else order.allowed_actions = []
      }),
    ),
    ...[-9, -14].map((minutes) => make('out_for_delivery', (order) => (order.updated_at = after(minutes)))),
    ...[391, 451, 1861].map((minutes) =>
      make('accepted', (order) => {
        order.prep.estimated_ready_at = after(minutes)
        order.slot = { starts_at: after(minutes), ends_at: after(minutes + 30) }
      }),
    ),
  ]
}

const ALLOWED: Readonly<Partial<Record<WallOrder['status'], WallOrder['allowed_actions']>>> = {
  placed: ['accept', 'reject'],
  accepted: ['preparing', 'ready', 'reject'],
  preparing: ['ready', 'reject'],
  ready: ['complete', 'reject'],
}

function toIso(at: number): string {
  return new Date(at).toISOString()
}

function toOrder(real: WallOrder, at: number, basket: number): WallOrder {
  const { lines: dishes, notes } = BASKETS[basket] as Basket
  const [line] = real.lines
  if (line === undefined) throw new Error('a real order has a line')
  const lines = dishes.map(([quantity, name, chosen], index) => ({
    ...line,
    line_id: `line_${index + 1}`,
    item_id: `itm_${name}`,
    name,
    quantity,
    notes: null,
    allergens: [...(ALLERGENS[name] ?? [])],
    modifiers: (chosen?.split(', ') ?? []).map((choice) => ({
      modifier_id: choice,
      modifier_group_id: 'grp',
      name: choice,
      quantity: 1,
      price_delta: { ...real.total, amount: 0 },
    })),
  }))
  const way = at % 5 === 1 ? 'pickup' : at % 7 === 4 ? 'dine_in' : 'delivery'
  return {
    ...real,
    order_id: `ord_${at}`,
    display_number: NUMBERS[at] ?? String(at),
    fulfillment_type: way,
    customer: { ...real.customer, first_name: PEOPLE[(at * 5) % 16] ?? '' },
    payment: at % 6 === 3 ? { ...real.payment, method: 'cash', status: 'unpaid' } : real.payment,
    table: way === 'dine_in' ? { table_number: String((at % 9) + 1), party_size: null, check: null } : null,
    delivery:
      way === 'delivery' ? { delivery_id: 'dlv', status: 'looking_for_courier', courier: null } : null,
    slot: null,
    accept_by: null,
    notes: notes ?? null,
    lines,
    adjustments: [],
    problems: [],
    prep: { ...real.prep, prep_time_minutes: at % 4 === 1 ? 20 : 15 },
  }
}
