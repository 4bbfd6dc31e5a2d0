import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { CommandSpec } from '../cli/command.ts'
import { renderCommandHelp, renderGroupHelp, renderRootHelp } from '../cli/help.ts'
import { SCENARIO_SCHEMA } from '../commands/scenario/schema.ts'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import { sandboxDocument } from '../server/openapi-sandbox.ts'
import { openapiDocument } from '../server/openapi.ts'
import { listInterfaceLines } from './interface-lines.ts'
import { listToolLines } from './tool-lines.ts'
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
  const { version } = packageJson
  const specs = commands.map(({ spec }) => spec)
  return {
    ...helpScreens(specs),
    'examples/scenarios/scenario.schema.json': toJson(SCENARIO_SCHEMA),
    'test/snapshots/interface.txt': toText(listInterfaceLines(openapiDocument(operations, version))),
    'test/snapshots/sandbox.txt': toText(listInterfaceLines(sandboxDocument(controls, { version }))),
    'test/snapshots/tools.txt': toText(listToolLines(operations)),
    [OPERATIONS_PAGE]: replaceSections(readFileSync(join(root, OPERATIONS_PAGE), 'utf8'), operations),
  }
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

function toText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}
