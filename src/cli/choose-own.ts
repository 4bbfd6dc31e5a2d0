/** Lets a person choose one of their own things where a command lacks its id. */
import { AppError } from '../core/errors.ts'
import type { Column } from '../core/operation.ts'
import type { Resource } from '../core/resource.ts'
import { loadSpec } from '../generated/registry.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { CommandContext } from './cli.ts'
import { cellText } from './output/cell.ts'
import { pickField } from './output/fields.ts'
import { renderOptionsOf } from './output/render-options-of.ts'
import type { Prompts } from './questions.ts'

/** The noun for the things of a list, and the command that shows it. */
export type Own = { resource: Resource & { list: string }; command: string; columns: readonly Column[] }

/** The number that is offered: the newest. */
const MAX_CHOICES = 50
/** The fields of a thing that tell it from others. */
const MEMBERS = 5

/** Returns what an argument names by its id, if the area of the command lists such things. */
export async function findOwn({ spec }: CommandContext, argument: string): Promise<Own | undefined> {
  const [area] = spec.words.split(' ')
  const resource = Object.values(RESOURCES).find((each) => each.id === argument && each.area === area)
  if (resource?.list === undefined) return undefined
  const listing = await loadSpec(resource.list)
  if (listing === undefined) return undefined
  const { words, operation } = listing
  return {
    resource: { ...resource, list: resource.list },
    command: `dray ${words}`,
    columns: operation?.columns ?? [],
  }
}

/** Says where the ids are seen. */
export function formatListHint({ resource: { noun }, command }: Pick<Own, 'resource' | 'command'>): string {
  return `\`${command}\` lists your ${noun}s.`
}

/** The rows that are offered, and what each is called in a command: by default all, and the id. */
type OfferedRows = { fits?: (row: unknown) => boolean; wordOf?: (row: unknown) => string }

/** Asks which one is meant, and returns its word. Throws AppError('usage') when there is none. */
export async function chooseOwn(
  cli: CommandContext,
  ask: Prompts,
  { resource, command, columns }: Own,
  { fits = () => true, wordOf }: OfferedRows = {},
): Promise<string> {
  const { noun, id, list } = resource
  const listed = await (await cli.client()).call(list, { limit: MAX_CHOICES })
  const all = (listed.value as { data: readonly unknown[] }).data
  const rows = all.filter(fits)
  if (rows.length === 0) {
    const none = all.length === 0 ? `You have no ${noun}s` : `None of your latest ${noun}s allows this`
    throw new AppError('usage', `Which ${noun}? ${none}.`, { hint: formatListHint({ resource, command }) })
  }
  const renderOptions = renderOptionsOf(cli, 'stderr')
  const nameOf = (row: unknown): string =>
    columns
      .map((column) => (typeof column === 'string' ? column : column.field))
      .filter((field) => resource.prefix === undefined || field !== id)
      .map((field) => [field, pickField(row, field)] as const)
      // A yes says nothing without its heading.
      .filter(([, value]) => typeof value !== 'boolean')
      .map(([field, value]) => cellText(value, field, renderOptions))
      .filter((text) => text !== '')
      .slice(0, MEMBERS)
      .join(', ')
  return ask.select({
    message: `Which ${noun}?`,
    choices: rows.map((row) => ({ value: wordOf?.(row) ?? String(pickField(row, id)), name: nameOf(row) })),
  })
}
