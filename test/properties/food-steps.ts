/** The possible next steps of people and stores, as data. A number picks one of the existing resources. */
import type { StepOf } from '../support/model.ts'
import { fc } from '../support/properties.ts'
import { type ModelStoreAction, HOUR, type FoodPaymentMethod, MINUTE } from './food-model.ts'

export type Pick = 'right' | 'none' | 'too many' | 'foreign' | 'twice' | 'unavailable'

export type FoodStep =
  | {
      do: 'quote'
      as: string
      store: number
      type: 'delivery' | 'pickup' | 'dine_in'
      lines: { item: number; quantity: number; pick: Pick }[]
      flaw: 'none' | 'store' | 'item' | 'foreign item' | 'far' | 'nowhere' | 'currency' | 'malformed'
      later: number | undefined
      table: number
      tip: number
    }
  | {
      do: 'place'
      as: string | undefined
      quote: number
      /** Picks a quote that can be confirmed, if there is one. */
      usable: boolean
      method: FoodPaymentMethod
      token: 'tok_ok' | 'tok_store' | 'tok_pending' | 'tok_declined'
      expected: 'none' | 'right' | 'wrong'
      flaw: 'none' | 'unknown' | 'ride' | 'no key' | 'no token'
      key: string | undefined
    }
  | {
      do: 'cancel'
      as: string | undefined
      order: number
      usable: boolean
      key: string | undefined
      unknown: boolean
    }
  | { do: 'show'; as: string | undefined; order: number; side: 'customer' | 'store'; unknown: boolean }
  | {
      do: 'store'
      action: ModelStoreAction
      as: string | undefined
      order: number
      usable: boolean
      key: string | undefined
      unknown: boolean
      mark: boolean
      prep: number | undefined
      malformed: boolean
    }
  | {
      do: 'list'
      side: 'customer' | 'store'
      as: string
      store: number | undefined
      status: string[]
      active: boolean | undefined
      type: string[]
      paid: string | undefined
      from: number | undefined
      limit: number
      cursor: 'own' | 'forged' | 'of other filters'
    }
  | { do: 'settle'; what: 'payment' | 'check'; order: number }
  | { do: 'open check'; order: number }
  | { do: 'again'; which: number; other: boolean }
  | { do: 'pause'; store: number; paused: boolean }
  | { do: 'couriers'; away: boolean }
  | { do: 'membership'; as: string; to: 'active' | 'expired' }
  | { do: 'menu'; as: string; store: number; filtered: boolean; availableOnly: boolean; unknown: boolean }
  | {
      do: 'search'
      as: string
      at: 'here' | 'far' | 'nowhere'
      radius: number | undefined
      kind: string | undefined
      q: string | undefined
      type: string | undefined
      cursor: 'own' | 'forged'
    }
  | {
      do: 'create'
      as: string | undefined
      store: number
      item: ModelItemDraft
      flaw: ItemFlaw
      key: string | undefined
    }
  | {
      do: 'update'
      as: string | undefined
      item: number
      change: 'name' | 'price' | 'category' | 'groups' | 'nothing' | 'availability'
      draft: ModelItemDraft
      flaw: ItemFlaw
      version: 'none' | 'right' | 'old'
      unknown: boolean
      key: string | undefined
    }
  | {
      do: 'availability'
      as: string | undefined
      item: number
      available: boolean
      until: number | undefined
      unknown: boolean
      key: string | undefined
    }
  | { do: 'delete'; as: string | undefined; item: number; unknown: boolean; key: string | undefined }
  | {
      do: 'import'
      as: string | undefined
      store: number
      rows: { draft: ModelItemDraft; flaw: ItemFlaw | 'no category' | 'no name' }[]
      section: boolean
      many: boolean
      key: string | undefined
    }
  | {
      do: 'items'
      as: string
      store: number | undefined
      filter: 'none' | 'available' | 'off sale' | 'category' | 'q'
      cursor: 'own' | 'forged'
    }
  | { do: 'wait'; ms: number; lazily: boolean }

export type FoodStepOf<Name extends FoodStep['do']> = StepOf<FoodStep, Name>

/** Names, references and barcodes come from a few values, so that they collide. */
export type ModelItemDraft = {
  name: number
  category: number
  ref: number | undefined
  barcode: number | undefined
  price: number
  groups: number
  tax: number | undefined
  available: boolean
}
export type ItemFlaw = 'none' | 'group' | 'barcode' | 'currency' | 'malformed'

const customer = fc.oneof(
  { weight: 8, arbitrary: fc.constant('member') },
  { weight: 5, arbitrary: fc.constant('everything') },
  { weight: 2, arbitrary: fc.constantFrom('lapsed', 'guest') },
  { weight: 1, arbitrary: fc.constantFrom('owner', 'without') },
)
/** Usually the owner. */
const whoever = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('everything', 'owner', 'member', 'without', 'guest') },
)
const seldom = fc.nat(14).map((n) => n === 0)
/** Usually a call without a repeated key. */
const key = fc.constantFrom(undefined, undefined, undefined, 'k1')
const any = fc.nat(40)

const draft: fc.Arbitrary<ModelItemDraft> = fc.record({
  name: fc.nat(9),
  category: fc.nat(2),
  ref: fc.option(fc.nat(9), { nil: undefined }),
  barcode: fc.option(fc.nat(9), { nil: undefined }),
  price: fc.integer({ min: 0, max: 2500 }),
  groups: fc.nat(5),
  tax: fc.option(fc.constantFrom(0, 500, 1750), { nil: undefined }),
  available: fc.nat(5).map((n) => n > 0),
})
const flaw: fc.Arbitrary<ItemFlaw> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('none' as const) },
  { weight: 4, arbitrary: fc.constantFrom('group' as const, 'barcode', 'currency', 'malformed') },
)

const is = <Name extends FoodStep['do']>(name: Name) => fc.constant(name)

const quote = fc.record({
  do: is('quote'),
  as: customer,
  store: fc.nat(2),
  type: fc.constantFrom('delivery' as const, 'pickup', 'dine_in'),
  lines: fc.array(
    fc.record({
      item: any,
      quantity: fc.integer({ min: 1, max: 3 }),
      pick: fc.oneof(
        { weight: 16, arbitrary: fc.constant<Pick>('right') },
        {
          weight: 1,
          arbitrary: fc.constantFrom<Pick>('none', 'too many', 'foreign', 'twice', 'unavailable'),
        },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  flaw: fc.oneof(
    { weight: 14, arbitrary: fc.constant('none' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'store' as const,
        'item',
        'foreign item',
        'far',
        'nowhere',
        'currency',
        'malformed',
      ),
    },
  ),
  later: fc.option(fc.integer({ min: 4, max: 5 }), { freq: 2, nil: undefined }),
  table: fc.nat(1),
  tip: fc.constantFrom(0, 0, 200),
})

const place = fc.record({
  do: is('place'),
  as: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: customer }),
  quote: fc.nat(3),
  usable: fc.nat(3).map((n) => n > 0),
  method: fc.constantFrom<FoodPaymentMethod>(
    'card',
    'card',
    'card',
    'wallet',
    'wallet',
    'cash',
    'pay_at_table',
    'pay_at_table',
  ),
  token: fc.constantFrom(
    'tok_ok' as const,
    'tok_ok',
    'tok_store',
    'tok_store',
    'tok_pending',
    'tok_declined',
  ),
  expected: fc.constantFrom('none' as const, 'right', 'none', 'right', 'none', 'right', 'wrong'),
  flaw: fc.oneof(
    { weight: 16, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('unknown' as const, 'ride', 'no key', 'no token') },
  ),
  key,
})

const cancel = fc.record({
  do: is('cancel'),
  as: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: customer }),
  order: any,
  usable: fc.boolean(),
  key,
  unknown: seldom,
})

const show = fc.record({
  do: is('show'),
  as: whoever,
  order: any,
  side: fc.constantFrom('customer' as const, 'store'),
  unknown: seldom,
})

const action = fc.record({
  do: is('store'),
  action: fc.constantFrom<ModelStoreAction>(
    'accept',
    'accept',
    'preparing',
    'ready',
    'ready',
    'complete',
    'complete',
    'reject',
  ),
  as: whoever,
  order: any,
  usable: fc.nat(2).map((n) => n > 0),
  key,
  unknown: seldom,
  mark: fc.boolean(),
  prep: fc.option(fc.integer({ min: 1, max: 180 }), { nil: undefined }),
  malformed: seldom,
})

const STATUSES = ['placed', 'accepted', 'preparing', 'ready', 'completed', 'rejected', 'cancelled'] as const
const list = fc.record({
  do: is('list'),
  side: fc.constantFrom('customer' as const, 'store'),
  as: fc.constantFrom('everything', 'everything', 'owner', 'member', 'member', 'guest', 'without'),
  store: fc.option(fc.nat(2), { freq: 2, nil: undefined }),
  status: fc.uniqueArray(fc.constantFrom<string>(...STATUSES), { maxLength: 2 }),
  active: fc.option(fc.boolean(), { nil: undefined }),
  type: fc.uniqueArray(fc.constantFrom<string>('delivery', 'pickup', 'dine_in'), { maxLength: 2 }),
  paid: fc.option(fc.constantFrom<string>('paid', 'unpaid', 'refunded'), { nil: undefined, freq: 2 }),
  from: fc.option(fc.nat(10), { nil: undefined }),
  limit: fc.integer({ min: 1, max: 4 }),
  cursor: fc.constantFrom('own' as const, 'own', 'own', 'forged', 'of other filters'),
})

const menu = fc.record({
  do: is('menu'),
  as: customer,
  store: fc.nat(2),
  filtered: fc.boolean(),
  availableOnly: fc.boolean(),
  unknown: seldom,
})

const search = fc.record({
  do: is('search'),
  as: customer,
  at: fc.constantFrom('here' as const, 'far', 'nowhere'),
  radius: fc.option(fc.integer({ min: 100, max: 20_000 }), { nil: undefined }),
  kind: fc.option(fc.constantFrom('restaurant', 'grocery', 'shop'), { nil: undefined }),
  q: fc.option(fc.constantFrom('CAFE', 'grocery', 'dish 1', 'thai', 'nothing at all'), { nil: undefined }),
  type: fc.option(fc.constantFrom('delivery', 'pickup', 'dine_in'), { nil: undefined }),
  cursor: fc.constantFrom('own' as const, 'own', 'own', 'forged'),
})

const create = fc.record({ do: is('create'), as: whoever, store: fc.nat(2), item: draft, flaw, key })
const update = fc.record({
  do: is('update'),
  as: whoever,
  item: any,
  change: fc.constantFrom('name' as const, 'price', 'category', 'groups', 'nothing', 'availability'),
  draft,
  flaw,
  version: fc.constantFrom('none' as const, 'right', 'old'),
  unknown: seldom,
  key,
})
const availability = fc.record({
  do: is('availability'),
  as: whoever,
  item: any,
  available: fc.boolean(),
  until: fc.option(fc.integer({ min: -5, max: 200 }), { nil: undefined }),
  unknown: seldom,
  key,
})
const remove = fc.record({ do: is('delete'), as: whoever, item: any, unknown: seldom, key })
const rows = fc.array(
  fc.record({
    draft,
    flaw: fc.oneof(
      { weight: 6, arbitrary: fc.constant('none' as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom<ItemFlaw | 'no category' | 'no name'>(
          'group',
          'barcode',
          'currency',
          'malformed',
          'no category',
          'no name',
        ),
      },
    ),
  }),
  { minLength: 1, maxLength: 5 },
)
const imports = fc.record({
  do: is('import'),
  as: whoever,
  store: fc.nat(2),
  rows,
  section: fc.boolean(),
  many: fc.nat(24).map((n) => n === 0),
  key,
})
const items = fc.record({
  do: is('items'),
  as: fc.constantFrom('everything', 'owner', 'owner', 'without', 'member'),
  store: fc.option(fc.nat(2), { freq: 4, nil: undefined }),
  filter: fc.constantFrom('none' as const, 'available', 'off sale', 'category', 'q'),
  cursor: fc.constantFrom('own' as const, 'own', 'forged'),
})

const wait = fc.record({
  do: is('wait'),
  ms: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(1000, 30_000, MINUTE, 2 * MINUTE, 4 * MINUTE) },
    { weight: 3, arbitrary: fc.constantFrom(599_999, 600_000, 899_999, 900_000, 20 * MINUTE) },
    { weight: 2, arbitrary: fc.constantFrom(HOUR, 5 * HOUR, 9 * HOUR) },
    { weight: 1, arbitrary: fc.constant(25 * HOUR) },
  ),
  lazily: fc.boolean(),
})

const WEIGHTS: readonly [number, fc.Arbitrary<FoodStep>][] = [
  [14, quote],
  [13, place],
  [3, cancel],
  [2, show],
  [13, action],
  [4, list],
  [2, fc.record({ do: is('settle'), what: fc.constantFrom('payment' as const, 'check'), order: any })],
  [1, fc.record({ do: is('open check'), order: any })],
  [
    1,
    fc.record({
      do: is('membership'),
      as: fc.constantFrom('member', 'member', 'everything', 'lapsed'),
      to: fc.constantFrom('active' as const, 'active', 'expired'),
    }),
  ],
  [3, fc.record({ do: is('again'), which: fc.nat(), other: fc.boolean() })],
  [1, fc.record({ do: is('pause'), store: fc.nat(2), paused: fc.boolean() })],
  [1, fc.record({ do: is('couriers'), away: fc.boolean() })],
  [2, menu],
  [2, search],
  [3, create],
  [3, update],
  [3, availability],
  [2, remove],
  [2, imports],
  [2, items],
  [7, wait],
]

const step: fc.Arbitrary<FoodStep> = fc.oneof(
  ...WEIGHTS.map(([weight, arbitrary]) => ({ weight, arbitrary })),
)

/** Generates a number of steps; a failure shrinks by leaving out single steps. */
export function generateFoodSteps(count: number): fc.Arbitrary<(FoodStep | undefined)[]> {
  return fc.tuple(
    ...Array.from({ length: count }, () => fc.option(step, { freq: 1_000_000, nil: undefined })),
  )
}
