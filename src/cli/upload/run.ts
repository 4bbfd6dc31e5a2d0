/** A file of rows on its way to the service: read, map, check, plan, ask, send, report. */
import { AppError, EXIT } from '../../core/errors.ts'
import type { RowOutcome } from '../../tabular/columns/outcomes.ts'
import { toBatches } from '../../tabular/import/batches.ts'
import { gatherOutcomes } from '../../tabular/import/outcomes.ts'
import { type Outputs, planOutputs } from '../../tabular/import/outputs.ts'
import { type ResultCounts, countCancelled, formatRejectedRows } from '../../tabular/import/report.ts'
import type { ValidRow, UploadPlan, RowFile, FileSummary } from '../../tabular/import/row-file.ts'
import { toErrorAfterChange } from '../calls/done.ts'
import type { CommandContext } from '../cli.ts'
import { assertProfileConfirmed, confirmYes } from '../confirm.ts'
import { isSpecialFilePath } from '../files/write.ts'
import { assertPriceWithinLimit } from '../max-total.ts'
import type { WaitResult } from '../track/wait.ts'
import { readContent } from './content.ts'
import type { FileFlags } from './flags.ts'
import { assertMapName, saveMap, printMapping } from './maps.ts'
import { checkOutputs, type ReportFiles, writeOutputs } from './outputs.ts'
import { printUploadReport, sentenceOf, unfinished } from './print.ts'
import { makeImportPrompts } from './reader.ts'
import { sendBatches, type SentBatches } from './send.ts'
import { formatSkippedOrders } from './skipped-orders.ts'
import type { UploadKind } from './upload.ts'

type SentRows = SentBatches<ValidRow, string>

/** Rows shown before the question; the totals are of all. */
const MAX_PREVIEW_ROWS = 10

/** Sends the rows of a file, and gives the exit code: 0 when none was rejected, 6 when all were, 9 in between. */
export async function runUpload(cli: CommandContext, flags: FileFlags, upload: UploadKind): Promise<number> {
  const { file: path, results, 'save-map': mapName } = flags
  if (path === undefined)
    throw new AppError('usage', `Missing: the file. dray ${cli.spec.words} <file>`, {
      hint: `\`${upload.kind.template} ${upload.kind.name}.csv\` writes a template.`,
    })
  assertOutputs(cli, path, results, flags['map-only'] === true)
  if (mapName !== undefined) assertMapName(mapName)
  const content = await readContent(cli, path, upload.kind.name, flags)
  const opened = await upload.open(path, content)
  const { columns, form = 'csv' } = opened
  if (mapName !== undefined && columns !== undefined) await saveMap(cli, columns, mapName)
  if (flags['map-only'] === true) {
    if (columns !== undefined) return printMapping(cli, columns)
    throw new AppError(
      'usage',
      `--map-only does not work with a ${upload.kind.name} in JSON: it has no headers.`,
    )
  }
  const file = await opened.read()
  for (const note of file.notes) await makeImportPrompts(cli).say(note)
  const skippedText = formatSkippedOrders(file.rows)
  if (skippedText !== '') await cli.say(skippedText)
  const outputs = planOutputs(path, results, {
    unnamed: `${upload.kind.name}.${form}`,
    errors: form,
    sheet: columns?.sheet,
  })
  return sendFile(cli, upload, file, { ...outputs, force: flags.force === true })
}

/** Before the file is read: the results have a place, and nothing else is printed there. Throws AppError('usage'). */
function assertOutputs(
  { settings: { format }, globals: { dryRun }, runtime }: CommandContext,
  path: string,
  flag: string | undefined,
  mapOnly: boolean,
): void {
  const { results } = planOutputs(path, flag)
  const writes = flag === undefined && !dryRun && !mapOnly
  if (writes && path !== '-' && isSpecialFilePath(path, runtime))
    throw new AppError('usage', `${path} is not a file, so dray cannot write results next to it.`, {
      hint: 'Set the place of the results: --results FILE, --results - for standard output, or --results none.',
    })
  if (results === '-' && format !== 'table')
    throw new AppError('usage', `--results - and --output ${format} cannot both use standard output.`)
}

async function sendFile(
  cli: CommandContext,
  upload: UploadKind,
  file: RowFile,
  outputs: Outputs & { force: boolean },
): Promise<number> {
  const good = file.rows.filter((row): row is ValidRow => row.draft !== undefined)
  const plan = (): Promise<UploadPlan> => upload.plan(file, good)
  if (cli.globals.dryRun) return printPlan(cli, upload, await plan())
  if (outputs.results !== undefined) checkOutputs(outputs, outputs.force)
  const shown = good.length > 0 && (await confirmUpload(cli, upload, plan))
  const batches = toBatches(good, upload.toBody, upload.sizeOf)
  const sent: SentRows =
    batches.length === 0
      ? { answered: [], stopped: undefined, at: undefined, continues: undefined }
      : await sendBatches(cli, upload.sending, batches)
  if (sent.stopped !== undefined && sent.answered.length === 0) throw sent.stopped
  return finish(cli, upload, { file, sent, shown }, outputs)
}

/** Shows what will happen and what it costs, and asks; true when that was shown. */
async function confirmUpload(
  cli: CommandContext,
  { planIsDear = false, limit }: UploadKind,
  makePlan: () => Promise<UploadPlan>,
): Promise<boolean> {
  await assertProfileConfirmed(cli)
  if (cli.settings.yes && limit === undefined && planIsDear) return false
  const isAsked = !cli.settings.yes && (await cli.ask()) !== undefined
  const { created, total, text, question, changes = 0, agree } = await makePlan()
  if (limit !== undefined && total !== undefined && created.length > 0)
    assertPriceWithinLimit(total, limit, 'Nothing was sent.')
  if (isAsked) await printNewRows(cli, created)
  // Where the question can only be rejected, a script's writer sees what `--yes` would do, too.
  if (!cli.settings.yes) await cli.say(text)
  // A person agrees to new rows only; the service still says of each other row that it is there.
  if (created.length + changes > 0) await confirmYes(cli, question)
  await agree?.()
  return isAsked
}

/** Shows the first of the rows that would be created. */
async function printNewRows(cli: CommandContext, created: UploadPlan['created']): Promise<void> {
  if (created.length === 0 || cli.globals.quiet) return
  const { planTable } = await import('./plan-table.ts')
  await cli.io.stderr.write(`${await planTable(cli, created.slice(0, MAX_PREVIEW_ROWS), created.length)}\n\n`)
}

async function printPlan(cli: CommandContext, upload: UploadKind, plan: UploadPlan): Promise<number> {
  if (cli.settings.format === 'table') await cli.say(plan.text)
  const done = `Dry run: nothing was ${upload.change === undefined ? 'created' : 'changed'}.`
  const warnings = [...(upload.advice?.(plan.outcomes) ?? []), ...(plan.doubts ?? [])]
  await printUploadReport(cli, upload, plan, { done, dry: true, warnings })
  return exitCodeOf(plan.summary.counts)
}

/** Puts the answers beside their rows, and changes what was there already; `unsent`: why some rows were not sent. */
async function applyResults(upload: UploadKind, file: RowFile, { answered, stopped }: SentRows) {
  const gathered = gatherOutcomes(
    upload,
    file,
    answered.map(({ batch, answer }) => ({ rows: batch.rows, results: upload.resultsOf(answer) })),
  )
  const completed = upload.complete?.(gathered) ?? gathered
  const answers = answered.map(({ answer }) => answer)
  const changed = stopped === undefined ? await upload.change?.(completed, file, answers) : undefined
  const outcomes = changed?.outcomes ?? completed
  const summary = upload.sumUp(outcomes, answers)
  return { outcomes, summary, unsent: stopped ?? changed?.stopped }
}

/** Puts the answers beside their rows, writes the files, prints, and says how it went. `shown`: the plan was. */
async function finish(
  cli: CommandContext,
  upload: UploadKind,
  { file, sent, shown }: { file: RowFile; sent: SentRows; shown: boolean },
  outputs: Outputs & { force: boolean },
): Promise<number> {
  const { outcomes, summary, unsent } = await applyResults(upload, file, sent)
  const { counts } = summary
  if (sent.at !== undefined) upload.remember?.(summary, sent.at)
  const { files, unwritten } = await writeOutputs(cli, outputs, {
    results: file.results(outcomes),
    errors: await file.errors(outcomes),
    force: outputs.force,
  })
  const first = unsent ?? unwritten
  const stopped = first instanceof AppError ? toErrorAfterChange(first) : first
  const waited = await report(cli, upload, {
    outcomes,
    summary,
    files,
    stopped,
    shown,
    isPrinted: outputs.results !== '-',
  })
  if (unsent !== undefined) await cli.say(unfinished(counts, upload.kind.row, cli))
  if (stopped === undefined) return exitCodeOf(counts) || endOf(waited)
  // The one JSON document contains the error already.
  if (stopped instanceof AppError && cli.settings.format === 'json') return stopped.exitCode
  throw stopped
}

type UploadResult = {
  outcomes: RowOutcome[]
  summary: FileSummary
  files: ReportFiles
  stopped: SentRows['stopped']
  shown: boolean
  /** Standard output is free for the report. */
  isPrinted: boolean
}

/** Says how it went, and prints it; after `--wait` with the states at the end, which it gives. */
async function report(
  cli: CommandContext,
  upload: UploadKind,
  { outcomes, summary, files, stopped, shown, isPrinted }: UploadResult,
): Promise<WaitResult | undefined> {
  const warnings = upload.advice?.(outcomes) ?? []
  for (const line of shown ? [] : warnings) await cli.say(line)
  const told = cli.io.stdout.isTTY && !shown ? formatRejectedRows('{was|were} rejected', outcomes) : ''
  const counts = { ...summary.counts, cancelled: countCancelled(outcomes) }
  const went = sentenceOf(upload.createdText(summary), counts, files, upload.sending.name)
  const done = [went, upload.closing?.(summary) ?? ''].join(' ').trimEnd()
  const waited = stopped === undefined ? await waitForEnds(cli, upload, outcomes) : undefined
  const statuses = waited?.statuses
  if (isPrinted)
    await printUploadReport(
      cli,
      upload,
      { outcomes, summary },
      { told, done, files, stopped, statuses, warnings },
    )
  else await cli.say([told, done].filter((part) => part !== '').join('\n'))
  return waited
}

/** `--wait`: follows what is there now, also that of an earlier upload of the same file. */
async function waitForEnds(
  cli: CommandContext,
  { sending, report }: UploadKind,
  outcomes: readonly RowOutcome[],
): Promise<WaitResult | undefined> {
  const ids = outcomes.flatMap((outcome) => report.idOf(outcome) ?? [])
  if (!cli.globals.wait || ids.length === 0) return undefined
  return (await import('../track/wait.ts')).waitForEnd(cli, sending.operation, ids)
}

/** The exit code of the waiting. Throws `Interrupted` when it was given up. */
function endOf(waited: WaitResult | undefined): number {
  if (waited?.interrupted !== undefined) throw waited.interrupted
  return waited?.code ?? EXIT.ok
}

/** 0 when nothing was rejected, 6 when everything was that should be sent, 9 in between. */
function exitCodeOf({ rejected, skipped, total }: ResultCounts): number {
  return rejected === 0 ? EXIT.ok : rejected === total - skipped ? EXIT.rejected : EXIT.partial
}
