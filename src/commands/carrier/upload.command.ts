import { rememberUpload } from '../../cli/calls/created.ts'
import type { Cli } from '../../cli/cli.ts'
import { errorsCsv, formLike } from '../../cli/columns/results.ts'
import type { Args } from '../../cli/command.ts'
import { choice, text } from '../../cli/command.ts'
import { confirmProtected, confirmYes } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import { checkLimit, MAX_TOTAL_FLAG } from '../../cli/max-total.ts'
import type { Waited } from '../../cli/track/wait.ts'
import { COLUMN_FLAGS, FORM_FLAGS, RESULTS_FLAG } from '../../cli/upload/flags.ts'
import { assertMapName, saveMap, showMapping } from '../../cli/upload/maps.ts'
import { checkOutputs, planOutputs, writeOutputs } from '../../cli/upload/outputs.ts'
import type { Outputs } from '../../cli/upload/outputs.ts'
import { printReport, sentenceOf, unfinished } from '../../cli/upload/print.ts'
import { faultList, reportOf } from '../../cli/upload/report.ts'
import { MAX_BATCH, sendBatches, toBatches } from '../../cli/upload/send.ts'
import type { Sent as SentOf } from '../../cli/upload/send.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { spellMoney } from '../../core/money.ts'
import { batchOutcome, localOutcome, unsentOutcome } from './manifest/outcomes.ts'
import type { Outcome } from './manifest/outcomes.ts'
import { manifestResults } from './manifest/results.ts'
import type { ManifestRow } from './manifest/row.ts'
import { readManifest } from './upload/manifest.ts'
import type { Read } from './upload/manifest.ts'
import type { Good, RenderOptions } from './upload/plan.ts'

type Sent = SentOf<ManifestRow, 'create_shipments_batch'>

const SENDING = { operation: 'create_shipments_batch', label: 'Creating parcels', name: 'upload' } as const
const LEVELS = ['same_day', 'next_day', 'two_day', 'economy'] as const
/** `dray carrier upload FILE`: from a file of rows to parcels with tracking numbers. */
export const carrierUpload = defineCommand({
  words: 'carrier upload',
  summary: 'Create the parcels of a manifest: CSV, or an export of a shop',
  description:
    'Reads CSV in any common encoding and delimiter, or an orders export of Shopify, ShipStation, Click & Drop or WooCommerce; `dray carrier template` writes a file with all columns. Titles above the header are skipped, and said. Every row is checked before any is sent. The results, with tracking numbers and prices, are written beside the file; rejected rows go to a second file, ready to be corrected and uploaded again, which numbers its own files: <name>.results-2.csv. The same file again creates nothing twice. `dray help manifests` lists the columns, whose headers may be English, German, French, Spanish or Italian.',
  danger: 'bulk',
  takes: ['scenario', 'dry-run', 'idempotency-key', 'new', 'wait'],
  positionals: [{ name: 'file', description: 'the manifest; - for standard input', required: true }],
  flags: [
    {
      flag: 'default',
      kind: 'text',
      value: 'COLUMN=VALUE',
      repeat: true,
      description: 'value of a column that the file lacks, as weight_grams=500',
    },
    {
      flag: 'service',
      kind: 'enum',
      choices: LEVELS,
      description: 'service level of parcels that name none',
    },
    { flag: 'hub', kind: 'text', value: 'HUB', description: 'hub of parcels that name none' },
    {
      flag: 'split',
      kind: 'boolean',
      description: `send more than ${MAX_BATCH} parcels in batches of ${MAX_BATCH}`,
    },
    RESULTS_FLAG,
    FORCE_FLAG,
    ...COLUMN_FLAGS,
    {
      flag: 'weight-unit',
      kind: 'enum',
      choices: ['g', 'kg', 'oz', 'lb'],
      description: 'unit of weights that name none',
    },
    {
      flag: 'length-unit',
      kind: 'enum',
      choices: ['mm', 'cm', 'm', 'in'],
      description: 'unit of sizes that name none',
    },
    {
      flag: 'merge-lines',
      kind: 'boolean',
      description: 'adjacent rows with the same reference are one parcel',
    },
    ...FORM_FLAGS,
    MAX_TOTAL_FLAG,
    {
      flag: 'manifest-reference',
      kind: 'text',
      value: 'TEXT',
      description: 'your own name for this manifest',
    },
  ],
  examples: [
    'dray carrier upload manifest.csv',
    'dray carrier upload manifest.csv --dry-run',
    'dray carrier upload shopify.csv --default weight_grams=500 --default dimensions=20x15x5cm',
    'dray carrier upload big.csv --split --yes --json | jq .counts',
  ],
  run: upload,
})

async function upload(cli: Cli, args: Args): Promise<number> {
  const file = text(args, 'file')
  if (file === undefined)
    throw new AppError('usage', 'Which file? dray carrier upload <file>', {
      hint: '`dray carrier template manifest.csv` writes one to start from.',
    })
  const outputs = planOutputs(file, text(args, 'results'))
  if (outputs.results === '-' && cli.settings.format !== 'table')
    throw new AppError('usage', `--results - and --output ${cli.settings.format} both want standard output.`)
  const mapName = text(args, 'save-map')
  if (mapName !== undefined) assertMapName(mapName)
  const read = await readManifest(cli, file, args)
  await saveMap(cli, read.table, read.mapping, mapName, read.units)
  if (args['map-only'] === true) return showMapping(cli, read.table, read.mapping)

  const { rows } = read.manifest
  const good = rows.filter((row): row is Good => row.shipment !== undefined)
  const renderOptions = renderOptionsOf(args)
  if (cli.globals.dryRun) return showPlan(cli, read, good, renderOptions)
  const force = args['force'] === true
  if (outputs.results !== undefined) checkOutputs(outputs, force)
  const shown = await confirmUpload(cli, read, good, {
    renderOptions,
    limit: text(args, 'max-total') ?? cli.settings.maxTotal,
  })
  const batches = toBatches(good, renderOptions.toBody)
  const sent: Sent =
    batches.length === 0
      ? { answered: [], stopped: undefined, at: undefined, continues: undefined }
      : await sendBatches(cli, SENDING, batches)
  if (sent.stopped !== undefined && sent.answered.length === 0) throw sent.stopped
  return finish(cli, read, sent, { ...outputs, file, force }, shown)
}

function renderOptionsOf(args: Args): RenderOptions {
  const level = choice(args, 'service', LEVELS) ?? 'next_day'
  const hub = text(args, 'hub')
  const reference = text(args, 'manifest-reference')
  return {
    level,
    toBody: (rows) => ({
      shipments: rows.map(({ shipment }) => shipment),
      default_service_level: level,
      ...(hub !== undefined && { default_hub_id: hub }),
      ...(reference !== undefined && { manifest_reference: reference }),
    }),
  }
}

/**
 * Shows what will happen and what it costs, and asks; true when that was shown. With --yes the upload is priced only to be
 * held against a limit: nobody reads it.
 */
async function confirmUpload(
  cli: Cli,
  read: Read,
  good: readonly Good[],
  { renderOptions, limit }: { renderOptions: RenderOptions; limit: string | undefined },
): Promise<boolean> {
  if (good.length === 0) return false
  await confirmProtected(cli)
  const isAsked = !cli.settings.yes && (await cli.ask()) !== undefined
  if (!isAsked && limit === undefined) {
    await confirmYes(cli, `Create ${parcels(good.length)}?`)
    return false
  }
  const { planUpload } = await import('./upload/plan.ts')
  const plan = await planUpload(cli, read, good, renderOptions)
  if (limit !== undefined && plan.count > 0) checkLimit(plan.total, limit, 'Nothing was sent.')
  if (isAsked && plan.table !== '' && !cli.globals.quiet) await cli.io.stderr.write(`${plan.table}\n\n`)
  if (isAsked) await cli.say(plan.text)
  // Nothing new is nothing to agree to; the service still says of each parcel that it is there.
  if (plan.count > 0) await confirmYes(cli, `Create ${parcels(plan.count)} for ${spellMoney(plan.total)}?`)
  return isAsked
}

function parcels(count: number): string {
  return `${count} ${count === 1 ? 'parcel' : 'parcels'}`
}

async function showPlan(
  cli: Cli,
  read: Read,
  good: readonly Good[],
  renderOptions: RenderOptions,
): Promise<number> {
  const { planUpload } = await import('./upload/plan.ts')
  const plan = await planUpload(cli, read, good, renderOptions)
  if (cli.settings.format === 'table') await cli.say(plan.text)
  await printReport(cli, plan.report, { done: 'Dry run: nothing was created.', dry: true })
  return plan.report.exitCode
}

/** Puts the answers beside their rows, writes the files, prints, and says how it went. `shown`: the refusals were. */
async function finish(
  cli: Cli,
  read: Read,
  sent: Sent,
  outputs: Outputs & { file: string; force: boolean },
  shown: boolean,
): Promise<number> {
  const outcomes = gather(read, sent)
  const report = reportOf(
    outcomes,
    sent.answered.flatMap(({ answer }) => answer.batch_id ?? []),
  )
  if (sent.at !== undefined) rememberUpload(cli, outputs.file, report, sent.at)
  const { decoded, table, mapping, manifest } = read
  const form = formLike(decoded, table)
  const { files, unwritten } = await writeOutputs(cli, outputs, {
    results: manifestResults(table, mapping, manifest.rows, outcomes, form),
    errors: errorsCsv(table, mapping, manifest.rows, outcomes, form),
    force: outputs.force,
  })
  const stopped = sent.stopped ?? unwritten
  const faults =
    cli.io.stdout.isTTY && !shown ? faultList({ one: 'was rejected', many: 'were rejected' }, outcomes) : ''
  const done = sentenceOf(report, files)
  const waited = stopped === undefined ? await waitForParcels(cli, outcomes) : undefined
  if (outputs.results === '-') await cli.say([faults, done].filter((part) => part !== '').join('\n'))
  else await printReport(cli, report, { told: faults, done, files, stopped, statuses: waited?.statuses })
  if (sent.stopped !== undefined) await cli.say(unfinished(report.counts, 'parcel', cli))
  const ended = endOf(waited)
  if (stopped === undefined) return report.exitCode || ended
  // What stopped it stands in the one document.
  if (stopped instanceof AppError && cli.settings.format === 'json') return stopped.exitCode
  throw stopped
}

/** The exit code of the waiting. Throws `Interrupted` when it was given up. */
function endOf(waited: Waited | undefined): number {
  if (waited?.interrupted !== undefined) throw waited.interrupted
  return waited?.code ?? EXIT.ok
}

/** `--wait`: follows the parcels that are there now, also those of an earlier upload of the same file. */
async function waitForParcels(cli: Cli, outcomes: readonly Outcome[]): Promise<Waited | undefined> {
  const numbers = outcomes.flatMap(({ tracking_number, reason }) => {
    const number = tracking_number ?? reason?.existing_tracking_number
    return number === undefined ? [] : [number]
  })
  if (!cli.globals.wait || numbers.length === 0) return undefined
  return (await import('../../cli/track/wait.ts')).waitForEnd(cli, SENDING.operation, numbers)
}

function gather({ table, mapping, manifest }: Read, { answered }: Sent): Outcome[] {
  const byRow = new Map<number, Outcome>()
  for (const { batch, answer } of answered) {
    for (const [index, result] of answer.results.entries()) {
      const row = batch.rows[index]
      if (row !== undefined) byRow.set(row.row, batchOutcome(result, row, batch.rows, table, mapping))
    }
  }
  return manifest.rows.map(
    (row) => byRow.get(row.row) ?? (row.shipment === undefined ? localOutcome(row) : unsentOutcome(row)),
  )
}
