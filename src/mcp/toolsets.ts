/** Selects the tools of a server by its start options and by its caller's scopes. */
import { AppError } from '../core/errors.ts'
import { findClosestWord } from '../core/nearest.ts'
import type { Tool } from './tools.ts'

/** The start options; an empty list means no restriction. */
export type ToolFilter = {
  readOnly: boolean
  /** Names of areas, and of toolsets outside the core interface. */
  toolsets: readonly string[]
  tools: readonly string[]
  exclude: readonly string[]
}

/**
 * Returns the tools of the named toolsets and the tools named themselves, or all of the interface without either. Leaves out
 * excluded tools and, with `readOnly`, tools that change something. Throws AppError('usage') for an unknown name.
 */
export function chooseTools(all: readonly Tool[], choice: ToolFilter): Tool[] {
  const { readOnly, toolsets, tools, exclude } = choice
  const names = all.map(({ name }) => name)
  assertKnown('--toolsets', toolsets, [...new Set(all.map(toolsetOf))])
  assertKnown('--tools', tools, names)
  assertKnown('--exclude', exclude, names)
  const every = toolsets.length === 0 && tools.length === 0
  const chosen = all.filter(
    (tool) =>
      (every
        ? tool.toolset === undefined
        : toolsets.includes(toolsetOf(tool)) || tools.includes(tool.name)) &&
      !exclude.includes(tool.name) &&
      (tool.read || !readOnly),
  )
  if (chosen.length === 0) {
    throw new AppError('usage', 'The choice leaves no tools.', {
      hint: 'Leave one of --toolsets, --tools, --exclude and --read-only out.',
    })
  }
  return chosen
}

function toolsetOf({ area, toolset = area }: Pick<Tool, 'area' | 'toolset'>): string {
  return toolset
}

/** Returns the tools that a caller with these scopes can use; all when the scopes are unknown. */
export function filterToolsByScopes(
  tools: readonly Tool[],
  scopes: readonly string[] | undefined,
): readonly Tool[] {
  return scopes === undefined ? tools : tools.filter(({ scope }) => scopes.includes(scope))
}

function assertKnown(flag: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const named = unknown.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')
  const meant = [...new Set(unknown.flatMap((name) => findClosestWord(name.toLowerCase(), known) ?? []))]
  const rest = known.filter((name) => !meant.includes(name)).join(', ')
  throw new AppError('usage', `${flag}: unknown ${named}.`, {
    hint:
      meant.length === 0
        ? `Available: ${rest}.`
        : `Did you mean ${meant.join(', ')}? Also available: ${rest}.`,
  })
}
