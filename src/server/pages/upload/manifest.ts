/** A manifest that a page sent: read, checked and priced as `dray carrier upload` does, then sent. */
import { AppError } from '../../../core/errors.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import type { Answer, Credential } from '../../../gateway/request.ts'
import { type BatchResult, sumUp, TELLING } from '../../../rows/manifest/outcomes.ts'
import { planUpload } from '../../../rows/manifest/plan.ts'
import { type Hub, openManifest } from '../../../rows/manifest/read.ts'
import type { ManifestRow } from '../../../rows/manifest/row.ts'
import { showEnd, showPlan, type UploadAnswer } from '../../../rows/manifest/shown.ts'
import { type Content, toContent } from '../../../rows/upload/content.ts'
import { gatherOutcomes } from '../../../rows/upload/outcomes.ts'
import type { Good } from '../../../rows/upload/row-file.ts'
import { readerWith, Unanswered } from './questions.ts'
import type { Wish } from './wish.ts'

/** The most bytes of an unpacked sheet. One of 500 parcels has a twentieth of it. */
const MOST_UNPACKED = 16 * 1_048_576

/** The most lines of a file: 500 parcels with ten goods each. The cells of more would fill the memory of a service. */
const MOST_LINES = 5000

/** The gateway's refusal of a call, which is the answer to the page. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('the gateway refused it')
    this.answer = answer
  }
}

/** The calls of a manifest, as the account of the page. */
export type ManifestCalls = {
  gateway: Pick<Gateway, 'invoke'>
  credential: Credential
  requestId: string
  /** The key of what is confirmed. */
  key: string | undefined
}

type Sent = { batch_id: string | null; results: readonly BatchResult[] }

/** Checks a file, or sends what was confirmed. Throws `Refused`, AppError. */
export async function uploadManifest(
  bytes: Uint8Array,
  wish: Wish,
  calls: ManifestCalls,
): Promise<UploadAnswer> {
  const { reader, notes } = readerWith(wish.answers)
  try {
    const content = withinLines(await toContent(bytes, {}, MOST_UNPACKED))
    const flags = { 'merge-lines': wish.merge }
    const opened = await openManifest(reader, wish.name, content, flags, async () => {
      const { data } = await call<{ data: Hub[] }>(calls, 'list_hubs', { limit: 100 })
      return data
    })
    const file = await opened.read()
    const source = { name: wish.name, sheet: opened.columns?.sheet }
    const good = file.rows.filter((row): row is Good<ManifestRow> => row.draft !== undefined)
    const toBody = (rows: readonly Good<ManifestRow>[]) => ({
      shipments: rows.map(({ draft }) => draft),
      default_service_level: wish.service,
    })
    const id = sha256Hex(JSON.stringify(toBody(good)))
    if (wish.plan === undefined) {
      const price = async (body: object) =>
        (await call<Sent>(calls, 'create_shipments_batch', { ...body })).results
      const plan = await planUpload(price, file, good, { toBody, level: wish.service })
      return { state: 'planned', notes, ...showPlan(source, file, plan, id) }
    }
    if (wish.plan !== id)
      throw new AppError('invalid_state', 'The file is no longer read as you confirmed it: look at it again.')
    if (good.length === 0) throw new AppError('invalid_request', 'No row of the file can be sent.')
    const { batch_id, results } = await call<Sent>(calls, 'create_shipments_batch', toBody(good), calls.key)
    const outcomes = gatherOutcomes(TELLING, file, [{ rows: good, results }])
    const summary = sumUp(outcomes, batch_id === null ? [] : [batch_id])
    return { state: 'sent', notes, ...showEnd(source, file, outcomes, summary) }
  } catch (error) {
    if (error instanceof Unanswered) return { state: 'question', notes, ...error.question }
    // Only a client has such an error: the file is wrong, and the request was not.
    if (error instanceof AppError && error.entry.status === null)
      return { state: 'unusable', notes, message: error.message, hint: hintOf(error) }
    throw error
  }
}

/** Returns a file that is refused when it has too many lines: text at once, a sheet when it is read. */
function withinLines(content: Content): Content {
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
  if (count <= MOST_LINES) return
  throw new AppError(
    'file_error',
    `The file has ${count.toLocaleString('en-GB')} lines; a page takes at most ${MOST_LINES.toLocaleString('en-GB')}.`,
    { extra: { limit: MOST_LINES } },
  )
}

async function call<T>(
  { gateway, credential, requestId }: ManifestCalls,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  key?: string,
): Promise<T> {
  const answer = await gateway.invoke({
    operation,
    requestId,
    credential,
    input,
    ...(key !== undefined && { idempotencyKey: key }),
  })
  if (answer.status >= 300) throw new Refused(answer)
  return JSON.parse(answer.body) as T
}

/** Returns the next step for somebody at a page, where no flag can be typed. */
function hintOf({ extra, hint }: AppError): string | null {
  if (extra['limit'] !== undefined)
    return 'Divide it into smaller files. Where dray is installed, `dray carrier upload FILE --split` sends it whole.'
  if (hint === undefined) return null
  return hint.includes('--') ? 'Save it again as .xlsx, or as CSV (UTF-8).' : hint
}
