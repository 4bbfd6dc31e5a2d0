/** Carries out the tools of the sandbox. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { framed } from './call-tool.ts'
import type { CallExtra, ToolDeps } from './call-tool.ts'
import type { McpClientSession } from './elicitation.ts'
import { throwIfCancelled } from './guard-types.ts'
import { toErrorCode, writeAuditEntry } from './record.ts'
import type { SandboxTool, Scenarios } from './sandbox-tools.ts'

/** Carries out a tool of the sandbox. Never throws: a failure becomes a result with the problem document as text. */
export async function callSandboxTool(
  deps: ToolDeps,
  { tool, scenarios }: { tool: SandboxTool; scenarios: Scenarios },
  args: Readonly<Record<string, unknown>>,
  program: McpClientSession & CallExtra,
): Promise<CallToolResult> {
  const { client, guard } = deps
  const { mcpReq } = program
  const called = { tool, input: args, program }
  return framed(deps, { name: tool.name, area: 'account' }, mcpReq, async () => {
    try {
      throwIfCancelled({ signal: mcpReq.signal, tool })
      writeAuditEntry(guard, called, { event: 'call' })
      const value = tool.control === undefined ? { scenarios } : await client.control(tool.control, args)
      writeAuditEntry(guard, called, { event: 'answer', outcome: 'ok' })
      return {
        structuredContent: value as Record<string, unknown>,
        content: [{ type: 'text', text: JSON.stringify(value) }],
      }
    } catch (error) {
      writeAuditEntry(guard, called, { event: 'answer', outcome: toErrorCode(error) })
      throw error
    }
  })
}
