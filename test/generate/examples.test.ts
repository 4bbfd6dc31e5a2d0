import { expect, test } from 'vitest'
import { getRide } from '../../src/areas/rides/get_ride.ts'
import { quoteRide } from '../../src/areas/rides/quote_ride.ts'
import { requestRide } from '../../src/areas/rides/request_ride.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { examplesSource } from '../../src/generate/examples.ts'
import type { Example } from '../../src/server/docs/example.ts'

async function examplesOf(operations: readonly AnyOperation[]): Promise<Example[]> {
  const source = await examplesSource(operations)
  return JSON.parse(source.slice(source.indexOf('= [') + 2)) as Example[]
}

test('an example that needs an hour sees what happened in it, and the calls before it do not', async () => {
  const later: AnyOperation = { ...getRide, exampleNeeds: [{ advance: '30m' }, { advance: '30m' }] }
  const examples = await examplesOf([quoteRide, requestRide, later])
  expect(examples).toMatchObject([
    { name: 'quote_ride' },
    { name: 'request_ride', answer: { status: 'processing' } },
    { name: 'get_ride', advanced: ['30m', '30m'], answer: { status: 'completed' } },
  ])
  expect(examples[1]).not.toHaveProperty('advanced')
})

test('an example that needs what is no span of time fails by its name', async () => {
  const later: AnyOperation = { ...getRide, exampleNeeds: [{ advance: 'a while' }] }
  await expect(examplesOf([quoteRide, requestRide, later])).rejects.toThrow(
    'the example of get_ride cannot advance the clock by a while',
  )
})
