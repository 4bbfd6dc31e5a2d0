/** The ledger after a failed call: its intent, and the money that is held for it. */
import { expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { makeEmptyLedger, type Ledger } from '../../src/local-state/ledger.ts'
import { reserveCallKey, type CallKey } from '../../src/mcp/idempotency.ts'
import { toErrorCode, toGateState, recordFailure, textOf } from '../../src/mcp/record.ts'
import { reserveSpend } from '../../src/mcp/spend.ts'
import { gbp } from '../support/money.ts'

/** Returns a ledger with a purchase that is under way, as it stood before this call. */
function started(was: CallKey['was']): { ledger: Ledger; openIntent: CallKey } {
  const ledger = makeEmptyLedger({ service: 'here', account: null })
  const sending = {
    operation: 'place_food_order',
    input: {},
    idempotencyKey: 'k',
    repetition: 'once' as const,
  }
  const openIntent = { ...reserveCallKey(ledger, sending), was }
  const { intent, generation } = openIntent
  reserveSpend(ledger, { intent, generation, quote: null, total: gbp(100), at: 0 })
  return { ledger, openIntent }
}

test.each([
  // A first call that was rejected, or never left, costs nothing.
  ['new', 'refused', 0, 'refused'],
  ['new', 'unsent', 0, undefined],
  // An earlier attempt was lost: only an error says that nothing was bought.
  ['sent', 'refused', 0, 'refused'],
  ['sent', 'unsent', 1, 'sent'],
  ['sent', 'done', 1, 'done'],
  ['done', 'done', 1, 'done'],
] as const)('a call that was %s and ends %s keeps %i purchase, and is %s', (was, outcome, spent, state) => {
  const { ledger, openIntent } = started(was)
  recordFailure(ledger, openIntent, outcome)
  expect([ledger.spent.length, ledger.intents[0]?.state]).toEqual([spent, state])
})

test('the audit file names the error, and whether a person was waited for or said no', () => {
  const [waiting, declined, other] = (['approval_required', 'not_confirmed', 'quote_expired'] as const).map(
    (code) => new AppError(code, 'Said.'),
  )
  expect(
    [waiting, declined, other, new Error('bug')].map((error) => [toErrorCode(error), toGateState(error)]),
  ).toEqual([
    ['approval_required', 'waiting'],
    ['not_confirmed', 'declined'],
    ['quote_expired', null],
    ['internal_error', null],
  ])
  expect([textOf(other), textOf('text')]).toEqual(['Said.', 'text'])
})
