import type { Cli } from '../../../cli/cli.ts'
import { readAssignments } from '../../../cli/columns/map.ts'
import type { SavedMap } from '../../../cli/columns/mapping.ts'
import { text } from '../../../cli/command.ts'
import type { Args } from '../../../cli/command.ts'
import type { Decoded } from '../../../cli/csv/decode.ts'
import type { LengthUnit, WeightUnit } from '../../../cli/csv/numbers.ts'
import type { Table } from '../../../cli/csv/read.ts'
import { readColumns, readDecoded } from '../../../cli/upload/read.ts'
import { assertOneBatch } from '../../../cli/upload/send.ts'
import { AppError } from '../../../core/errors.ts'
import { MANIFEST } from '../manifest/columns.ts'
import type { ManifestMapping } from '../manifest/columns.ts'
import { groupRows } from '../manifest/group-rows.ts'
import { parseManifest, usesHubs } from '../manifest/parse.ts'
import type { Manifest } from '../manifest/parse.ts'
import { decideUnits, openCellsText } from '../manifest/units.ts'
import type { UnitQuestion, Units } from '../manifest/units.ts'

export type Read = {
  decoded: Decoded
  table: Table
  mapping: ManifestMapping
  units: Units
  manifest: Manifest
}

/** From the file to checked parcels. */
export async function readManifest(cli: Cli, path: string, args: Args): Promise<Read> {
  const decoded = await readDecoded(cli, path, args, 'manifest')
  const defaults = Object.entries(cli.settings.defaultParcel).map(([column, value]) => `${column}=${value}`)
  const { table, mapped, saved } = await readColumns(cli, path, decoded, args, {
    kind: MANIFEST,
    defaults: readAssignments(MANIFEST, '--default', defaults),
    questions: async () => (await import('../manifest/questions.ts')).QUESTIONS,
  })
  const { mapping } = mapped
  const lines = groupRows(table, mapping, args['merge-lines'] === true)
  if (args['map-only'] !== true) assertOneBatch(lines.length, 'parcels', args)

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

async function settleUnits(
  cli: Cli,
  table: Table,
  mapping: ManifestMapping,
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
  for (const { needs, cells } of questions) {
    const choices = (needs === 'weight-unit' ? ['g', 'kg', 'oz', 'lb'] : ['mm', 'cm', 'm', 'in']).map(
      (value) => ({ value, name: value }),
    )
    const unit = await ask.select({ message: `${openCellsText(cells)}. In which unit?`, choices })
    Object.assign(answered, { [needs === 'weight-unit' ? 'weight' : 'length']: unit })
    cli.answered.push({ flag: `--${needs}`, value: unit })
  }
  return decideUnits(table, mapping, answered).units
}

function openUnits(questions: readonly UnitQuestion[]): AppError {
  const said = questions.map(({ needs, cells }) => `${openCellsText(cells)} (give --${needs})`)
  const flags = questions.map(({ needs }) =>
    needs === 'weight-unit' ? '--weight-unit kg' : '--length-unit cm',
  )
  const [first] = questions.flatMap(({ cells }) => cells)
  return new AppError('usage', `It is not clear in which unit some numbers are: ${said.join('; ')}.`, {
    hint: `For example ${flags.join(' ')}, or write the unit into the header or the cell${first === undefined ? '' : `, as in "${first.column} (${flags[0]?.split(' ')[1]})"`}.`,
    extra: { reason: { code: 'unit_unclear', cells: questions.flatMap(({ cells }) => cells) } },
  })
}

type Hub = { hub_id: string; code: string; address: { country_code: string } }

async function listHubs(cli: Cli): Promise<Hub[]> {
  const { value } = await (await cli.client()).call('list_hubs', { limit: 100 })
  return value.data
}
