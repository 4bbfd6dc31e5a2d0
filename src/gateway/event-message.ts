/** The message by which an account is told of an event, with the resource as its read shows it to that account. */
import { AppError } from '../core/errors.ts'
import type { EventType } from '../core/event-types.ts'
import { messageBody } from '../core/webhook-message.ts'
import type { Gateway } from './gateway.ts'
import type { Credential } from './request.ts'

/**
 * Returns the message as JSON; undefined where the caller may not see the resource any more. Throws while the store does not
 * answer: the event is to be told later.
 */
export async function renderEvent(
  gateway: Pick<Gateway, 'invoke'>,
  credential: Credential | undefined,
  { type, show, id }: EventType,
  { resource_id, timestamp }: { resource_id: string; timestamp: string },
): Promise<string | undefined> {
  const { status, body } = await gateway.invoke({
    operation: show,
    credential,
    input: { [id]: resource_id },
    uncounted: true,
    silent: true,
  })
  if (status === 503) throw new AppError('service_unavailable', `${show} does not answer: ${body}`)
  return status < 400 ? messageBody({ type, timestamp }, body) : undefined
}
