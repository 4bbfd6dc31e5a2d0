/**
 * Tools of the sandbox for developers' agents: its clock, the next event of a resource, and the scenarios. They exist only
 * with `--sandbox-tools`, and call what `dray sandbox` calls.
 */
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import type { ToolHints } from './hints.ts'
import { toInput, toInputSchema } from './schemas.ts'
import { toToolTitle } from './tools.ts'
import type { ListedTool, Tool } from './tools.ts'

/** A tool of the sandbox, with its control call; the list of scenarios needs none. */
export type SandboxTool = { name: string; control?: string; listed: ListedTool }

/** The names of scenarios by tool. */
export type Scenarios = Readonly<Record<string, readonly string[]>>

const LOOKS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
/** The clock is never turned back: quotes expire, orders end. Each call goes further. */
const MOVES: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
}

const CONTROLS: readonly { name: string; control: string; hints: ToolHints }[] = [
  { name: 'sandbox_now', control: 'get_clock', hints: LOOKS },
  { name: 'sandbox_advance', control: 'advance_clock', hints: MOVES },
  { name: 'sandbox_step', control: 'step_resource', hints: MOVES },
]

const SCENARIO_LIST: SandboxTool = {
  name: 'sandbox_scenarios',
  listed: {
    name: 'sandbox_scenarios',
    title: toToolTitle('sandbox_scenarios'),
    description:
      'List the sandbox scenarios of each tool that accepts sandbox_scenario. The default is happy; in the others something goes wrong.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: LOOKS,
  },
}

/** Control calls take no rows and no requirements of tasks. */
const NOTHING_ELSE = { inputOf: () => ({}), requirements: {} }

/** Returns the tools of the sandbox. It runs during the build. */
export function toSandboxTools(controls: readonly AnySandboxOperation[]): SandboxTool[] {
  const tools = CONTROLS.map(({ name, control, hints }) => {
    const found = controls.find((each) => each.name === control)
    if (found === undefined) throw new Error(`unknown control call ${control}`)
    const { summary, description, input } = found
    const text = description === undefined ? `${summary}.` : `${summary}. ${description}`
    const inputSchema = toInputSchema(toInput({ input, idempotency: 'none' }, NOTHING_ELSE))
    return {
      name,
      control,
      listed: { name, title: toToolTitle(name), description: text, inputSchema, annotations: hints },
    }
  })
  return [...tools, SCENARIO_LIST]
}

/** Returns the scenarios of the operations that have some. It runs during the build. */
export function toScenarios(operations: readonly AnyOperation[]): Scenarios {
  const known = operations.filter(({ scenarios }) => scenarios.length > 0)
  return Object.fromEntries(known.map(({ name, scenarios }) => [name, scenarios]))
}

/** Returns the tools, with the argument `sandbox_scenario` where there are scenarios. */
export function withScenarios(tools: readonly Tool[], scenarios: Scenarios): Tool[] {
  return tools.map((tool) => {
    const names = Object.hasOwn(scenarios, tool.name) ? scenarios[tool.name] : undefined
    if (names === undefined) return tool
    const { input, listed } = tool
    const sandbox_scenario = {
      type: 'string',
      description: `Sandbox scenario: ${names.join(', ')}. Options follow a semicolon, as in courier_delay;seconds=900`,
    }
    const adding = <S extends { properties?: object }>(schema: S): S => ({
      ...schema,
      properties: { ...schema.properties, sandbox_scenario },
    })
    return {
      ...tool,
      playsScenarios: true,
      input: adding(input),
      listed: { ...listed, inputSchema: adding(listed.inputSchema) },
    }
  })
}
