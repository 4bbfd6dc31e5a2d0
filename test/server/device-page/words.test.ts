import { expect, test } from 'vitest'
import { SCOPES } from '../../../src/core/account.ts'
import { purchasingOf } from '../../../src/core/spending.ts'
import * as registry from '../../../src/generated/registry.ts'
import { byArea, PERMISSIONS, purposeOf, shareOf } from '../../../src/server/device-page/words.ts'

test('every scope that can spend money says so', async () => {
  const operations = await Promise.all(
    registry.NAMES.map(async (name) => (await registry.load(name))?.operation),
  )
  const spending = operations.flatMap((one) => (one && purchasingOf(one) !== undefined ? [one.scope] : []))
  const marked = SCOPES.filter((scope) => PERMISSIONS[scope].spends === true)
  expect(marked.toSorted()).toEqual([...new Set(spending)].toSorted())
  expect(marked).toContain('shipments.create')
})

test('every scope that can cancel something says so', async () => {
  const operations = await Promise.all(
    registry.NAMES.map(async (name) => (await registry.load(name))?.operation),
  )
  const cancelling = operations.flatMap((one) =>
    one?.name.startsWith('cancel_') === true ? [one.scope] : [],
  )
  expect(cancelling.length).toBeGreaterThan(0)
  expect(cancelling.filter((scope) => !/cancel/i.test(PERMISSIONS[scope].words))).toEqual([])
})

test('permissions are grouped by area', () => {
  const areas = byArea(['food.read', 'food.order', 'menu.read'])
  expect(areas.map(({ area, permissions }) => [area, permissions.length])).toEqual([
    ['Food', 2],
    ['Your store', 1],
  ])
})

test('an account is described by its purpose', () => {
  const account = {
    account_id: 'cus_1',
    handle: 'x',
    name: 'X',
    scopes: ['food.read' as const],
    membership: {
      status: 'active' as const,
      plan_code: null,
      current_period_start: null,
      current_period_end: null,
      anchor_day: null,
      cancel_at_period_end: false,
    },
    carrierAgreement: { agreement_id: 'agr_1', kind: 'carrier' as const, status: 'active' as const },
    businessAgreement: { agreement_id: 'agr_2', kind: 'business' as const, status: 'ended' as const },
  }
  expect(purposeOf(account)).toBe('Customer with a membership, sends parcels.')
  expect(purposeOf({ ...account, scopes: [], carrierAgreement: undefined })).toBe(
    'No membership or agreement.',
  )
})

test.each([
  [3, 3, 'Has all permissions.'],
  [2, 3, 'Has 2 of 3 permissions.'],
  [0, 3, 'Has no permissions.'],
])('%i of %i is said as “%s”', (given, asked, words) => {
  expect(shareOf(given, asked)).toBe(words)
})
