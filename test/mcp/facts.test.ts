import { expect, test } from 'vitest'
import type { Client, ServiceFacts } from '../../src/client/client.ts'
import { AppError } from '../../src/core/errors.ts'
import { fetchServiceFacts, factsOfAnswer, metaOf } from '../../src/mcp/facts.ts'
import { INSTRUCTIONS, instructionsNow } from '../../src/mcp/instructions.ts'
import { storeClient } from '../support/store-client.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const FROZEN: ServiceFacts = { time: { now: NOW, frozen: true }, environment: 'sandbox' }
const LIVE: ServiceFacts = { time: { now: NOW, frozen: false }, environment: 'live' }

const said = (facts: ServiceFacts | undefined) => instructionsNow(facts).slice(INSTRUCTIONS.length)

test.each<[string, ServiceFacts | undefined, unknown, RegExp]>([
  [
    'a sandbox whose clock stands still',
    FROZEN,
    { time: '2026-11-20T12:00:00.000Z', clock: 'frozen', environment: 'sandbox' },
    /is frozen at 2026-11-20T12:00:00\.000Z: .*do not poll.*This is a sandbox/,
  ],
  [
    'a live service',
    LIVE,
    { time: '2026-11-20T12:00:00.000Z', clock: 'running', environment: 'live' },
    /it is 2026-11-20T12:00:00\.000Z now, and it runs\. This is live: .* real money\.$/,
  ],
  [
    'a service that does not say what it is',
    { time: LIVE.time, environment: undefined },
    { time: '2026-11-20T12:00:00.000Z', clock: 'running' },
    /treat it as live\.$/,
  ],
  ['a service that never answered', undefined, undefined, /clock could not be read\. .*as live\.$/],
])('%s is told as it is', (_what, facts, meta, words) => {
  expect(metaOf(facts)['dray/service']).toEqual(meta)
  expect(said(facts)).toMatch(words)
  expect(INSTRUCTIONS).toContain('dray/service')
})

/** Makes a service whose clock answers or fails; each response is a new object. */
function clientOf(answers: boolean): Client {
  let latestFacts: ServiceFacts | undefined = FROZEN
  return {
    ...storeClient([]),
    latestFacts: () => latestFacts,
    async serviceTime() {
      if (!answers) throw new AppError('network_error', 'Nobody answers.')
      latestFacts = LIVE
      return { now: NOW, frozen: false }
    },
  }
}

test('a call that is rejected locally requests the service’s time; an unreachable service has none', async () => {
  const refused = new AppError('not_confirmed', 'The person said no.')
  const asked = clientOf(true)
  expect(await factsOfAnswer(asked, asked.latestFacts(), refused)).toEqual(LIVE)
  // The call's own response contains the facts: the clock is not asked again.
  expect(await factsOfAnswer(clientOf(false), undefined, refused)).toEqual(FROZEN)
  const lost = clientOf(true)
  const unreachable = new AppError('network_error', 'Nobody answers.')
  expect(await factsOfAnswer(lost, lost.latestFacts(), unreachable)).toEqual({ ...FROZEN, time: undefined })
  expect(await fetchServiceFacts(clientOf(false))).toEqual({ ...FROZEN, time: undefined })
})
