/** Carries out the tools of the sandbox. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Program } from './ask.ts'
import { toFailure, withMeta } from './call-tool.ts'
import type { CallExtra, ToolDeps } from './call-tool.ts'
import { factsOfAnswer, metaOf } from './facts.ts'
import { assertWanted } from './guarded.ts'
import { unreadable } from './message.ts'
import { codeOf, note } from './record.ts'
import type { SandboxTool, Scenarios } from './sandbox-tools.ts'

/** Carries out a tool of the sandbox. Never throws: a failure becomes a result with the problem document as text. */
export async function callSandboxTool(
  { client, guard, onError, faultOf }: ToolDeps,
  { tool, scenarios }: { tool: SandboxTool; scenarios: Scenarios },
  args: Readonly<Record<string, unknown>>,
  { mcpReq }: CallExtra,
  program: Omit<Program, 'mcpReq'>,
): Promise<CallToolResult> {
  const before = client.latestFacts()
  const called = { tool, input: args, program: { ...program, mcpReq } }
  try {
    const fault = faultOf?.(mcpReq.id)
    if (fault !== undefined) throw unreadable(fault)
    assertWanted({ signal: mcpReq.signal, tool })
    note(guard, called, { event: 'call' })
    const value = tool.control === undefined ? { scenarios } : await client.control(tool.control, args)
    note(guard, called, { event: 'answer', outcome: 'ok' })
    const content = [{ type: 'text' as const, text: JSON.stringify(value) }]
    const answer = { structuredContent: value as Record<string, unknown>, content }
    return withMeta(answer, metaOf(await factsOfAnswer(client, before)))
  } catch (error) {
    note(guard, called, { event: 'answer', outcome: codeOf(error) })
    const failure = toFailure(error, { name: tool.name, area: 'account' }, onError)
    return withMeta(failure, metaOf(await factsOfAnswer(client, before, error)))
  }
}
