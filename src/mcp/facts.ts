/** The service's facts for agents: its time, whether its clock runs, and whether it is a sandbox. */
import type { Client, ServiceFacts } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { toTimestamp } from '../core/time.ts'

/** The name under `_meta` that holds the facts of each response. */
export const FACTS_META_KEY = 'dray/service'

/** The longest time that a connecting program waits for a service that may not answer. */
const ASK_LIMIT_MS = 5000

/** Asks the service, because facts from an hour ago do not help a program that connects now. Never throws. */
export async function fetchServiceFacts(client: Client): Promise<ServiceFacts | undefined> {
  try {
    await client.serviceTime(ASK_LIMIT_MS)
    return client.latestFacts()
  } catch {
    return withoutTime(client)
  }
}

/** Returns the facts for a tool's response. `before` are the facts that were known before the call. Never throws. */
export async function factsOfAnswer(
  client: Client,
  before: ServiceFacts | undefined,
  error?: unknown,
): Promise<ServiceFacts | undefined> {
  const latestFacts = client.latestFacts()
  if (latestFacts !== before) return latestFacts
  // The service sent no facts: it is unreachable, or was not called.
  const unreachable = error instanceof AppError && error.entry.exit === 'unavailable'
  return unreachable ? withoutTime(client) : fetchServiceFacts(client)
}

function withoutTime(client: Client): ServiceFacts | undefined {
  const latestFacts = client.latestFacts()
  return latestFacts && { ...latestFacts, time: undefined }
}

/** Returns the facts in the form of `_meta`, without unknown ones. */
export function metaOf(facts: ServiceFacts | undefined): Record<string, unknown> {
  const { time, environment } = facts ?? {}
  if (time === undefined && environment === undefined) return {}
  return {
    [FACTS_META_KEY]: {
      ...(time !== undefined && { time: toTimestamp(time.now), clock: time.frozen ? 'frozen' : 'running' }),
      ...(environment !== undefined && { environment }),
    },
  }
}
