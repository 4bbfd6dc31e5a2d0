import type { Account, Scope } from '../../core/account.ts'
/** The message by which an account is told of an event, with the resource as its read shows it to that account. */
import { AppError } from '../../core/errors.ts'
import { type EventType, listEventTypes } from '../../core/event-types.ts'
import { toTimestamp } from '../../core/time.ts'
import { messageBody } from '../../core/webhook-message.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { RESOURCES } from '../../generated/resources.ts'

/** Every type of events, by its name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  listEventTypes(RESOURCES).map((type) => [type.type, type]),
)

export type Viewed = { account: Account; scopes: readonly Scope[] }

/**
 * Returns the message as JSON; undefined where the account may not see the resource any more. Throws while the store does
 * not answer.
 */
export async function renderEvent(
  gateway: Pick<Gateway, 'invoke'>,
  { account, scopes }: Viewed,
  { type, show, id }: EventType,
  { resource_id, occurred_at }: { resource_id: string; occurred_at: number },
): Promise<string | undefined> {
  const { status, body } = await gateway.invoke({
    operation: show,
    credential: { account: account.account_id, scopes },
    input: { [id]: resource_id },
    uncounted: true,
    silent: true,
  })
  if (status === 503) throw new AppError('service_unavailable', `${show} does not answer: ${body}`)
  if (status >= 400) return undefined
  return messageBody({ type, timestamp: toTimestamp(occurred_at) }, body)
}
