/** A quote that was confirmed before, and what became of it since. */
import { AppError } from '../core/errors.ts'
import type { Resource } from '../core/resource.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { CallResult, Client } from './client.ts'
import { orIfForbidden } from './fallbacks.ts'

/** Returns the error for a quote that an operation confirmed before, as the resource with this id. */
export function usedAs(operation: string, id: string, status?: string): AppError {
  const resource = resourceOf(operation)
  const state = status === undefined ? '' : `, which is ${status} now`
  return new AppError('quote_already_used', `This quote was already used for ${id}${state}.`, {
    hint: `See ${id}. For another ${resource.noun}, get a new quote with ${resource.quote}.`,
    extra: { [resource.id]: id, ...(status !== undefined && { current_status: status }) },
  })
}

/**
 * Makes a confirm under a key that the caller lacks. If it was carried out before, its response is the resource as it is
 * now: the first response could say that a cancelled ride is on its way. `before` says whether this very call was sent
 * before; the service forgets a key in a day. Throws `quote_already_used` with id and status of a resource that has ended.
 */
export async function confirmOnce(
  client: Pick<Client, 'call'>,
  operation: string,
  before: boolean,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const first = await call()
    if (!first.replayed) return first
    const found = await seeNow(client, operation, first.value)
    // A caller who may not read it still learns what was made.
    return found === undefined ? first : { ...found, status: first.status }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quote_already_used') throw error
    if (error.extra['current_status'] !== undefined) throw error
    const found = await seeNow(client, operation, error.extra, before)
    // Without a look at it, the id alone is still true.
    if (found === undefined) throw error
    return found
  }
}

/**
 * Returns the resource that a response or a refusal names, as it is now; undefined where it cannot be looked at. Throws
 * `quote_already_used` for one that has ended, or that another call made.
 */
async function seeNow(
  client: Pick<Client, 'call'>,
  operation: string,
  naming: unknown,
  isOwn = true,
): Promise<CallResult | undefined> {
  const { show, id: member, life } = resourceOf(operation)
  const id = (naming as Readonly<Record<string, unknown>>)[member]
  if (typeof id !== 'string' || show === undefined) return undefined
  const found = await orIfForbidden(client.call(show, { [member]: id }), undefined)
  if (found === undefined) return undefined
  const status = String((found.value as { status?: unknown }).status)
  if (!isOwn || life?.final.includes(status) === true) throw usedAs(operation, id, status)
  return { ...found, replayed: true, isNow: true }
}

function resourceOf(operation: string): Resource {
  const found = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  if (found === undefined) throw new Error(`${operation} creates no resource`)
  return found
}
