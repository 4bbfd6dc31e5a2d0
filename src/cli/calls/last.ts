/** Finds the resource of a command: by id, by `last`, or the last one by default. */
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { RESOURCES } from '../../generated/resources.ts'
import type { CommandContext } from '../cli.ts'
import { lastCreated } from './created.ts'

/** Returns the id in `field`: the typed one, or the last resource's. Throws AppError('usage') when there is none. */
export async function namedOrLast(
  cli: CommandContext,
  typed: string | undefined,
  field: string,
): Promise<string> {
  const resource = Object.values(RESOURCES).find(({ id, last }) => id === field && last !== undefined)
  if (resource?.last === undefined || (typed !== undefined && typed !== 'last')) return typed ?? ''
  const { creates, list, last } = resource
  const id = lastCreated(cli, creates[0] ?? '')?.id ?? (await lastListed(await cli.client(), list, field))
  if (id !== undefined) return id
  throw new AppError('usage', last.none, { hint: last.hint })
}

async function lastListed(
  client: Client,
  list: string | undefined,
  field: string,
): Promise<string | undefined> {
  if (list === undefined) return undefined
  const { value } = await client.call(list, { limit: 1 })
  const id = (value as { data: Record<string, unknown>[] }).data[0]?.[field]
  return typeof id === 'string' ? id : undefined
}
