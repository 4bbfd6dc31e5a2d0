import { AppError } from '../../../core/errors.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { GatewayResponse } from '../../../gateway/request.ts'
import type { LengthUnit, WeightUnit } from '../../../tabular/csv/numbers.ts'
import { toBatches } from '../../../tabular/import/batches.ts'
import { type FileContent, readFileContent } from '../../../tabular/import/content.ts'
import { gatherOutcomes } from '../../../tabular/import/outcomes.ts'
import type { ValidRow } from '../../../tabular/import/row-file.ts'
import type { DateOrder } from '../../../tabular/manifest/dates.ts'
import { withFallback } from '../../../tabular/manifest/fallback.ts'
import {
  type ParcelBatchResult,
  type ManifestRow,
  summarizeParcels,
  PARCEL_MESSAGES,
} from '../../../tabular/manifest/outcomes.ts'
import { planUpload } from '../../../tabular/manifest/plan.ts'
import { type AgreementHub, type ManifestLookups, openManifest } from '../../../tabular/manifest/read.ts'
import { parseInclude } from '../../../tabular/manifest/skipped-orders.ts'
/** A manifest that a page sent: read, checked and priced as `dray carrier upload` does, then sent. */
import type { AskParent } from '../../../workers/worker.ts'
import type { ManifestCall, ManifestEnd, ManifestWork } from './aside.ts'
import { readerWith, UnansweredQuestionError } from './questions.ts'
import { serializeColumns, serializeUploadEnd, serializePlan, type UploadAnswer } from './shown.ts'
import type { SettledAnswer, UploadOptions } from './upload-options.ts'

/** The most bytes of an unpacked sheet. One of 500 parcels has a twentieth of it. */
const MAX_UNPACKED_BYTES = 16 * 1_048_576

/** The most lines of a file: 500 parcels with ten goods each. The cells of more would fill the memory of a service. */
const MAX_MANIFEST_LINES = 5000

/** The gateway's error of a call, which is the response to the page. */
class GatewayRefusalError extends Error {
  readonly answer: GatewayResponse

  constructor(answer: GatewayResponse) {
    super('the gateway refused it')
    this.answer = answer
  }
}

type ManifestCalls = { ask: AskParent; key: string | undefined }

type BatchReceipt = { batch_id: string | null; results: readonly ParcelBatchResult[] }

/** Does the work of the thread that reads a manifest. `ask` makes a call of the gateway. Throws AppError. */
export async function runManifestWork(
  { bytes, wish, key }: ManifestWork,
  ask: AskParent,
): Promise<ManifestEnd> {
  try {
    return { told: JSON.stringify(await uploadManifest(bytes, wish, { ask, key })) }
  } catch (error) {
    if (error instanceof GatewayRefusalError) return { refused: error.answer }
    throw error
  }
}

/** Checks a file, or sends what was confirmed. Throws `Refused`, AppError. */
async function uploadManifest(
  bytes: Uint8Array,
  wish: UploadOptions,
  calls: ManifestCalls,
): Promise<UploadAnswer> {
  const { reader, notes, answered } = readerWith(wish)
  try {
    const content = withinLines(
      await readFileContent(bytes, { encoding: valuesOf(wish, '--encoding').at(-1) }, MAX_UNPACKED_BYTES),
    )
    const opened = await openManifest(reader, { path: wish.name, content }, flagsOf(wish), lookupsOf(calls))
    const toBody = (rows: readonly ValidRow<ManifestRow>[]) => ({
      shipments: rows.map(({ draft }) => draft),
      default_service_level: wish.service,
      ...(wish.hub !== undefined && { default_hub_id: wish.hub }),
      on_cancelled: wish.again ? ('create' as const) : ('skip' as const),
    })
    const price = async (body: object) =>
      (await call<BatchReceipt>(calls, 'create_shipments_batch', { ...body })).results
    const read = await opened.read()
    const file = wish.fallback === undefined ? read : await withFallback(price, read, wish.fallback, toBody)
    notes.push(...file.notes)
    const source = { name: wish.name, sheet: opened.columns?.sheet, form: opened.form ?? 'csv' }
    const good = file.rows.filter((row): row is ValidRow<ManifestRow> => row.draft !== undefined)
    const id = sha256Hex(JSON.stringify(toBody(good)))
    if (wish.plan === undefined) {
      const plan = await planUpload(price, file, good, { toBody, level: wish.service })
      const settled = [...wish.settled, ...answered]
      return {
        state: 'planned',
        notes,
        ...(await serializePlan(source, file, plan, { id, included: parseInclude(wish.include) })),
        columns: serializeColumns(opened.columns),
        settled,
      }
    }
    if (wish.plan !== id)
      throw new AppError(
        'invalid_state',
        'The file is read differently from what you confirmed: check it again.',
      )
    if (good.length === 0) throw new AppError('invalid_request', 'No row of the file is valid.')
    const { sent, stopped } = await sendBatches(toBatches(good, toBody), calls)
    const outcomes = gatherOutcomes(PARCEL_MESSAGES, file, sent)
    const summary = summarizeParcels(
      outcomes,
      sent.flatMap(({ batch_id }) => batch_id ?? []),
    )
    return { state: 'sent', notes, ...(await serializeUploadEnd(source, file, outcomes, summary)), stopped }
  } catch (error) {
    if (error instanceof UnansweredQuestionError) return { state: 'question', notes, ...error.question }
    // Only a client has such an error: the file is wrong, and the request was not.
    if (error instanceof AppError && error.entry.status === null)
      return { state: 'unusable', notes, message: error.message, hint: hintOf(error) }
    throw error
  }
}

function lookupsOf(calls: ManifestCalls): ManifestLookups {
  return {
    async listHubs() {
      const { data } = await call<{ data: AgreementHub[] }>(calls, 'list_hubs', { limit: 100 })
      return data
    },
    async findParcels(reference) {
      const { data } = await call<{ data: { status: string }[] }>(calls, 'list_shipments', { reference })
      return data
    },
  }
}

/** Returns the flags of the command that read the file as the page wishes. */
function flagsOf(wish: UploadOptions): Parameters<typeof openManifest>[2] {
  return {
    'merge-lines': wish.merge,
    include: wish.include,
    split: true,
    'reference-prefix': wish.prefix,
    map: valuesOf(wish, '--map'),
    'map-value': valuesOf(wish, '--map-value'),
    default: valuesOf(wish, '--default'),
    ignore: valuesOf(wish, '--ignore'),
    sheet: valuesOf(wish, '--sheet').at(-1),
    'date-order': valuesOf(wish, '--date-order').at(-1) as DateOrder | undefined,
    'weight-unit': valuesOf(wish, '--weight-unit').at(-1) as WeightUnit | undefined,
    'length-unit': valuesOf(wish, '--length-unit').at(-1) as LengthUnit | undefined,
  }
}

function valuesOf({ settled }: UploadOptions, wanted: SettledAnswer['flag']): string[] {
  return settled.flatMap(({ flag, value }) => (flag === wanted ? value : []))
}

type Batch = { rows: ValidRow<ManifestRow>[]; body: Readonly<Record<string, unknown>> }

/**
 * Sends the batches, each under a key of its own, so that a repeat goes on where the first attempt was lost. An error
 * after the first batch ends it: what is created is told, and the rest is not sent. Throws `Refused`.
 */
async function sendBatches(
  batches: readonly Batch[],
  calls: ManifestCalls,
): Promise<{ sent: (BatchReceipt & { rows: ValidRow<ManifestRow>[] })[]; stopped: string | null }> {
  const sent: (BatchReceipt & { rows: ValidRow<ManifestRow>[] })[] = []
  for (const [index, { rows, body }] of batches.entries()) {
    const key = batches.length === 1 ? calls.key : `${calls.key}-${index + 1}`
    try {
      sent.push({ rows, ...(await call<BatchReceipt>(calls, 'create_shipments_batch', body, key)) })
    } catch (error) {
      if (!(error instanceof GatewayRefusalError) || sent.length === 0 || isRepeated(error.answer))
        throw error
      return { sent, stopped: textOf(error.answer) }
    }
  }
  return { sent, stopped: null }
}

/** Returns whether the page sends the same again after this response. */
function isRepeated({ status, body }: GatewayResponse): boolean {
  return status >= 500 || status === 429 || String(body).includes('"idempotency_in_flight"')
}

function textOf({ body }: GatewayResponse): string {
  const { detail, title } = JSON.parse(String(body)) as { detail?: string; title?: string }
  return detail ?? title ?? 'The server rejected the request.'
}

/** Returns a file that is rejected when it has too many lines: text at once, a sheet when it is read. */
function withinLines(content: FileContent): FileContent {
  if ('text' in content) {
    assertLines(content.text.match(/\r\n?|\n/g)?.length ?? 0)
    return content
  }
  const sheets = content.sheets.map((sheet) => ({
    ...sheet,
    async read() {
      const read = await sheet.read()
      assertLines(read.rows.length)
      return read
    },
  }))
  return { sheets }
}

function assertLines(count: number): void {
  if (count <= MAX_MANIFEST_LINES) return
  throw new AppError(
    'file_error',
    `The file has ${count.toLocaleString('en-GB')} lines; the limit for this page is ${MAX_MANIFEST_LINES.toLocaleString('en-GB')}.`,
    { extra: { limit: MAX_MANIFEST_LINES } },
  )
}

async function call<T>(
  { ask }: ManifestCalls,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  key?: string,
): Promise<T> {
  const asked: ManifestCall = { operation, input, ...(key !== undefined && { idempotencyKey: key }) }
  const answer = (await ask(asked)) as GatewayResponse
  if (answer.status >= 300) throw new GatewayRefusalError(answer)
  return JSON.parse(String(answer.body)) as T
}

/** Returns the next step for a user at a page, where no flag can be typed. */
function hintOf({ extra, hint }: AppError): string | null {
  if (extra['limit'] !== undefined)
    return 'Split it into smaller files. Where dray is installed, `dray carrier upload FILE --split` sends it whole.'
  if (hint === undefined) return null
  return hint.includes('--') ? 'Save it again as .xlsx, or as CSV (UTF-8).' : hint
}
