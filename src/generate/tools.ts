import type { AnyOperation } from '../core/operation.ts'
import { toOutputSchema } from '../mcp/schemas.ts'
import { toTool } from '../mcp/tools.ts'

/** The list of tools as text that is parsed when it is needed: faster than an object of the program. */
export function toolsSource(operations: readonly AnyOperation[]): string {
  return `import type { Tool } from '../mcp/tools.ts'

/** In the interface's order. */
export const TOOLS = JSON.parse(${asText(operations.map(toTool))}) as readonly Tool[]
`
}

/** name -> what a success gives. Many times as large as the list, and only read when it was asked for. */
export function toolOutputsSource(operations: readonly AnyOperation[]): string {
  const outputs = operations.map((operation) => [operation.name, toOutputSchema(operation)])
  return `import type { ObjectSchema } from '../mcp/schemas.ts'

export const TOOL_OUTPUTS = JSON.parse(${asText(Object.fromEntries(outputs))}) as Readonly<Record<string, ObjectSchema>>
`
}

function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}
