/** The areas of the interface, in its order, with their texts: in the API document, in the reference, and in help. */
const areas = {
  account: {
    title: 'Account',
    summary: 'The calling customer.',
    commands: 'Your membership',
  },
  food: {
    title: 'Food',
    summary: 'Restaurants, groceries and shops: search, price, order, track.',
    commands: 'Order food: search, menu, quote, order, track',
  },
  rides: {
    title: 'Rides',
    summary: 'Rides: tiers, prices, requests, tracking.',
    commands: 'Request a ride: options, quote, request, track',
  },
  delivery: {
    title: 'Courier deliveries',
    summary: 'Courier deliveries between two points.',
    commands: 'Send a courier between two points',
  },
  carrier: {
    title: 'Parcels',
    summary: 'Parcels under a carrier agreement: coverage, rates, creation, tracking, hubs.',
    commands: 'Parcels: coverage, rates, manifests, tracking',
  },
  services: {
    title: 'Home services',
    summary: 'Providers who travel to the customer.',
    commands: 'Book home services',
  },
  tasks: {
    title: 'Tasks',
    summary: 'Real-world tasks with evidence.',
    commands: 'Have something done, with evidence',
  },
  business: {
    title: 'Your store',
    summary: 'A store’s orders and menu.',
    commands: 'A store’s orders and catalogue',
  },
} as const

export type Area = keyof typeof areas

export type AreaTexts = {
  /** The title of the area's page in the reference. */
  title: string
  /** A sentence on what it is about. */
  summary: string
  /** The line about its commands in help. */
  commands: string
}

export const AREAS: Readonly<Record<Area, AreaTexts>> = areas
