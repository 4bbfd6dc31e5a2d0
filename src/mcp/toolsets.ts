/** Which tools a server has: of the fifty, those that its start and its caller's scopes leave. */
import { AppError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import type { Tool } from './tools.ts'

/** What was said at the start; an empty list says nothing. */
export type Choice = {
  readOnly: boolean
  /** Areas. */
  toolsets: readonly string[]
  tools: readonly string[]
  exclude: readonly string[]
}

/**
 * The tools of the named toolsets and those named themselves, all without either; less those excluded, and with
 * `readOnly` less those that change something. Throws AppError('usage') for a name that there is not.
 */
export function chooseTools(all: readonly Tool[], choice: Choice): Tool[] {
  const { readOnly, toolsets, tools, exclude } = choice
  const names = all.map(({ name }) => name)
  assertKnown('--toolsets', toolsets, [...new Set(all.map(({ area }) => area))])
  assertKnown('--tools', tools, names)
  assertKnown('--exclude', exclude, names)
  const every = toolsets.length === 0 && tools.length === 0
  const chosen = all.filter(
    ({ name, area, read }) =>
      (every || toolsets.includes(area) || tools.includes(name)) &&
      !exclude.includes(name) &&
      (read || !readOnly),
  )
  if (chosen.length === 0) {
    throw new AppError('usage', 'What was chosen leaves no tool.', {
      hint: 'Leave one of --toolsets, --tools, --exclude and --read-only out.',
    })
  }
  return chosen
}

/** Those that a caller with these scopes can use; all where the scopes are not known. */
export function withinScopes(tools: readonly Tool[], scopes: readonly string[] | undefined): readonly Tool[] {
  return scopes === undefined ? tools : tools.filter(({ scope }) => scopes.includes(scope))
}

function assertKnown(flag: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const named = unknown.map((name) => JSON.stringify(name.slice(0, 60))).join(', ')
  const meant = [...new Set(unknown.flatMap((name) => nearest(name.toLowerCase(), known) ?? []))]
  const rest = known.filter((name) => !meant.includes(name)).join(', ')
  throw new AppError('usage', `${flag}: there is no ${named}.`, {
    hint:
      meant.length === 0 ? `There is ${rest}.` : `Did you mean ${meant.join(', ')}? There is also ${rest}.`,
  })
}
