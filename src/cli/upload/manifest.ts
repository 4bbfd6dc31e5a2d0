import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { text } from '../command.ts'
import type { Args } from '../command.ts'
import { decode } from '../csv/decode.ts'
import type { Decoded } from '../csv/decode.ts'
import type { LengthUnit, WeightUnit } from '../csv/numbers.ts'
import { delimiterName, headerKey, readTable } from '../csv/read.ts'
import type { Delimiter, Table } from '../csv/read.ts'
import { mapHeaders, mappingError, readAssignments } from '../manifest/map.ts'
import type { Mapped, Mapping, SavedMap } from '../manifest/map.ts'
import { parseManifest, usesHubs } from '../manifest/parse.ts'
import type { Manifest } from '../manifest/parse.ts'
import { decideUnits } from '../manifest/units.ts'
import type { UnitQuestion, Units } from '../manifest/units.ts'
import { readManifestBytes } from './file.ts'

export type Read = { decoded: Decoded; table: Table; mapping: Mapping; units: Units; manifest: Manifest }

const DELIMITER_FLAGS: Readonly<Record<string, Delimiter>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
}

/** From the file to checked parcels: what was recognised is said, what is unclear is asked, or refused with the flag that answers it. */
export async function readManifest(cli: Cli, path: string, args: Args): Promise<Read> {
  const decoded = decode(await readManifestBytes(path, cli.io), text(args, 'encoding'))
  const delimiter = DELIMITER_FLAGS[text(args, 'delimiter') ?? '']
  const table = readTable(decoded.text, delimiter === undefined ? {} : { delimiter })
  const saved = findSavedMap(cli, table, text(args, 'use-map'))
  const mapped = await settleMapping(cli, table, args, saved, (preset) =>
    cli.say(describeFile(path, decoded, table, preset, saved)),
  )
  const { mapping } = mapped
  if (table.short.length > 0) await cli.say(`warning: ${describeShort(table.short)}`)
  if (mapped.unknown.length > 0)
    await cli.say(`warning: not read: ${mapped.unknown.join(', ')}. --strict refuses such columns.`)

  const units = await settleUnits(cli, table, mapping, args, saved)
  // The agreement is known by its hubs; a file that names countries and no hubs needs neither.
  const hubs = usesHubs(mapping) || !mapping.sources.has('country_code') ? await listHubs(cli) : []
  const manifest = parseManifest(table, mapping, {
    units,
    country: hubs[0]?.address.country_code ?? 'GB',
    currency: 'GBP',
    hubs,
    mergeLines: args['merge-lines'] === true,
  })
  for (const { kind, text: note } of manifest.notes)
    await cli.say(kind === 'warning' ? `warning: ${note}` : note)
  return { decoded, table, mapping, units, manifest }
}

/** `onRead` is told what the file is before anything is asked about it. */
async function settleMapping(
  cli: Cli,
  table: Table,
  args: Args,
  saved: NamedMap | undefined,
  onRead: (preset: Mapping['preset']) => Promise<void>,
): Promise<Mapped> {
  const defaults = new Map([
    ...readAssignments(
      '--default',
      Object.entries(cli.settings.defaultParcel).map(([column, value]) => `${column}=${value}`),
    ),
    ...readAssignments('--default', list(args, 'default')),
  ])
  const map = new Map(readAssignments('--map', list(args, 'map')))
  const attempt = (): Mapped =>
    mapHeaders(table, {
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
      const { askMapping } = await import('./ask-mapping.ts')
      await askMapping({ ask, answered: cli.answered, table, mapped, map, defaults })
      mapped = attempt()
    }
  }
  const error = mappingError(mapped)
  if (error !== undefined) throw error
  return mapped
}

type NamedMap = SavedMap & { name: string }

/** The map that `--use-map` names, or the first one saved whose headers the file all has. */
function findSavedMap({ settings }: Cli, table: Table, name: string | undefined): NamedMap | undefined {
  const { maps } = settings
  if (name !== undefined) {
    const map = Object.hasOwn(maps, name) ? maps[name] : undefined
    if (map !== undefined) return fromSettings(name, map)
    const known = Object.keys(maps)
    throw new AppError('usage', `--use-map: there is no saved map ${name}.`, {
      hint: known.length === 0 ? '--save-map NAME saves one.' : `There is: ${known.join(', ')}.`,
    })
  }
  const keys = new Set(table.keys)
  return Object.entries(maps)
    .map(([each, map]) => fromSettings(each, map))
    .find(({ columns }) => Object.values(columns).every((header) => keys.has(headerKey(header))))
}

function fromSettings(
  name: string,
  { weight_unit, length_unit, ...columns }: Readonly<Record<string, string>>,
): NamedMap {
  return {
    name,
    columns,
    ...(weight_unit !== undefined && { weight_unit: weight_unit as WeightUnit }),
    ...(length_unit !== undefined && { length_unit: length_unit as LengthUnit }),
  }
}

async function settleUnits(
  cli: Cli,
  table: Table,
  mapping: Mapping,
  args: Args,
  saved: SavedMap | undefined,
): Promise<Units> {
  const weight = (text(args, 'weight-unit') ?? saved?.weight_unit) as WeightUnit | undefined
  const length = (text(args, 'length-unit') ?? saved?.length_unit) as LengthUnit | undefined
  const answers = { ...(weight !== undefined && { weight }), ...(length !== undefined && { length }) }
  const { units, questions } = decideUnits(table, mapping, answers)
  if (questions.length === 0) return units
  const ask = await cli.ask()
  if (ask === undefined) throw openUnits(questions)
  const answered = { ...answers }
  for (const { needs, headers, samples } of questions) {
    const choices = (needs === 'weight-unit' ? ['g', 'kg', 'oz', 'lb'] : ['mm', 'cm', 'm', 'in']).map(
      (value) => ({ value, name: value }),
    )
    const unit = await ask.select({
      message: `${headers.join(', ')} ${headers.length === 1 ? 'has' : 'have'} values such as ${samples.join(', ')}. In which unit?`,
      choices,
    })
    Object.assign(answered, { [needs === 'weight-unit' ? 'weight' : 'length']: unit })
    cli.answered.push({ flag: `--${needs}`, value: unit })
  }
  return decideUnits(table, mapping, answered).units
}

function openUnits(questions: readonly UnitQuestion[]): AppError {
  const said = questions.map(
    ({ headers, samples, needs }) => `${headers.join(', ')} (${samples.join(', ')}): give --${needs}`,
  )
  return new AppError('usage', `It is not clear in which unit some numbers are: ${said.join('; ')}.`, {
    hint: 'For example --weight-unit kg --length-unit cm.',
  })
}

type Hub = { hub_id: string; code: string; address: { country_code: string } }

async function listHubs(cli: Cli): Promise<Hub[]> {
  const { value } = await (await cli.client()).call('list_hubs', { limit: 100 })
  return (value as { data: Hub[] }).data
}

function describeFile(
  path: string,
  { encoding, bom }: Decoded,
  { delimiter, rows }: Table,
  preset: Mapping['preset'],
  saved: NamedMap | undefined,
): string {
  const form = `${encoding}${bom ? ' with a byte order mark' : ''}, ${delimiterName(delimiter)}-separated`
  const known = preset === undefined ? '' : `, a ${preset.title}`
  const how = saved === undefined || preset !== undefined ? '' : `, with the saved map ${saved.name}`
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
