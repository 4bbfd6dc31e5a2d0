/** What the examples of the API reference do, one after the other: a customer, a sender, a store. */

export type Input = Record<string, unknown>

/** What was answered so far, by operation or by the step's own name. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of fifty shapes; a step that reads one wrongly is refused at once
export type Answers = Readonly<Record<string, any>>

export type Step = {
  operation: string
  /** Set where the operation has an example already and a later one needs another call of it. */
  name?: string
  /** The operation whose example needs it. */
  neededBy?: string
  input(done: Answers): Input
}

const CARD = { method: 'card', payment_token: 'tok_ok' }
const LIME_STREET = { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' }
const FINSBURY = {
  address: { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN', country_code: 'GB' },
}
const ANA = { name: 'Ana Moreau', phone: '+442079460123' }
const RAVI = { name: 'Ravi Shah', phone: '+442079460188' }
const BOX = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }
const PARCEL = {
  recipient: {
    contact: { name: 'Grace Okoro' },
    address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
  },
  parcel: BOX,
  service_level: 'next_day',
}

/** Two of the first dish that can be had without choosing anything. */
const basket = ({ get_restaurant_menu: menu }: Answers): Input => {
  const [category] = menu.categories
  const [dish] = category.items
  return {
    merchant_id: menu.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: dish.item_id, quantity: 2 }],
  }
}

/** The orders with which the store deals later: their names, and the operation that takes each. */
const STORE_ORDERS = { to_accept: 'accept_business_order', to_reject: 'reject_business_order' } as const

const quotesForStore: Step[] = Object.entries(STORE_ORDERS).map(([which, neededBy]) => ({
  operation: 'quote_food_order',
  name: `quote_${which}`,
  neededBy,
  input: basket,
}))

const ordersForStore: Step[] = Object.entries(STORE_ORDERS).map(([which, neededBy]) => ({
  operation: 'place_food_order',
  name: `order_${which}`,
  neededBy,
  input: (done) => ({ quote_id: done[`quote_${which}`].quote_id, payment: CARD }),
}))

/**
 * The operations in the order of the interface. The document groups them by path, so each step also works right after
 * the others of its path.
 */
export const STORY: readonly Step[] = [
  { operation: 'get_membership_status', input: () => ({}) },
  {
    operation: 'search_restaurants',
    input: () => ({ latitude: 51.5129, longitude: -0.0823, q: 'Forno' }),
  },
  {
    operation: 'get_restaurant_menu',
    input: (done) => ({ merchant_id: done['search_restaurants'].data[0].merchant_id }),
  },
  { operation: 'quote_food_order', input: basket },
  ...quotesForStore,
  {
    operation: 'place_food_order',
    input: (done) => ({
      quote_id: done['quote_food_order'].quote_id,
      payment: CARD,
      expected_total: done['quote_food_order'].total,
    }),
  },
  ...ordersForStore,
  { operation: 'get_food_order', input: (done) => ({ order_id: done['place_food_order'].order_id }) },
  { operation: 'list_food_orders', input: () => ({ status: ['placed', 'accepted'], limit: 5 }) },
  {
    operation: 'cancel_food_order',
    input: (done) => ({ order_id: done['place_food_order'].order_id, reason_code: 'changed_mind' }),
  },
  {
    operation: 'search_ride_options',
    input: () => ({ latitude: 51.5129, longitude: -0.0823, passengers: 2 }),
  },
  {
    operation: 'quote_ride',
    input: () => ({
      pickup: LIME_STREET,
      dropoff: { location: { latitude: 51.5308, longitude: -0.1238 }, name: "King's Cross" },
    }),
  },
  {
    operation: 'request_ride',
    input: (done) => ({ quote_id: done['quote_ride'].quote_id, tier: 'economy', payment: CARD }),
  },
  { operation: 'get_ride', input: (done) => ({ ride_id: done['request_ride'].ride_id }) },
  { operation: 'list_rides', input: () => ({ limit: 5 }) },
  {
    operation: 'cancel_ride',
    input: (done) => ({ ride_id: done['request_ride'].ride_id, reason_code: 'changed_plans' }),
  },
  {
    operation: 'quote_delivery',
    input: () => ({
      pickup: LIME_STREET,
      dropoff: FINSBURY,
      parcel: { size: 'small', weight_grams: 300, description: 'A set of keys' },
    }),
  },
  {
    operation: 'request_delivery',
    input: (done) => ({
      quote_id: done['quote_delivery'].quote_id,
      pickup_contact: ANA,
      dropoff_contact: RAVI,
      payment: CARD,
    }),
  },
  { operation: 'get_delivery', input: (done) => ({ delivery_id: done['request_delivery'].delivery_id }) },
  { operation: 'check_coverage', input: () => ({ postal_code: 'SW1A 1AA', country_code: 'GB' }) },
  {
    operation: 'quote_rates',
    input: () => ({ to_postal_code: 'RG1 1DB', to_country_code: 'GB', ...BOX }),
  },
  { operation: 'create_shipment', input: () => ({ ...PARCEL, reference: 'A-1001' }) },
  {
    operation: 'create_shipments_batch',
    input: () => ({
      manifest_reference: 'M-118',
      shipments: [
        { ...PARCEL, reference: 'A-1001' },
        { ...PARCEL, reference: 'A-1002' },
      ],
    }),
  },
  {
    operation: 'get_shipment',
    input: (done) => ({ tracking_number: done['create_shipment'].tracking_number }),
  },
  { operation: 'list_shipments', input: () => ({ status: ['pre_transit'], reference: 'A-1001' }) },
  {
    operation: 'cancel_shipment',
    input: (done) => ({
      tracking_number: done['create_shipment'].tracking_number,
      reason_code: 'order_cancelled',
    }),
  },
  {
    operation: 'list_shipment_events',
    input: (done) => ({ tracking_number: done['create_shipment'].tracking_number }),
  },
  { operation: 'list_hubs', input: () => ({}) },
  {
    operation: 'search_service_providers',
    input: () => ({ latitude: 51.5188, longitude: -0.0814, category: 'cleaning' }),
  },
  {
    operation: 'get_provider_availability',
    input: (done) => ({
      provider_id: done['search_service_providers'].data[0].provider_id,
      service_code: 'regular_clean',
      date: '2026-11-21',
    }),
  },
  {
    operation: 'quote_service',
    input: (done) => ({
      provider_id: done['search_service_providers'].data[0].provider_id,
      service_code: 'regular_clean',
      place: { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' },
      starts_at: done['get_provider_availability'].data[0].starts_at,
    }),
  },
  {
    operation: 'book_service',
    input: (done) => ({ quote_id: done['quote_service'].quote_id, contact: ANA, payment: CARD }),
  },
  { operation: 'get_service_booking', input: (done) => ({ booking_id: done['book_service'].booking_id }) },
  { operation: 'list_task_types', input: () => ({ category: 'retail_audit' }) },
  {
    operation: 'quote_task',
    input: () => ({
      task_type: 'shelf_audit',
      place: { location: { latitude: 51.5129, longitude: -0.0864 }, name: 'Leadenhall' },
      requirements: { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] },
    }),
  },
  { operation: 'create_task', input: (done) => ({ quote_id: done['quote_task'].quote_id, payment: CARD }) },
  { operation: 'get_task', input: (done) => ({ task_id: done['create_task'].task_id }) },
  { operation: 'get_task_evidence', input: (done) => ({ task_id: done['create_task'].task_id }) },
  {
    operation: 'cancel_task',
    input: (done) => ({ task_id: done['create_task'].task_id, reason_code: 'no_longer_needed' }),
  },
  { operation: 'list_business_orders', input: () => ({ active: true }) },
  { operation: 'get_business_order', input: (done) => ({ order_id: done['order_to_accept'].order_id }) },
  {
    operation: 'accept_business_order',
    input: (done) => ({ order_id: done['order_to_accept'].order_id, prep_time_minutes: 20 }),
  },
  {
    operation: 'reject_business_order',
    input: (done) => ({
      order_id: done['order_to_reject'].order_id,
      reason_code: 'too_busy',
      note: 'Sorry, full house',
    }),
  },
  {
    operation: 'start_business_order_prep',
    input: (done) => ({ order_id: done['order_to_accept'].order_id }),
  },
  {
    operation: 'mark_business_order_ready',
    input: (done) => ({ order_id: done['order_to_accept'].order_id, collection_instructions: 'Side door' }),
  },
  {
    operation: 'complete_business_order',
    input: (done) => ({ order_id: done['order_to_accept'].order_id, collected_by_name: 'Priya' }),
  },
  { operation: 'list_catalog_items', input: () => ({ q: 'focaccia' }) },
  {
    operation: 'create_catalog_item',
    input: () => ({
      name: 'Pad Thai',
      category: 'Noodles',
      price: { amount: 1150, currency: 'GBP' },
      description: 'Rice noodles, tamarind, peanuts',
      allergens: ['peanuts'],
    }),
  },
  {
    operation: 'update_catalog_item',
    input: (done) => ({
      item_id: done['create_catalog_item'].item_id,
      price: { amount: 1195, currency: 'GBP' },
      version: 1,
    }),
  },
  {
    operation: 'set_catalog_item_availability',
    input: (done) => ({
      item_id: done['list_catalog_items'].data[0].item_id,
      available: false,
      reason: 'sold_out',
    }),
  },
  { operation: 'delete_catalog_item', input: (done) => ({ item_id: done['create_catalog_item'].item_id }) },
  {
    operation: 'import_catalog_items',
    input: () => ({
      default_category: 'Specials',
      items: [
        { name: 'Laksa', price: { amount: 1200, currency: 'GBP' } },
        { name: 'Focaccia', category: 'Antipasti', price: { amount: 495, currency: 'GBP' } },
      ],
    }),
  },
]
