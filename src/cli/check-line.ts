/** Checks all of a command line that needs neither the service nor its data, before the command does anything. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve as resolvePath } from 'node:path'
import { AppError } from '../core/errors.ts'
import { fileReason } from '../core/file-reason.ts'
import { findResultFields } from './answer-fields.ts'
import type { Args, CommandSpec, Flag } from './command.ts'
import { isStream } from './files/write.ts'
import type { Globals } from './globals.ts'
import { assertLimit } from './max-total.ts'
import { assertAmong, parseFields } from './output/fields.ts'

type Line = {
  spec: CommandSpec
  args: Args
  globals: Pick<Globals, 'fields' | 'query' | 'dryRun' | 'wait'>
  /** The current folder, which is asked for only when a flag names a file. */
  cwd: () => string
  /** The most that the command may spend, and the flag or variable that says so. */
  limit?: { text: string; name: string } | undefined
}

/**
 * Throws AppError('usage' | 'file_error') for a result that could not be printed or written as the flags say, and for a
 * limit that is no amount. Returns
 * the names for `--fields help`, which is then all that the command does.
 */
export async function checkLine({
  spec,
  args,
  globals,
  cwd,
  limit,
}: Line): Promise<readonly string[] | undefined> {
  const { fields, query } = globals
  if (limit !== undefined) assertLimit(limit.text, limit.name)
  if (query !== undefined) (await import('./output/query.ts')).assertQuery(query)
  checkDashes(spec, args)
  for (const { flag, fileAccess: opens, value } of writtenBy(spec)) {
    const path = args[flag]
    if (typeof path === 'string' && value?.split('|').includes(path) !== true)
      assertWritable(path, flag, { makes: opens === 'make', cwd })
  }
  return fields === undefined ? undefined : checkFields(fields, { spec, args, globals })
}

/** Throws AppError('usage') for `-` where no stream is taken, and where two would share one. */
function checkDashes({ flags, positionals }: CommandSpec, args: Args): void {
  const places = [
    ...positionals.map(({ name, fileAccess: opens, dash }) => ({
      name,
      shown: name.toUpperCase(),
      opens,
      dash: dash === true,
    })),
    ...flags.map(({ flag, fileAccess: opens, value }) => ({
      name: flag,
      shown: `--${flag}`,
      opens,
      dash: value?.split('|').includes('-') === true,
    })),
  ]
  const dashed = places.filter(({ name, opens }) => opens !== undefined && [args[name]].flat().includes('-'))
  for (const { shown, opens, dash } of dashed) {
    const stream = opens === 'read' ? 'input' : 'output'
    if (!dash)
      throw new AppError('usage', `${shown} cannot be -: standard ${stream} is not a file.`, {
        hint: 'Give a file name; use ./- for a file named -.',
      })
    const [one, other] = dashed.filter((each) => (each.opens === 'read') === (opens === 'read'))
    if (one !== undefined && other !== undefined)
      throw new AppError('usage', `${one.shown} and ${other.shown} cannot both use standard ${stream}.`)
  }
}

function writtenBy({ flags }: CommandSpec): Flag[] {
  return flags.filter(({ fileAccess: opens }) => opens === 'write' || opens === 'make')
}

async function checkFields(
  fields: string,
  { spec, args, globals }: Omit<Line, 'cwd' | 'limit'>,
): Promise<readonly string[] | undefined> {
  const { query, dryRun } = globals
  const isHelp = fields.trim() === 'help'
  const typed = isHelp ? [] : parseFields(fields)
  if (query !== undefined) {
    if (isHelp && spec.danger !== 'read')
      throw new AppError('usage', '--fields help lists the fields of the response: leave out --query.')
    return undefined
  }
  const known = await findResultFields(spec, args, globals)
  if (known === undefined) return undefined
  if (isHelp) return known
  // Where nothing changes, what the service answers decides: a newer one may have further fields.
  const changes = !dryRun && (spec.danger !== 'read' || writtenBy(spec).length > 0)
  if (changes) assertAmong(typed, known)
  return undefined
}

type Place = { makes: boolean; cwd: () => string }

/** Throws AppError('file_error') for a place where nothing can be written. The command says whose file may be replaced. */
function assertWritable(path: string, flag: string, { makes, cwd }: Place): void {
  const full = resolvePath(cwd(), path)
  const refuse = (why: string, cause?: unknown): AppError =>
    new AppError('file_error', `--${flag} ${path} cannot be written: ${why}.`, {
      hint: `Choose another place with --${flag}.`,
      cause,
    })
  if (path === '' || isStream(full)) return
  try {
    const isThere = statSync(full, { throwIfNoEntry: false }) !== undefined
    const above = folderAbove(full, makes)
    if (!isThere && !statSync(above).isDirectory()) throw refuse(`${above} is not a folder`)
    accessSync(isThere ? full : above, constants.W_OK)
  } catch (error) {
    if (error instanceof AppError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw refuse('there is no such folder', error)
    throw refuse(fileReason(error), error)
  }
}

/** Returns the folder in which the path would be made; or the nearest one that is there, when folders are made, too. */
function folderAbove(path: string, makes: boolean): string {
  const above = dirname(path)
  const isThere = !makes || above === path || statSync(above, { throwIfNoEntry: false }) !== undefined
  return isThere ? above : folderAbove(above, makes)
}
