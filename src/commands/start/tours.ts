/** The tours of `dray start`: for each kind of user, commands that end with something delivered. */

export type Step = {
  /** The purpose of the command, as a sentence. */
  about: string
  /** The words after `dray`. */
  words: readonly string[]
  /** Its exit code; 0 without it. */
  exit?: number
}

export type Tour = { name: string; title: string; steps: readonly Step[]; next: string }

/** The time at which each tour's sandbox stands: a Friday at noon, when stores are open. */
export const NOON = '2026-11-20T12:00:00Z'

const ORDER: Step = {
  about: 'Order from one of them. Nothing is bought above --max-total, and a repeat buys nothing twice.',
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

const ACCEPT: Step = {
  about: 'In the sandbox you are also the store: accept the order by its number.',
  words: ['business', 'orders', 'accept', NUMBER, '--as', 'owner', '--prep-time', '10'],
}

const READY: Step = {
  about: 'It is cooked: a courier comes for it.',
  words: ['business', 'orders', 'ready', NUMBER, '--as', 'owner'],
}

const SOON: Step = {
  about: 'The clock of the sandbox is yours: let an hour pass. Everything that is due happens.',
  words: ['sandbox', 'clock', 'advance', '1h'],
}

const DELIVERED: Step = { about: 'See how it went.', words: ['food', 'track'] }

const ORDERING: Tour = {
  name: 'order',
  title: 'I order food',
  steps: [
    {
      about: 'Find food around a place: a name, a postcode or a point.',
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
    { ...ACCEPT, about: 'Accept it by its number, and say how long it takes.' },
    READY,
    SOON,
    { ...DELIVERED, about: 'What the customer saw.' },
  ],
  next: 'dray business orders watch',
}

function parcelTour(examples: string): Tour {
  return {
    name: 'parcels',
    title: 'I send parcels',
    steps: [
      {
        about: 'Check a file of parcels and see its price. Nothing is created yet.',
        words: ['carrier', 'upload', `${examples}/manifest.csv`, '--results', 'none', '--dry-run'],
      },
      {
        about: 'Create them. The same file again creates nothing twice.',
        words: ['carrier', 'upload', `${examples}/manifest.csv`, '--results', 'none', '--yes', '--quiet'],
      },
      { about: 'Let three days pass.', words: ['sandbox', 'clock', 'advance', '3d'] },
      {
        about: 'See which have arrived.',
        words: ['carrier', 'list', '--status', 'delivered', '--limit', '5'],
      },
    ],
    next: 'dray carrier template',
  }
}

const BUILDING: Tour = {
  name: 'build',
  title: 'I build against it',
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
      about: 'Failures are documents, too, with an exit code that says what happened.',
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
