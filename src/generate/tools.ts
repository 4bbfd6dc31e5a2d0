import type { AnyOperation } from '../core/operation.ts'
import { toOutputSchema } from '../mcp/schemas.ts'
import { toTool } from '../mcp/tools.ts'

/** Returns the tool list as text that is parsed on demand, which is faster than an object literal. */
export function toolsSource(operations: readonly AnyOperation[]): string {
  return `import type { Tool } from '../mcp/tools.ts'

/** In the interface's order. */
export const TOOLS = JSON.parse(${asText(operations.map(toTool))}) as readonly Tool[]
`
}

/** Returns the output schemas by name. They are many times as large as the list, and loaded only on request. */
export function toolOutputsSource(operations: readonly AnyOperation[]): string {
  const outputs = operations.map((operation) => [operation.name, toOutputSchema(operation)])
  return `import type { ObjectSchema } from '../mcp/schemas.ts'

export const TOOL_OUTPUTS = JSON.parse(${asText(Object.fromEntries(outputs))}) as Readonly<Record<string, ObjectSchema>>
`
}

function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}
