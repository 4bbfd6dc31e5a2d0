import { expect, test } from 'vitest'
import { withWorldHint } from '../../src/cli/hint-world.ts'
import { AppError } from '../../src/core/errors.ts'

const WORLD = { as: 'owner', profile: undefined, store: undefined, baseUrl: 'http://127.0.0.1:8080' }

const rows: [string, string, string][] = [
  [
    'the command of an area',
    '`dray business orders list` shows your orders.',
    '`dray business orders list --as owner --base-url http://127.0.0.1:8080` shows your orders.',
  ],
  [
    'a command of the sandbox',
    '`dray sandbox check open ord_1` opens one.',
    '`dray sandbox check open ord_1 --as owner --base-url http://127.0.0.1:8080` opens one.',
  ],
  [
    'a name that holds a backtick and a quote',
    "Make it anew: `dray business catalog create --name 'Tom'\\''s `hot` soup'`",
    "Make it anew: `dray business catalog create --name 'Tom'\\''s `hot` soup' --as owner --base-url http://127.0.0.1:8080`",
  ],
  [
    'a command that names its account',
    '`dray business orders list --as chain` shows them.',
    '`dray business orders list --as chain --base-url http://127.0.0.1:8080` shows them.',
  ],
  [
    'a command of another service',
    '`dray food list --profile local` shows them.',
    '`dray food list --profile local` shows them.',
  ],
  ['a command without an account', 'Run `dray login --profile shop`.', 'Run `dray login --profile shop`.'],
]

test.each(rows)('a hint with %s', (_, hint, expected) => {
  expect(withWorldHint(new AppError('usage', 'No.', { hint }), WORLD)).toMatchObject({
    code: 'usage',
    message: 'No.',
    hint: expected,
  })
})

test('an account that was not typed is not added', () => {
  const error = new AppError('order_not_found', 'No.', { hint: '`dray business orders list` shows them.' })
  const nobody = { as: undefined, profile: undefined, store: undefined, baseUrl: undefined }
  expect(withWorldHint(error, nobody)).toBe(error)
})

test('a missing scope names the command that lists those of the same account', () => {
  const error = new AppError('insufficient_scope', 'list_food_orders needs the scope food.read.')
  expect(withWorldHint(error, WORLD)).toMatchObject({
    message: error.message,
    hint: '`dray whoami --as owner --base-url http://127.0.0.1:8080` lists the scopes of this account.',
  })
})
