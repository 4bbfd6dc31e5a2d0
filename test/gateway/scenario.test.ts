/** The scenario that a call asks the sandbox to play. */
import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { parseScenarioHeader } from '../../src/gateway/scenario.ts'

const operation = (...scenarios: string[]) => ({ name: 'do_it', scenarios }) as unknown as AnyOperation
const BOTH = operation('slow', 'lost')

test('a scenario has a name and options, with or without spaces between them', () => {
  expect(parseScenarioHeader(undefined, BOTH)).toBeUndefined()
  expect(parseScenarioHeader('lost', BOTH)).toEqual({ name: 'lost', options: {} })
  expect(parseScenarioHeader(' slow ; by=5m;why=a=b ;none=', BOTH)).toEqual({
    name: 'slow',
    options: { by: '5m', why: 'a=b', none: '' },
  })
  expect(parseScenarioHeader('slow;a=1', BOTH)).toEqual({ name: 'slow', options: { a: '1' } })
})

test.each([
  ['', 'It plays: slow, lost.'],
  ['Slow', 'It plays: slow, lost.'],
  [`slowly${'x'.repeat(100)}`, 'It plays: slow, lost.'],
])('the scenario %j is refused with those that there are', (text, hint) => {
  expect(() => parseScenarioHeader(text, BOTH)).toThrow(
    expect.objectContaining({
      code: 'scenario_not_allowed',
      message: `do_it does not play the scenario "${text.slice(0, 40)}".`,
      hint,
    }) as Error,
  )
})

test('an operation without scenarios says so', () => {
  expect(() => parseScenarioHeader('slow', operation())).toThrow(
    expect.objectContaining({ hint: 'Leave Sandbox-Scenario out of this call.' }) as Error,
  )
})

test.each(['slow;by', 'slow;=5m', 'slow;', `slow;${'x'.repeat(100)}`])(
  'an option without a name and a value is refused: %j',
  (text) => {
    const option = text.slice('slow;'.length, 'slow;'.length + 40)
    expect(() => parseScenarioHeader(text, BOTH)).toThrow(`Scenario option "${option}" is not key=value.`)
  },
)
