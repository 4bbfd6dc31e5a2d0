/** The hubs of an agreement, as people name them. */
import type { Client } from '../../client/client.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { readRemainingPages } from '../../client/pages.ts'
import { AppError } from '../../core/errors.ts'
import { findClosestWord } from '../../core/nearest.ts'

export type ListedHub = OperationOutput<'list_hubs'>['data'][number]

/** Returns the hub with this code or id, an open one first. Throws AppError('hub_not_found') that names yours. */
export async function resolveHub(
  client: Client,
  named: string,
  open: readonly ListedHub[],
): Promise<ListedHub> {
  const isNamed = ({ code, hub_id }: ListedHub): boolean =>
    code.toUpperCase() === named.toUpperCase() || hub_id === named
  const hub = open.find(isNamed) ?? (await loadHubs(client, false)).find(isNamed)
  if (hub !== undefined) return hub
  const codes = open.map(({ code }) => code)
  const meant = findClosestWord(named.toUpperCase(), codes)
  throw new AppError('hub_not_found', `No hub ${named.slice(0, 40)}.`, {
    hint: `${meant === undefined ? 'Yours are' : `Did you mean ${meant}? Yours are`} ${codes.join(', ')}.`,
  })
}

export async function loadHubs(client: Client, active: boolean): Promise<ListedHub[]> {
  const next = async (cursor: string | null) =>
    (await client.call('list_hubs', { active, limit: 100, ...(cursor !== null && { cursor }) })).value
  return readRemainingPages(await next(null), next)
}
