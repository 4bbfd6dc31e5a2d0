/** A manifest that is read, and what became of it, in the form in which a page shows them. */
import { listMappedColumns, toSavedMap } from '../../../tabular/columns/mapping.ts'
import { type ImportNote, reasonWords } from '../../../tabular/columns/outcomes.ts'
import { ownColumns } from '../../../tabular/columns/own-files.ts'
import { type ErrorsForm, planOutputs } from '../../../tabular/import/outputs.ts'
import { countCancelled } from '../../../tabular/import/report.ts'
import type { MappedFile, UploadPlan, RowFile } from '../../../tabular/import/row-file.ts'
import { MANIFEST_FILE_KIND } from '../../../tabular/manifest/kind.ts'
import { SKIP_REASONS, type SkipReason, SKIP_REASON_WORDS } from '../../../tabular/manifest/order-status.ts'
import {
  type ManifestRow,
  findTrackingNumber,
  type ParcelOutcome,
  type ParcelsReport,
} from '../../../tabular/manifest/outcomes.ts'
import { type LevelSum, streetOf } from '../../../tabular/manifest/plan.ts'
import { joinFirst } from '../../../tabular/wording.ts'

/** A file for download: a text, or a workbook. */
export type Download = { name: string; text: string } | { name: string; base64: string }

/** A parcel of the file. */
export type ShownRow = ReturnType<typeof serializeRow>

/** A wrong cell, and what to do about it. */
export type ShownFault = ReturnType<typeof faultsOf>[number]

/** The response to a page that had a file read, or sent. */
export type UploadAnswer = { notes: ImportNote[] } & (
  | { state: 'question'; number: number; message: string; choices: string[] | null; problem: string | null }
  | { state: 'unusable'; message: string; hint: string | null }
  | ({
      state: 'planned'
      columns: ReturnType<typeof serializeColumns>
      settled: { flag: string; value: string }[]
    } & Awaited<ReturnType<typeof serializePlan>>)
  /** `stopped`: why rows are left that were not sent. */
  | ({ state: 'sent'; stopped: string | null } & Awaited<ReturnType<typeof serializeUploadEnd>>)
)

type File = RowFile<ManifestRow, ParcelOutcome>

/** The file that was read: its responses are named after it, and after its sheet where others could have been meant. */
type Source = { name: string; sheet: string | undefined; form: ErrorsForm }

/** Returns a plan as a page shows it: nothing is created yet. `id` names what would be sent. */
export async function serializePlan(
  source: Source,
  file: File,
  plan: UploadPlan<ParcelOutcome, ParcelsReport> & { levels: LevelSum[] },
  { id, included }: { id: string; included: ReadonlySet<SkipReason> },
) {
  const { question, levels, outcomes, summary } = plan
  return {
    ...(await serializeOutcomes(source, file, outcomes, summary)),
    question,
    levels,
    /** The reasons for which orders are omitted, or would be without a tick (`included`). */
    skipped: groupSkippedOrders(file.rows, included),
    plan: id,
    /** The results of sending it again, where nothing is left to create. */
    results: summary.counts.created === 0 ? resultsOf(source, file, outcomes) : null,
  }
}

function groupSkippedOrders(rows: readonly ManifestRow[], included: ReadonlySet<SkipReason>) {
  return SKIP_REASONS.flatMap((reason) => {
    const group = rows.filter(({ skipReasons }) => skipReasons?.[0] === reason)
    if (group.length === 0 && !included.has(reason)) return []
    const names = group.map(({ reference, row }) => reference ?? `row ${row}`)
    const { word } = SKIP_REASON_WORDS[reason]
    const text = group.length === 0 ? `Orders: ${word}` : `${group.length} ${word}: ${joinFirst(names)}`
    return [{ reason, text, included: included.has(reason) }]
  })
}

/** Returns the end of an upload as a page shows it. */
export async function serializeUploadEnd(
  source: Source,
  file: File,
  outcomes: readonly ParcelOutcome[],
  summary: ParcelsReport,
) {
  const shown = await serializeOutcomes(source, file, outcomes, summary)
  return { ...shown, results: resultsOf(source, file, outcomes) }
}

/** Returns which column is taken from which header, and what else could be. */
export function serializeColumns(file: MappedFile | undefined) {
  if (file === undefined) return null
  const { mapping, saved = null } = file
  const { header: all } = mapping.table
  const read = listMappedColumns(mapping)
  const own = ownColumns(all)
  const headers = all.filter((header, at) => header.trim() !== '' && !own.has(at))
  return {
    read,
    headers: [...new Set(headers)],
    /** The columns that the file has not, or has under another header. */
    free: mapping.kind.columns
      .flatMap(({ name, helps }) => (helps === undefined ? [name] : []))
      .filter((name) => read.every((each) => each.column !== name)),
    /** The map to be saved for files with the same headers. */
    map: toSavedMap(mapping, file),
    /** The saved map with which it was read. */
    saved,
  }
}

function resultsOf({ name, sheet }: Source, file: File, outcomes: readonly ParcelOutcome[]): Download {
  return { name: planOutputs(name, undefined, { sheet }).results ?? name, text: file.results(outcomes) }
}

async function serializeOutcomes(
  source: Source,
  file: File,
  outcomes: readonly ParcelOutcome[],
  { counts, total }: ParcelsReport,
) {
  const rows = new Map(file.rows.map((row) => [row.row, row]))
  return {
    counts,
    /** The number of duplicates that were cancelled before and are omitted. */
    cancelled: countCancelled(outcomes),
    /** The price of all parcels that are created. */
    total,
    rows: outcomes.map((outcome) => serializeRow(outcome, rows.get(outcome.row))),
    faults: outcomes.filter(({ result }) => result === 'rejected').flatMap(faultsOf),
    /** The rejected rows, ready to be corrected and uploaded again. */
    errors: await errorsOf(source, file, outcomes),
  }
}

function serializeRow(outcome: ParcelOutcome, row: ManifestRow | undefined) {
  return {
    row: outcome.row,
    reference: outcome.reference ?? null,
    /** The recipient; null where the row is too wrong to tell. */
    to: recipientOf(row),
    result: outcome.result,
    tracking_number: findTrackingNumber(outcome) ?? null,
    total: outcome.total ?? null,
    /** The reason in words that it is not created, or that its reference was a cancelled parcel's. */
    reason: reasonOf(outcome),
    /** The cancelled parcel that had its reference before. */
    cancelled: outcome.cancelled_tracking_number ?? null,
  }
}

async function errorsOf(
  { name, sheet, form }: Source,
  file: File,
  outcomes: readonly ParcelOutcome[],
): Promise<Download | null> {
  const errors = await file.errors(outcomes)
  if (errors === undefined) return null
  const called = planOutputs(name, undefined, { sheet, errors: form }).errors ?? name
  return typeof errors === 'string'
    ? { name: called, text: errors }
    : { name: called, base64: Buffer.from(errors).toString('base64') }
}

function reasonOf(outcome: ParcelOutcome): string {
  const { result, cancelled_tracking_number: number } = outcome
  if (result !== 'created' || number === undefined) return reasonWords(outcome, MANIFEST_FILE_KIND)
  return `${number} of the same reference was cancelled; its content was another.`
}

function recipientOf(row: ManifestRow | undefined): string | null {
  const recipient = row?.draft?.recipient
  if (recipient === undefined) return null
  const { contact, address } = recipient
  return `${contact.name}, ${streetOf(address)}, ${address.postal_code}`
}

function faultsOf({ row, reference, reason }: ParcelOutcome) {
  return (reason?.errors ?? []).map((error) => ({
    row,
    reference: reference ?? null,
    column: error.column,
    value: error.value,
    text: error.detail,
    suggestion: error.suggestion ?? null,
  }))
}
