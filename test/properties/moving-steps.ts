/** The possible next steps of customers and shippers, as data. A number picks one of the existing resources. */
import type { StepOf } from '../support/model.ts'
import { fc } from '../support/properties.ts'
import { type MovingArea, HOUR, type MovingPaymentMethod, MINUTE } from './moving-model.ts'

export type MovingStep =
  | { do: 'quote'; area: MovingArea; as: string; variant: number; pick: number; more: number }
  | {
      do: 'confirm'
      area: MovingArea
      as: string | undefined
      which: number
      /** Picks a quote that can be confirmed, if there is one. */
      usable: boolean
      method: MovingPaymentMethod
      token: 'tok_ok' | 'tok_store' | 'tok_pending' | 'tok_declined'
      expected: 'none' | 'right' | 'wrong'
      flaw: 'none' | 'unknown' | 'other kind' | 'no key' | 'no token'
      scenario: number
      variant: number
      key: string | undefined
      /** Waits until the quote expires, or until a millisecond before. */
      wait: 'no' | 'almost' | 'until'
    }
  | { do: 'ask nobody'; as: string; pick: number; more: number }
  | {
      do: 'cancel'
      area: 'ride' | 'task'
      as: string | undefined
      which: number
      usable: boolean
      /** At the end of the free time, or just after. */
      edge: 'no' | 'at' | 'after'
      unknown: boolean
      key: string | undefined
    }
  | { do: 'show'; area: MovingArea; as: string | undefined; which: number; unknown: boolean }
  | { do: 'evidence'; as: string | undefined; which: number; unknown: boolean; part: boolean }
  | { do: 'rides'; as: string; status: string[]; from: number | undefined; limit: number; forged: boolean }
  | {
      do: 'search'
      what: 'rides' | 'providers' | 'types'
      as: string
      far: boolean
      filter: number
      limit: number
      forged: boolean
    }
  | { do: 'slots'; as: string; provider: number; service: number; day: number; flaw: number }
  | { do: 'member'; as: string }
  | { do: 'membership'; as: string; to: 'active' | 'expired' }
  | { do: 'again'; which: number; other: boolean }
  | { do: 'wait'; ms: number; lazily: boolean }
  | { do: 'expire'; which: number; early: boolean }
  | {
      do: 'send'
      as: string
      to: number
      level: number
      reference: number | undefined
      key: string | undefined
      scenario: number
    }
  | {
      do: 'batch'
      as: string
      rows: { to: number; reference: number | undefined }[]
      many: boolean
      key: string | undefined
    }
  | {
      do: 'stop'
      as: string | undefined
      which: number
      flaw: number
      done: boolean
      key: string | undefined
    }
  | { do: 'parcel'; as: string | undefined; which: number; flaw: number; events: boolean; limit: number }
  | {
      do: 'parcels'
      as: string
      status: string[]
      reference: number | undefined
      limit: number
      forged: boolean
    }
  | { do: 'rates'; as: string; variant: number }
  | { do: 'coverage'; as: string; variant: number }
  | { do: 'hubs'; as: string; variant: number; limit: number }

export type MovingStepOf<Name extends MovingStep['do']> = StepOf<MovingStep, Name>

const nat = fc.nat({ max: 40 })
const rarely = fc.nat({ max: 9 }).map((value) => value === 0)
const key = fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined, freq: 2 })
const customer = fc.constantFrom(
  'member',
  'member',
  'everything',
  'everything',
  'guest',
  'lapsed',
  'shipper',
  'without',
)
const shipper = fc.constantFrom('shipper', 'everything', 'shipper', 'everything', 'without', 'member')
const area = fc.constantFrom<MovingArea[]>('ride', 'delivery', 'booking', 'task')
const mostly = <T>(good: T, ...others: T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(good) }, { weight: 3, arbitrary: fc.constantFrom(...others) })
const step = <T extends MovingStep['do']>(
  name: T,
  rest: {
    [K in keyof Omit<Extract<MovingStep, { do: T }>, 'do'>]: fc.Arbitrary<Extract<MovingStep, { do: T }>[K]>
  },
): fc.Arbitrary<MovingStep> =>
  fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<MovingStep>

/** Usually the owner. */
const whose = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: customer })

const stranger = fc.constantFrom(undefined, undefined, 'shipper', 'member')

const ONE = fc.oneof(
  { weight: 8, arbitrary: step('quote', { area, as: customer, variant: nat, pick: nat, more: nat }) },
  {
    weight: 18,
    arbitrary: step('confirm', {
      area,
      as: whose,
      which: nat,
      usable: fc.nat({ max: 4 }).map((value) => value > 0),
      method: fc.constantFrom('card', 'card', 'wallet', 'wallet', 'cash', 'pay_at_table'),
      token: fc.constantFrom('tok_ok', 'tok_ok', 'tok_ok', 'tok_store', 'tok_pending', 'tok_declined'),
      expected: mostly('none', 'right', 'wrong'),
      flaw: mostly('none', 'none', 'unknown', 'other kind', 'no key', 'no token'),
      scenario: nat,
      variant: nat,
      key,
      wait: mostly('no' as const, 'no' as const, 'almost' as const, 'until' as const),
    }),
  },
  { weight: 1, arbitrary: step('ask nobody', { as: customer, pick: nat, more: nat }) },
  {
    weight: 5,
    arbitrary: step('cancel', {
      area: fc.constantFrom('ride' as const, 'task' as const),
      as: whose,
      which: nat,
      usable: fc.boolean(),
      edge: fc.constantFrom('no', 'no', 'at', 'after'),
      unknown: rarely,
      key,
    }),
  },
  { weight: 4, arbitrary: step('show', { area, as: stranger, which: nat, unknown: rarely }) },
  { weight: 2, arbitrary: step('evidence', { as: whose, which: nat, unknown: rarely, part: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: step('rides', {
      as: customer,
      status: fc.uniqueArray(
        fc.constantFrom('processing', 'completed', 'cancelled', 'accepted', 'scheduled'),
        { maxLength: 3 },
      ),
      from: fc.option(nat, { nil: undefined }),
      limit: fc.integer({ min: 1, max: 3 }),
      forged: rarely,
    }),
  },
  {
    weight: 2,
    arbitrary: step('search', {
      what: fc.constantFrom('rides' as const, 'providers' as const, 'types' as const),
      as: customer,
      far: rarely,
      filter: nat,
      limit: fc.integer({ min: 1, max: 4 }),
      forged: rarely,
    }),
  },
  {
    weight: 3,
    arbitrary: step('slots', {
      as: customer,
      provider: nat,
      service: nat,
      day: fc.nat({ max: 6 }),
      flaw: fc.nat({ max: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: step('member', { as: fc.constantFrom('member', 'guest', 'lapsed', 'everything', 'shipper') }),
  },
  {
    weight: 2,
    arbitrary: step('membership', {
      as: fc.constantFrom('member', 'everything', 'lapsed'),
      to: mostly('active' as const, 'expired' as const),
    }),
  },
  { weight: 3, arbitrary: step('again', { which: nat, other: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: step('wait', {
      ms: fc.oneof(
        fc.constantFrom(1, 20_000, MINUTE, 119_999, 120_000, 5 * MINUTE, 15 * MINUTE, 20 * MINUTE),
        fc.integer({ min: 1, max: HOUR }),
        fc.constantFrom(3 * HOUR, 25 * HOUR, 60 * HOUR),
      ),
      lazily: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: step('expire', { which: nat, early: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: step('send', {
      as: shipper,
      to: nat,
      level: nat,
      reference: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      key,
      scenario: nat,
    }),
  },
  {
    weight: 2,
    arbitrary: step('batch', {
      as: shipper,
      rows: fc.array(
        fc.record({ to: nat, reference: fc.option(fc.nat({ max: 5 }), { nil: undefined, freq: 6 }) }),
        { minLength: 1, maxLength: 4 },
      ),
      many: fc.nat({ max: 15 }).map((value) => value === 0),
      key,
    }),
  },
  {
    weight: 3,
    arbitrary: step('stop', { as: whose, which: nat, flaw: fc.nat({ max: 8 }), done: fc.boolean(), key }),
  },
  {
    weight: 3,
    arbitrary: step('parcel', {
      as: whose,
      which: nat,
      flaw: fc.nat({ max: 8 }),
      events: fc.boolean(),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: step('parcels', {
      as: shipper,
      status: fc.uniqueArray(fc.constantFrom('pre_transit', 'in_transit', 'delivered', 'cancelled'), {
        maxLength: 2,
      }),
      reference: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 3 }),
      forged: rarely,
    }),
  },
  { weight: 2, arbitrary: step('rates', { as: shipper, variant: nat }) },
  { weight: 1, arbitrary: step('coverage', { as: shipper, variant: nat }) },
  {
    weight: 1,
    arbitrary: step('hubs', { as: shipper, variant: nat, limit: fc.integer({ min: 1, max: 4 }) }),
  },
)

/** Generates a number of steps; shrinking replaces steps by nothing, so that the others keep their meaning. */
export function generateMovingSteps(count: number): fc.Arbitrary<(MovingStep | undefined)[]> {
  return fc.array(fc.option(ONE, { nil: undefined, freq: 40 }), { minLength: count, maxLength: count })
}
