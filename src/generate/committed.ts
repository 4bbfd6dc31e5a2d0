import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { CommandSpec } from '../cli/command.ts'
import { renderCommandHelp, renderGroupHelp, renderRootHelp } from '../cli/help.ts'
import { SCENARIO_SCHEMA } from '../commands/scenario/schema.ts'
import { sha256Hex } from '../core/hash.ts'
import { type AnyOperation, type AnySandboxOperation, isExtension } from '../core/operation.ts'
import { INSTRUCTIONS } from '../mcp/instructions.ts'
import { toOutputSchema } from '../mcp/schemas.ts'
import { sandboxDocument } from '../server/openapi-sandbox.ts'
import { openapiDocument } from '../server/openapi.ts'
import { toTools } from './tools.ts'
import type { CommandEntry } from './tree.ts'

/**
 * Returns the generated files that are committed, by path from the root: reviewers read them, and `--check` compares
 * them.
 */
export async function committedFiles(
  root: string,
  {
    operations,
    controls,
    commands,
  }: {
    operations: readonly AnyOperation[]
    controls: readonly AnySandboxOperation[]
    commands: readonly CommandEntry[]
  },
): Promise<Record<string, string>> {
  // Imported late, because they need `src/generated/`.
  const { OPERATIONS_PAGE, replaceSections } = await import('./operations-page.ts')
  const { EXAMPLES } = await import('../generated/examples.ts')
  const { CONTROL_EXAMPLES } = await import('../generated/control-examples.ts')
  const { version } = packageJson
  const specs = commands.map(({ spec }) => spec)
  return {
    ...helpScreens(specs),
    'examples/scenarios/scenario.schema.json': toJson(SCENARIO_SCHEMA),
    'test/snapshots/mcp-tools.json': toJson(toolList(operations)),
    'test/snapshots/openapi.json': toJson(openapiDocument(operations, version, EXAMPLES)),
    'test/snapshots/openapi-sandbox.json': toJson(
      sandboxDocument(controls, { version, examples: CONTROL_EXAMPLES }),
    ),
    [OPERATIONS_PAGE]: replaceSections(readFileSync(join(root, OPERATIONS_PAGE), 'utf8'), operations),
  }
}

/**
 * Returns the tool list for agents: every model that uses dray reads it, and those beside the interface where they are named. A token is estimated as four bytes,
 * which gives more tokens than real tokenizers count.
 */
function toolList(operations: readonly AnyOperation[]): Record<string, unknown> {
  const all = toTools(operations)
  const tools = all.filter(({ toolset }) => toolset === undefined).map(({ listed }) => listed)
  const outputs = operations.filter((operation) => !isExtension(operation)).map(toOutputSchema)
  return {
    tokens: tokensIn(tools),
    tokens_with_output_schemas: tokensIn([...tools, ...outputs]),
    output_schemas_sha256: sha256Hex(JSON.stringify(outputs)),
    instructions: INSTRUCTIONS,
    tools,
    beside: all.flatMap(({ toolset, listed }) => (toolset === undefined ? [] : [{ toolset, ...listed }])),
  }
}

function tokensIn(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4)
}

/** Returns every help screen: the root's, those of groups, those of commands. */
function helpScreens(specs: readonly CommandSpec[]): Record<string, string> {
  const screens: [words: string, text: string][] = [['dray', renderRootHelp(specs)]]
  const groups = new Set(specs.flatMap(({ words }) => prefixes(words)))
  for (const group of groups) {
    const members = specs.filter(({ words }) => words.startsWith(`${group} `))
    screens.push([group, renderGroupHelp(group, members)])
  }
  for (const spec of specs) screens.push([spec.words, renderCommandHelp(spec)])
  return Object.fromEntries(
    screens.map(([words, text]) => [`test/snapshots/help/${words.replaceAll(' ', '-')}.txt`, text]),
  )
}

/** Returns `sandbox` and `sandbox clock` for `sandbox clock set`. */
function prefixes(words: string): string[] {
  const parts = words.split(' ')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(' '))
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
