/** A quote that was confirmed before, and what became of it since. */
import { AppError } from '../core/errors.ts'
import type { Resource } from '../core/resource.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { CallResult, Client } from './client.ts'

/** Returns the error for a quote that an operation confirmed before, as the resource with this id. */
export function usedAs(operation: string, id: string, status?: string): AppError {
  const resource = resourceOf(operation)
  const state = status === undefined ? '' : `, which is ${status} now`
  return new AppError('quote_already_used', `The quote was confirmed already, as ${id}${state}.`, {
    hint: `Look at ${id}; for another ${resource.noun} call ${resource.quote} again.`,
    extra: { [resource.id]: id, ...(status !== undefined && { current_status: status }) },
  })
}

/**
 * Makes a confirm whose key the caller does not know. If it was carried out before, its answer is the resource as it is
 * now: the first answer could say that a cancelled ride is on its way. `before` says whether this very call was sent
 * before; the service forgets a key in a day. Throws `quote_already_used` with id and status of a resource that has ended.
 */
export async function confirmOnce(
  client: Pick<Client, 'call'>,
  operation: string,
  before: boolean,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const answer = await call()
    return answer.replayed ? await seeNow(client, operation, idIn(operation, answer.value), answer) : answer
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quote_already_used') throw error
    const id = idIn(operation, error.extra)
    if (id === undefined || error.extra['current_status'] !== undefined) throw error
    const found = await lookUp(client, operation, id)
    // Without a look at it, the id alone is still true.
    if (found === undefined) throw error
    const status = statusOf(found.value)
    if (!before || isFinal(operation, status)) throw usedAs(operation, id, status)
    return { ...found, replayed: true, isNow: true }
  }
}

async function seeNow(
  client: Pick<Client, 'call'>,
  operation: string,
  id: string | undefined,
  first: CallResult,
): Promise<CallResult> {
  const found = id === undefined ? undefined : await lookUp(client, operation, id)
  // A caller who may not read it still learns what was made.
  if (id === undefined || found === undefined) return first
  const status = statusOf(found.value)
  if (isFinal(operation, status)) throw usedAs(operation, id, status)
  return { ...found, status: first.status, replayed: true, isNow: true }
}

/** Returns the resource as it is now; undefined for a caller who may not read it. */
async function lookUp(
  client: Pick<Client, 'call'>,
  operation: string,
  id: string,
): Promise<CallResult | undefined> {
  const { show, id: member } = resourceOf(operation)
  if (show === undefined) return undefined
  try {
    return await client.call(show, { [member]: id })
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return undefined
    throw error
  }
}

function resourceOf(operation: string): Resource {
  const found = Object.values(RESOURCES).find(({ creates }) => creates.includes(operation))
  if (found === undefined) throw new Error(`${operation} creates no resource`)
  return found
}

function idIn(operation: string, value: unknown): string | undefined {
  const id = (value as Readonly<Record<string, unknown>>)[resourceOf(operation).id]
  return typeof id === 'string' ? id : undefined
}

function statusOf(value: unknown): string {
  return String((value as { status?: unknown }).status)
}

function isFinal(operation: string, status: string): boolean {
  return resourceOf(operation).life?.final.includes(status) === true
}
