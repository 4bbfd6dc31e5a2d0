import { TASK_TYPES } from '../areas/tasks/seed/task-types.ts'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import { toSandboxTools, toScenarios } from '../mcp/sandbox-tools.ts'
import { toOutputSchema } from '../mcp/schemas.ts'
import type { InputSchema } from '../mcp/shorten-schema.ts'
import { findReadOfSame, toTool } from '../mcp/tools.ts'
import type { Tool } from '../mcp/tools.ts'

/** Returns the tools of the operations that have one, in their order. */
export function toTools(operations: readonly AnyOperation[]): Tool[] {
  const inputs = new Map(operations.map(({ name, input }) => [name, input as InputSchema]))
  const elsewhere = {
    inputOf: (name: string): InputSchema => inputs.get(name) ?? {},
    requirements: requirementsOf(
      TASK_TYPES.map(({ requirements_schema }) => requirements_schema as InputSchema),
    ),
  }
  return operations
    .filter(hasTool)
    .map((operation) => toTool(operation, elsewhere, findReadOfSame(operation, operations)))
}

function hasTool({ toolset }: AnyOperation): boolean {
  return toolset !== null
}

/** Returns the fields of all schemas. Throws for a name that two of them use for different types. */
function requirementsOf(schemas: readonly InputSchema[]): Record<string, InputSchema> {
  const members: Record<string, InputSchema> = {}
  for (const [name, member] of schemas.flatMap(({ properties = {} }) => Object.entries(properties))) {
    if (members[name] !== undefined && members[name].type !== member.type) {
      throw new Error(`two task types have a requirement ${name}, of different types`)
    }
    members[name] ??= member
  }
  return members
}

/** Returns the tool list as text that is parsed on demand, which is faster than an object literal. */
export function toolsSource(operations: readonly AnyOperation[]): string {
  return `import type { Tool } from '../mcp/tools.ts'

/** First those of the interface, in its order, then those beside it. */
export const TOOLS = JSON.parse(${asText(toTools(operations))}) as readonly Tool[]
`
}

/** Returns the names of all toolsets as a small module, for help. */
export function toolsetsSource(operations: readonly AnyOperation[]): string {
  const names = new Set(operations.flatMap(({ area, toolset = area }) => toolset ?? []))
  return `export const TOOLSETS: readonly string[] = ${JSON.stringify([...names])}\n`
}

/** Returns the output schemas by name. They are many times as large as the list, and loaded only on request. */
export function toolOutputsSource(operations: readonly AnyOperation[]): string {
  const outputs = operations.filter(hasTool).map((operation) => [operation.name, toOutputSchema(operation)])
  return `import type { ObjectSchema } from '../mcp/schemas.ts'

export const TOOL_OUTPUTS = JSON.parse(${asText(Object.fromEntries(outputs))}) as Readonly<Record<string, ObjectSchema>>
`
}

/** Returns the tools of the sandbox and the scenarios, which few servers load. */
export function sandboxToolsSource(
  controls: readonly AnySandboxOperation[],
  operations: readonly AnyOperation[],
): string {
  return `import type { SandboxTool, Scenarios } from '../mcp/sandbox-tools.ts'

export const SANDBOX_TOOLS = JSON.parse(${asText(toSandboxTools(controls))}) as readonly SandboxTool[]

export const SCENARIOS: Scenarios = JSON.parse(${asText(toScenarios(operations))}) as Scenarios
`
}

function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}
