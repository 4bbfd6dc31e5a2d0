/** What the service says of itself, for agents: its time, whether its clock runs, whether it is a sandbox. */
import type { Client, ServiceFacts } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { toTimestamp } from '../core/time.ts'

/** Where each answer says it, named as `_meta` asks for. */
export const FACTS_META_KEY = 'dray/service'

/** A program that connects waits no longer for a service that may not answer. */
const ASK_LIMIT_MS = 5000

/** Asks the service itself: what it said an hour ago is of no use to whoever connects now. Never throws. */
export async function askFacts(client: Client): Promise<ServiceFacts | undefined> {
  try {
    await client.serviceTime(ASK_LIMIT_MS)
    return client.heard()
  } catch {
    return withoutTime(client)
  }
}

/** The facts that belong to a tool's answer, `before` which the service had said so much. Never throws. */
export async function factsOfAnswer(
  client: Client,
  before: ServiceFacts | undefined,
  error?: unknown,
): Promise<ServiceFacts | undefined> {
  const heard = client.heard()
  if (heard !== before) return heard
  // Nothing came from there: either it cannot be reached, or it was not asked.
  const unreachable = error instanceof AppError && error.entry.exit === 'unavailable'
  return unreachable ? withoutTime(client) : askFacts(client)
}

function withoutTime(client: Client): ServiceFacts | undefined {
  const heard = client.heard()
  return heard && { ...heard, time: undefined }
}

/** As it stands in `_meta`; what is not known is left out. */
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
