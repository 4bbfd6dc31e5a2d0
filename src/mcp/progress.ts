/** Progress notifications of a call that takes rows, for a caller that asked for them with a `progressToken`. */
import type { ServerContext } from '@modelcontextprotocol/server'
import type { Tool } from './tools.ts'

export type ToolProgress = {
  /** Called for each row that the service has read; a service elsewhere does not tell. */
  onRow(): void
  /** Reports that all rows are done. */
  end(): Promise<void>
}

/** The number of notifications between the first and the last. */
const STEPS = 10

/** Reports that none of the rows is done, and returns the functions that go on; undefined when nobody wants to know. */
export async function startToolProgress(
  { rows: member = '' }: Pick<Tool, 'rows'>,
  input: Readonly<Record<string, unknown>>,
  mcpReq: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>,
): Promise<ToolProgress | undefined> {
  const progressToken = mcpReq._meta?.progressToken
  const rows = input[member]
  if (progressToken === undefined || !Array.isArray(rows)) return undefined
  const total = rows.length
  const step = Math.max(1, Math.ceil(total / STEPS))
  // A caller that does not receive them still gets its response.
  const tell = (progress: number): Promise<void> =>
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total, message: `${progress} of ${total} rows` },
      })
      .catch(() => {})
  let count = 0
  await tell(0)
  return {
    onRow() {
      count += 1
      // The last row counts once the response is there. A repeated transaction reads its rows again, and says no more.
      if (count < total && count % step === 0) void tell(count)
    },
    end: () => tell(total),
  }
}
