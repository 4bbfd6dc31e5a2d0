import { targetKey } from '../../cli/calls/created.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { type Client, withOperationTypes, withControlTypes } from '../../client/client.ts'
import { saveSeenIds } from '../../local-state/seen.ts'

/** Returns the same client, whose answers' ids are kept for the completions of this service and account. */
export function recordClientIds(client: Client, cli: CommandContext): Client {
  const keep = (answer: unknown): void => saveSeenIds(cli.runtime, targetKey(cli.settings), answer)
  return {
    ...client,
    call: withOperationTypes(async (name, input, options = {}) => {
      const answer = await client.call(name, input, options)
      keep(answer.value)
      return answer
    }),
    control: withControlTypes(async (name, input) => {
      const answer = await client.control(name, input)
      keep(answer)
      return answer
    }),
  }
}
