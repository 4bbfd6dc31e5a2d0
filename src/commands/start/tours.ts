/** The tours of `dray start`: for each kind of user, commands that end with something delivered. */

export type TourStep = {
  /** The purpose of the command, as a sentence. */
  about: string
  /** The words after `dray`. */
  words: readonly string[]
  /** Its exit code; 0 without it. */
  exit?: number
}

export type Tour = { name: string; title: string; steps: readonly TourStep[]; next: string }

/** The time at which each tour's sandbox stands: a Friday at noon, when stores are open. */
export const TOUR_TIME = '2026-11-20T12:00:00Z'

const ORDER: TourStep = {
  about:
    'Order from a store. dray buys nothing above --max-total, and repeating the command buys nothing twice.',
  words: [
    'food',
    'order',
    'Lime Street Noodles',
    '--item',
    'Pad Thai x2 + Chicken + Hot',
    '--fulfillment',
    'delivery',
    '--to',
    '12 Finsbury Square, London EC2A 1AN',
    '--max-total',
    '30.00',
    '--yes',
  ],
}

/** The number of that order: the sandbox of a tour is always the same. */
const NUMBER = 'X7KH'

const ACCEPT: TourStep = {
  about: 'In the sandbox you also run the store: accept the order by its number.',
  words: ['business', 'orders', 'accept', NUMBER, '--as', 'owner', '--prep-time', '10'],
}

const READY: TourStep = {
  about: 'The food is ready: a courier collects it.',
  words: ['business', 'orders', 'ready', NUMBER, '--as', 'owner'],
}

const SOON: TourStep = {
  about: 'You control the sandbox clock: advance it by an hour. All events due in that hour take place.',
  words: ['sandbox', 'clock', 'advance', '1h'],
}

const DELIVERED: TourStep = { about: 'Check the result.', words: ['food', 'track'] }

const ORDERING: Tour = {
  name: 'order',
  title: 'I order food',
  steps: [
    {
      about: 'Find food near a place: a name, a postcode or a point.',
      words: ['food', 'search', 'thai', '--near', 'kings-cross', '--radius', '5000'],
    },
    ORDER,
    ACCEPT,
    READY,
    SOON,
    DELIVERED,
  ],
  next: 'dray food order',
}

const STORE: Tour = {
  name: 'store',
  title: 'I run a store',
  steps: [
    { ...ORDER, about: 'A customer orders from your store.' },
    {
      about: 'Your orders, newest first.',
      words: ['business', 'orders', 'list', '--as', 'owner', '--limit', '5'],
    },
    { ...ACCEPT, about: 'Accept the order by its number, and set the prep time.' },
    READY,
    SOON,
    { ...DELIVERED, about: 'See the order as the customer does.' },
  ],
  next: 'dray business orders watch',
}

function parcelTour(examples: string): Tour {
  return {
    name: 'parcels',
    title: 'I send parcels',
    steps: [
      {
        about: 'Check a file of parcels and its price. Nothing is created yet.',
        words: ['carrier', 'upload', `${examples}/manifest.csv`, '--results', 'none', '--dry-run'],
      },
      {
        about: 'Create the parcels. Uploading the same file again creates nothing twice.',
        words: ['carrier', 'upload', `${examples}/manifest.csv`, '--results', 'none', '--yes', '--quiet'],
      },
      { about: 'Advance the clock by three days.', words: ['sandbox', 'clock', 'advance', '3d'] },
      {
        about: 'See which parcels have arrived.',
        words: ['carrier', 'list', '--status', 'delivered', '--limit', '5'],
      },
    ],
    next: 'dray carrier template',
  }
}

const BUILDING: Tour = {
  name: 'build',
  title: 'I am a developer',
  steps: [
    {
      about: 'Every operation has a command, and --json prints one document.',
      words: [
        'food',
        'search',
        'thai',
        '--near',
        'kings-cross',
        '--radius',
        '5000',
        '--json',
        '--query',
        'data[].name',
      ],
    },
    {
      about: 'Errors are documents too, with an exit code for each kind of error.',
      words: ['food', 'show', 'ord_00000000000000000000000000', '--json'],
      exit: 5,
    },
    { ...ORDER, words: [...ORDER.words, '--json', '--query', '[order_id, status]'] },
    { ...ACCEPT, words: [...ACCEPT.words, '--json', '--query', 'status'] },
    { ...READY, words: [...READY.words, '--json', '--query', 'status'] },
    { ...SOON, words: [...SOON.words, '--json', '--query', 'now'] },
    { about: 'It was delivered.', words: ['food', 'show', 'last', '--json', '--query', 'status'] },
  ],
  next: 'dray serve',
}

/** Returns the tours. `examples` is the folder of the files that come with the program. */
export function listTours(examples: string): Tour[] {
  return [ORDERING, STORE, parcelTour(examples), BUILDING]
}
