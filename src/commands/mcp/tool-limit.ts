/** The tools that fit into a program with a limit: a person chooses areas, and a script is told of the flag. */
import type { CommandContext } from '../../cli/cli.ts'
import { AREAS } from '../../core/areas.ts'
import { TOOLS } from '../../generated/tools.ts'
import { chooseTools } from '../../mcp/toolsets.ts'
import type { KnownMcpClient } from './programs.ts'

export type ToolLimit = { readOnly: boolean; toolsets: readonly string[] }

const all = Object.keys(AREAS)

/** The areas that a user needs, by the work that an agent does for them. */
const ROLES: readonly { name: string; toolsets: readonly string[] }[] = [
  { name: 'For a customer', toolsets: all.filter((area) => area !== 'business') },
  { name: 'For a store', toolsets: ['account', 'business', 'delivery'] },
  { name: 'For a parcel sender', toolsets: ['account', 'carrier', 'delivery'] },
]

/** Returns how many tools a choice of areas has; all areas without one. Throws AppError('usage') for an unknown one. */
export function countTools({ readOnly, toolsets }: ToolLimit): number {
  return chooseTools(TOOLS, { readOnly, toolsets, tools: [], exclude: [] }).length
}

/**
 * Returns the areas to set up: those that were given, or those that a person chooses where all tools are too many for the
 * program. Where dray cannot prompt, all are set up, with a warning that names the flag.
 */
export async function fitToolsets(
  cli: CommandContext,
  program: KnownMcpClient,
  given: ToolLimit,
): Promise<readonly string[]> {
  const { toolLimit, title } = program
  const count = countTools(given)
  if (toolLimit === undefined || count <= toolLimit) return given.toolsets
  const told = `${title} accepts ${toolLimit} tools from all its servers; dray has ${count}.`
  const fitting = ROLES.map((role) => ({ ...role, count: countTools({ ...given, toolsets: role.toolsets }) }))
    .filter((role) => role.count <= toolLimit)
    .toSorted((a, b) => b.count - a.count)
  const ask = given.toolsets.length > 0 || cli.settings.yes ? undefined : await cli.ask()
  if (ask === undefined) {
    const flags = fitting.map((role) => `--toolsets ${role.toolsets.join(',')} (${role.count})`)
    await cli.say(`warning: ${told} Choose fewer: ${flags.join(', or ')}.`)
    return given.toolsets
  }
  const chosen = await ask.select<readonly string[]>({
    message: `${told} Which ones?`,
    choices: [
      ...fitting.map((role) => ({
        value: role.toolsets,
        name: `${role.name}: ${role.count} tools`,
        description: role.toolsets.join(', '),
      })),
      { value: [], name: `All ${count} tools: the client will leave some out` },
    ],
  })
  if (chosen.length > 0) cli.answered.push({ flag: '--toolsets', value: chosen.join(',') })
  return chosen
}
