/** The scopes that a login gives. */
import { expect, test } from 'vitest'
import type { Scope } from '../../src/core/account.ts'
import { grantScopes } from '../../src/oauth/scopes.ts'

const ALLOWED: readonly Scope[] = ['menu.read', 'profile.read', 'food.read']

test.each([
  ['all that are allowed, when none is asked for', undefined, ['profile.read', 'food.read', 'menu.read']],
  [
    'those of the asked that are allowed, in one order',
    'menu.read food.order profile.read',
    ['profile.read', 'menu.read'],
  ],
  ['one once, when it is asked for twice', 'food.read food.read', ['food.read']],
])('are %s', (_, asked, granted) => {
  expect(grantScopes(asked, ALLOWED)).toEqual(granted)
})

test.each(['', 'food.order', 'root', 'profile.readfood.read', 'profile.read,food.read'])(
  'are none when %j is asked for, and the login is refused',
  (asked) => {
    expect(grantScopes(asked, ALLOWED)).toMatchObject({ code: 'invalid_scope', status: 400 })
  },
)
