import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { FileKind, Preset } from '../columns/columns.ts'
import { mapHeaders, readAssignments } from '../columns/map.ts'
import type { Assignments } from '../columns/map.ts'
import { mappingError } from '../columns/mapping.ts'
import type { Mapped, SavedMap } from '../columns/mapping.ts'
import { text } from '../command.ts'
import type { Args } from '../command.ts'
import { decode } from '../csv/decode.ts'
import type { Decoded } from '../csv/decode.ts'
import type { WeightUnit, LengthUnit } from '../csv/numbers.ts'
import { delimiterName, headerKey, readTable } from '../csv/read.ts'
import type { Delimiter, Table } from '../csv/read.ts'
import { readInput } from '../files/read.ts'
import type { Questions } from './ask-mapping.ts'

const DELIMITER_FLAGS: Readonly<Record<string, Delimiter>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
}

/** A file whose columns are known. */
export type ReadTable<Name extends string, P extends Preset<Name>> = {
  decoded: Decoded
  table: Table
  mapped: Mapped<Name, P>
  saved: NamedMap<Name> | undefined
}

type Reading<Name extends string, P extends Preset<Name>> = {
  kind: FileKind<Name, P>
  /** What the profile and the command say of columns that the file lacks; `--default` goes before. */
  defaults: Assignments<Name>
  questions: () => Promise<Questions<Name>>
}

/** The text of a file, or of standard input for `-`. */
export async function readDecoded(
  cli: Cli,
  path: string,
  args: Args,
  kind: 'manifest' | 'menu',
): Promise<Decoded> {
  return decode(await readInput(path, kind, cli.io), text(args, 'encoding'))
}

/** From the text to its columns: what was recognised is said, what is unclear is asked, or refused with the flag that answers it. */
export async function readColumns<Name extends string, P extends Preset<Name>>(
  cli: Cli,
  path: string,
  decoded: Decoded,
  args: Args,
  reading: Reading<Name, P>,
): Promise<ReadTable<Name, P>> {
  const delimiter = DELIMITER_FLAGS[text(args, 'delimiter') ?? '']
  const table = readTable(decoded.text, {
    template: reading.kind.template,
    ...(delimiter !== undefined && { delimiter }),
  })
  const saved = findSavedMap(cli, table, reading.kind, text(args, 'use-map'))
  const mapped = await settleMapping(cli, table, args, saved, reading, (preset) =>
    cli.say(describeFile(path, decoded, table, preset, saved?.name)),
  )
  if (table.short.length > 0) await cli.say(`warning: ${describeShort(table.short)}`)
  if (mapped.unknown.length > 0)
    await cli.say(`warning: not read: ${mapped.unknown.join(', ')}. --strict refuses such columns.`)
  return { decoded, table, mapped, saved }
}

/** `onRead` is told what the file is before anything is asked about it. */
async function settleMapping<Name extends string, P extends Preset<Name>>(
  cli: Cli,
  table: Table,
  args: Args,
  saved: NamedMap<Name> | undefined,
  { kind, questions, ...reading }: Reading<Name, P>,
  onRead: (preset: P | undefined) => Promise<void>,
): Promise<Mapped<Name, P>> {
  const defaults = new Map([
    ...reading.defaults,
    ...readAssignments(kind, '--default', list(args, 'default')),
  ])
  const map = new Map(readAssignments(kind, '--map', list(args, 'map')))
  const attempt = (): Mapped<Name, P> =>
    mapHeaders(kind, table, {
      map,
      defaults,
      ...(saved !== undefined && { saved }),
      strict: args['strict'] === true,
    })
  let mapped = attempt()
  await onRead(mapped.mapping.preset)
  if (mappingError(mapped) !== undefined) {
    const ask = await cli.ask()
    if (ask !== undefined) {
      const [{ askMapping }, asked] = await Promise.all([import('./ask-mapping.ts'), questions()])
      await askMapping({ ask, answered: cli.answered, questions: asked, table, mapped, map, defaults })
      mapped = attempt()
    }
  }
  const error = mappingError(mapped)
  if (error !== undefined) throw error
  return mapped
}

export type NamedMap<Name extends string> = SavedMap<Name> & { name: string }

/** The map that `--use-map` names, or the first one saved for such files whose headers the file all has. */
function findSavedMap<Name extends string>(
  { settings }: Cli,
  table: Table,
  kind: FileKind<Name>,
  name: string | undefined,
): NamedMap<Name> | undefined {
  const maps = Object.entries(settings.maps).flatMap(([each, map]) => fromSettings(each, map, kind) ?? [])
  if (name !== undefined) {
    const map = maps.find((each) => each.name === name)
    if (map !== undefined) return map
    throw new AppError('usage', `--use-map: there is no saved map ${name} of a ${kind.name}.`, {
      hint:
        maps.length === 0
          ? '--save-map NAME saves one.'
          : `There is: ${maps.map((each) => each.name).join(', ')}.`,
    })
  }
  const keys = new Set(table.keys)
  return maps.find(({ columns }) =>
    Object.values<string | undefined>(columns).every((header = '') => keys.has(headerKey(header))),
  )
}

function fromSettings<Name extends string>(
  name: string,
  { _file: file = 'manifest', weight_unit, length_unit, ...columns }: Readonly<Record<string, string>>,
  kind: FileKind<Name>,
): NamedMap<Name> | undefined {
  if (file !== kind.name) return undefined
  return {
    name,
    columns: columns as Partial<Record<Name, string>>,
    ...(weight_unit !== undefined && { weight_unit: weight_unit as WeightUnit }),
    ...(length_unit !== undefined && { length_unit: length_unit as LengthUnit }),
  }
}

function describeFile(
  path: string,
  { encoding, bom }: Decoded,
  { delimiter, rows }: Table,
  preset: Preset | undefined,
  savedMap: string | undefined,
): string {
  const form = `${encoding}${bom ? ' with a byte order mark' : ''}, ${delimiterName(delimiter)}-separated`
  const known = preset === undefined ? '' : `, a ${preset.title}`
  const how = savedMap === undefined || preset !== undefined ? '' : `, with the saved map ${savedMap}`
  return `Read ${path === '-' ? 'standard input' : path}: ${form}${known}${how}, ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`
}

function describeShort(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(', ')
  return lines.length === 1
    ? `line ${shown} has fewer cells than the header; those missing at its end are taken as empty.`
    : `${lines.length} lines have fewer cells than the header (${shown}${lines.length > 5 ? ', …' : ''}); those missing at their end are taken as empty.`
}

function list(args: Args, name: string): string[] {
  const value = args[name]
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
}
