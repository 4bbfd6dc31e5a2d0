/** A question and its answer: each answer counts once, for one call, until the question ends. */
import { describe, expect, test } from 'vitest'
import {
  elicitConfirmation,
  claimConfirmation,
  isPurchaseDeclined,
  saveConfirmation,
  type McpClientSession,
  type ConfirmationSubject,
  type Questions,
  readElicitation,
} from '../../src/mcp/elicitation.ts'

const CALL: ConfirmationSubject = { input: { item_id: 'itm_1', price: 100 }, about: ['update', 7] }

function start() {
  const questions: Questions = new Map()
  let drawn = 0
  const deps = { questions, runtime: { random: (count: number) => new Uint8Array(count).fill(++drawn) } }
  return {
    questions,
    keep: (call = CALL, expires = 1000) => saveConfirmation(deps, call, expires),
    close: (state: unknown, call = CALL, now = 999) =>
      claimConfirmation(deps, programOf(undefined, state), call, now),
  }
}

function programOf(answer: unknown, state?: unknown): McpClientSession {
  const inputResponses = answer === undefined ? {} : { agree: answer }
  return {
    name: null,
    canAsk: true,
    mcpReq: { inputResponses, requestState: () => state } as unknown as McpClientSession['mcpReq'],
  }
}

describe('an answer', () => {
  test('counts for its own call, once', () => {
    const { keep, close } = start()
    const state = keep()
    expect(close(state)).toBeUndefined()
    expect(close(state)).toEqual({ differing: [] })
  })

  test('counts for no other call, names what differs, and is then used up', () => {
    const { keep, close } = start()
    const others: [ConfirmationSubject, string[]][] = [
      [{ ...CALL, input: { ...CALL.input, price: 101 } }, ['price']],
      [{ ...CALL, input: { ...CALL.input, name: 'New' } }, ['name']],
      [{ ...CALL, about: ['update', 8] }, []],
      [{ ...CALL, about: ['create', 7] }, []],
    ]
    for (const [other, differing] of others) {
      const state = keep()
      expect(close(state, other)).toEqual({ differing })
      expect(close(state)).toEqual({ differing: [] })
    }
  })

  test('counts until the question ends, to the millisecond', () => {
    const { keep, close } = start()
    expect(close(keep(), CALL, 1000)).toEqual({ differing: [] })
    expect(close(keep(), CALL, 999)).toBeUndefined()
  })

  test('to no question does not count', () => {
    const { keep, close } = start()
    const state = keep()
    for (const other of [undefined, null, 1, '', `${state}0`, state.slice(1)])
      expect(close(other)).toEqual({ differing: [] })
    expect(close(state)).toBeUndefined()
  })
})

test('of more than a thousand open questions the oldest are forgotten', () => {
  const { questions, keep, close } = start()
  for (let at = 0; at < 1000; at++)
    questions.set(`filler ${at}`, { call: '', parts: [], expires: 0 } as never)
  const last = keep()
  expect([questions.has('filler 0'), questions.has('filler 1')]).toEqual([false, true])
  expect(close(last)).toBeUndefined()
})

test.each([
  [undefined, undefined],
  [{ action: 'accept', content: { agree: true } }, 'yes'],
  [{ action: 'accept', content: { agree: false } }, 'no'],
  [{ action: 'accept', content: { agree: 'true' } }, 'no'],
  [{ action: 'accept', content: {} }, 'no'],
  [{ action: 'accept' }, 'no'],
  [{ action: 'decline', content: { agree: true } }, 'no'],
  [{ action: 'cancel', content: { agree: true } }, 'cancelled'],
])('the answer %j is %s', (answer, read) => {
  expect(readElicitation(programOf(answer))).toBe(read)
})

test('a question asks for one yes, which is no by default, and carries its name', () => {
  const asked = elicitConfirmation('Buy it?', { title: 'Yes, buy it', description: 'Or not.', state: 'q1' })
  expect(asked).toMatchObject({ resultType: 'input_required', requestState: 'q1' })
  expect(JSON.stringify(asked)).toContain('"message":"Buy it?"')
  expect(JSON.stringify(asked)).toContain(
    '"properties":{"agree":{"type":"boolean","title":"Yes, buy it","description":"Or not.","default":false}},"required":["agree"]',
  )
})

test('a no is valid for its own purchase, until its end', () => {
  const ledger = { declined: [{ purchase: 'one', until: 1000 }] }
  expect([isPurchaseDeclined(ledger, 'one', 999), isPurchaseDeclined(ledger, 'one', 1000)]).toEqual([
    true,
    false,
  ])
  expect(isPurchaseDeclined(ledger, 'other', 999)).toBe(false)
})
