/** The rights of a caller: a scope of the operation, and a membership or an agreement as it is now. */
import { describe, expect, test } from 'vitest'
import type { Account, Agreement, Membership } from '../../src/core/account.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { requireEntitlement, requireScope } from '../../src/gateway/requirements.ts'

const NOW = 1000
const MEMBERSHIP: Membership = {
  status: 'none',
  plan_code: null,
  current_period_start: null,
  current_period_end: null,
  anchor_day: null,
  cancel_at_period_end: false,
}
const ACCOUNT: Account = {
  account_id: 'acc_1',
  handle: 'somebody',
  name: 'Somebody',
  scopes: [],
  membership: MEMBERSHIP,
  carrierAgreement: undefined,
  businessAgreement: undefined,
}

const agreement = (kind: Agreement['kind'], status: Agreement['status'] = 'active'): Agreement => ({
  agreement_id: 'agr_1',
  kind,
  status,
})

const needs = (entitlement: AnyOperation['entitlement']) =>
  ({ name: 'do_it', scope: 'food.read', entitlement }) as AnyOperation

/** Returns the error of a refusal, with what it needs; undefined for none. */
function refusal(check: () => void): unknown {
  try {
    check()
    return undefined
  } catch (error) {
    const { code, message, extra } = error as { code: string; message: string; extra: object }
    return { code, message, ...extra }
  }
}

const entitled = (entitlement: AnyOperation['entitlement'], account: Partial<Account>) =>
  refusal(() => requireEntitlement(needs(entitlement), { ...ACCOUNT, ...account }, NOW))

test('a scope is needed, and no other one is as good', () => {
  expect(refusal(() => requireScope(needs('none'), ['profile.read', 'food.read']))).toBeUndefined()
  expect(refusal(() => requireScope(needs('none'), ['food.order']))).toEqual({
    code: 'insufficient_scope',
    message: 'do_it needs the scope food.read.',
    required_scope: 'food.read',
    operations: ['do_it'],
  })
})

test('an operation that needs nothing else is for everybody', () => {
  expect(entitled('none', {})).toBeUndefined()
})

test('a membership counts until its period ends, to the millisecond', () => {
  const until = (current_period_end: number) => ({
    membership: { ...MEMBERSHIP, status: 'active' as const, current_period_end },
  })
  expect(entitled('service_one', until(NOW + 1))).toBeUndefined()
  const refused = {
    code: 'membership_required',
    message: 'do_it needs an active membership.',
    required_entitlement: 'service_one',
    operations: ['do_it', 'get_membership_status'],
  }
  expect([entitled('service_one', until(NOW)), entitled('service_one', {})]).toEqual([refused, refused])
  // An agreement is no membership.
  expect(entitled('service_one', { carrierAgreement: agreement('carrier') })).toEqual(refused)
})

describe.each([
  ['carrier_agreement', 'carrierAgreement', 'businessAgreement', 'carrier'],
  ['business_agreement', 'businessAgreement', 'carrierAgreement', 'business'],
] as const)('a %s', (entitlement, own, other, kind) => {
  const refused = {
    code: 'agreement_required',
    message: `do_it needs an active ${kind} agreement.`,
    required_entitlement: entitlement,
    operations: ['do_it'],
  }

  test('is needed while it is active', () => {
    expect(entitled(entitlement, { [own]: agreement(kind) })).toBeUndefined()
    expect(entitled(entitlement, { [own]: agreement(kind, 'ended') })).toEqual(refused)
    expect(entitled(entitlement, {})).toEqual(refused)
  })

  test('is not the other kind', () => {
    expect(entitled(entitlement, { [other]: agreement(kind) })).toEqual(refused)
  })
})
