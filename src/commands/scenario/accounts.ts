/** Checks the accounts that a scenario acts as, before its first step. */
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { findClosestWord } from '../../core/nearest.ts'
import type { ScenarioProblem, Scenario } from './file.ts'

/**
 * Returns a problem for each account that the sandbox does not have and that no step adds. An account with a reference is known
 * only when its step runs; a service whose accounts cannot be listed is asked at each call.
 */
export async function findUnknownAccounts(
  client: Client,
  { as, steps }: Pick<Scenario, 'as' | 'steps'>,
): Promise<ScenarioProblem[]> {
  const named = [
    ...(as === undefined ? [] : [{ account: as, line: 1 }]),
    ...steps.flatMap((step) => (step.as === undefined ? [] : [{ account: step.as, line: step.line }])),
  ].filter(({ account }) => !account.includes('${'))
  if (named.length === 0) return []
  const listed = await listAccounts(client)
  if (listed === undefined) return []
  const added = steps.flatMap(({ control, input }) =>
    control === 'add_account' ? [String(input?.['handle'])] : [],
  )
  const handles = [...listed.map(({ handle }) => handle), ...added]
  const known = new Set([...handles, ...listed.map(({ account_id }) => account_id)])
  const isOpen = added.some((handle) => handle.includes('${'))
  return named
    .filter(({ account }) => !isOpen && !known.has(account))
    .map(({ account, line }) => {
      const meant = findClosestWord(account, handles)
      const hint = meant === undefined ? `there are ${handles.join(', ')}` : `did you mean ${meant}?`
      return {
        place: { line, column: 1 },
        text: `as: the sandbox has no account ${account.slice(0, 60)}; ${hint}`,
      }
    })
}

async function listAccounts(client: Client) {
  try {
    return (await client.control('list_accounts', {})).data
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
