/** An approval counts for the purchase that a person was shown: each part of it, until the price ends, and once. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  findOtherApproval,
  deleteApprovals,
  isPurchaseApproved,
  listPendingApprovals,
  recordPendingApproval,
  type Purchase,
  claimApproval,
  writeApproval,
} from '../../src/local-state/approvals.ts'
import { type Home, makeHome } from '../support/home.ts'
import { gbp } from '../support/money.ts'
import { toPurchaseInput } from '../support/purchases.ts'

const ENDS = '2026-11-20T12:15:00.000Z'
const END = Date.parse(ENDS)

const RIDE: Purchase = {
  approval_id: 'quo_1',
  quote_id: 'quo_1',
  operation: 'request_ride',
  tier: 'xl',
  total: gbp(1840),
  expires_at: ENDS,
  profile: 'agent',
  service: 'https://api.example',
  account: 'ada',
  about: [],
  ...toPurchaseInput({ quote_id: 'quo_1', tier: 'xl' }),
}

/** Each part of a purchase, changed alone. */
const OTHERS: readonly [part: string, change: Partial<Purchase>][] = [
  ['profile', { profile: 'somebody' }],
  ['service', { service: 'https://other.example' }],
  ['account', { account: 'eve' }],
  ['operation', { operation: 'place_food_order' }],
  ['quote', { approval_id: 'quo_2' }],
  ['fare', { tier: 'comfort' }],
  ['price', { total: gbp(1841) }],
  ['currency', { total: { amount: 1840, currency: 'EUR' } }],
  ['arguments', toPurchaseInput({ quote_id: 'quo_1', tier: 'xl', notes: 'Ring twice' })],
]

let home: Home
const deps = () => ({ paths: home.paths, pid: 7 })

beforeAll(() => void (home = makeHome()))
beforeEach(() => {
  for (const { service } of [RIDE, { service: 'https://other.example' }]) deleteApprovals(home, service)
})
afterAll(() => home[Symbol.dispose]())

describe.each(OTHERS)('an approval of another %s', (_part, change) => {
  test('does not count, and is not used up', () => {
    writeApproval(home, { ...RIDE, ...change })
    expect([isPurchaseApproved(home, RIDE, END - 1), claimApproval(deps(), RIDE, END - 1)]).toEqual([
      false,
      false,
    ])
    expect(isPurchaseApproved(home, { ...RIDE, ...change }, END - 1)).toBe(true)
  })

  test('does not count under the name of this purchase', () => {
    writeApproval(home, RIDE)
    const folder = join(home.paths.state, 'approvals')
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'))
    const copied = { ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Purchase), ...change }
    writeFileSync(join(folder, name), JSON.stringify(copied))
    expect([isPurchaseApproved(home, RIDE, END - 1), claimApproval(deps(), RIDE, END - 1)]).toEqual([
      false,
      false,
    ])
  })
})

test('an approval counts once, and until the end of its price to the millisecond', () => {
  writeApproval(home, RIDE)
  expect([isPurchaseApproved(home, RIDE, END), isPurchaseApproved(home, RIDE, END - 1)]).toEqual([
    false,
    true,
  ])
  expect([claimApproval(deps(), RIDE, END - 1), claimApproval(deps(), RIDE, END - 1)]).toEqual([true, false])
  writeApproval(home, RIDE)
  expect([claimApproval(deps(), RIDE, END), isPurchaseApproved(home, RIDE, END - 1)]).toEqual([false, false])
})

test('a purchase waits for a person until its price ends, also while the clock of the service stands', () => {
  const note = (purchase: Purchase, frozen: boolean): void =>
    recordPendingApproval(home, {
      purchase,
      protected: false,
      asked_at: 1000,
      service_time: END - 500,
      frozen,
      client: null,
      declined: false,
    })
  const waiting = (now: number) => listPendingApprovals(home, now).map(({ purchase }) => purchase.approval_id)
  note(RIDE, false)
  note({ ...RIDE, approval_id: 'quo_2' }, true)
  expect([waiting(1499), waiting(1500), waiting(9_999_999)]).toEqual([
    ['quo_2', 'quo_1'],
    ['quo_2'],
    ['quo_2'],
  ])
  writeApproval(home, RIDE)
  claimApproval(deps(), RIDE, 0)
  expect(waiting(1499)).toEqual(['quo_2'])
})

test('an agent is told of an approval of its own call that differs, while that holds', () => {
  const [notes, elsewhere] = [
    toPurchaseInput({ quote_id: 'quo_1', tier: 'xl', notes: 'Ring' }),
    { service: 'x' },
  ]
  for (const change of [notes, { ...notes, approval_id: 'quo_2' }, { ...notes, ...elsewhere }])
    writeApproval(home, { ...RIDE, ...change })
  expect(findOtherApproval(home, RIDE, END - 1)).toMatchObject({ ...notes, approval_id: 'quo_1' })
  expect(findOtherApproval(home, RIDE, END)).toBeUndefined()
  for (const [, change] of OTHERS.slice(0, 4))
    expect(
      findOtherApproval(home, { ...RIDE, ...notes, approval_id: 'quo_3', ...change }, END - 1),
    ).toBeUndefined()
  deleteApprovals(home, 'x')
})
