/** The changes that a command had made when it failed: its error names them, so that the user does not repeat them. */
import { type Client, withOperationTypes, withControlTypes } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { type Money, formatGroupedMoney } from '../../core/money.ts'
import { loadSpec } from '../../generated/registry.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { findResourceTotal } from '../../local-state/recent.ts'
import { InterruptedError, PipeClosed } from '../io.ts'
import { shellQuote } from '../output/shell.ts'

/** A change that the service answered. */
export type CompletedChange = {
  operation: string
  /** The resource that was made or changed; null for a change of no single one. */
  id: string | null
  total: Money | null
  /** True if the same rows again make nothing new. */
  isBatch: boolean
}

type Row = Readonly<Record<string, unknown>>

/** Returns what an answered call made or changed: the resource, or each one that a batch created. */
export function completedChanges(operation: string, input: Row, answer: unknown): CompletedChange[] {
  if (input['price_only'] === true) return []
  const id = resourceOf(operation)?.id ?? ''
  const value = isRow(answer) ? answer : {}
  const { results } = value
  const rows = Array.isArray(results)
    ? (results as Row[]).filter(({ result }) => result === 'created')
    : [value]
  return rows.map((row) => {
    const named = row[id] ?? input[id]
    return {
      operation,
      id: typeof named === 'string' ? named : null,
      total: findResourceTotal(row),
      isBatch: Array.isArray(results),
    }
  })
}

/** The calls of the sandbox that only read. */
const READS = /^(?:get|list)_/

/** Returns the same client; the changes that it made are added to `done`. A call with a key is more than a read. */
export function trackChanges(client: Client, done: CompletedChange[]): Client {
  return {
    ...client,
    call: withOperationTypes(async (name, input, options = {}) => {
      const answer = await client.call(name, input, options)
      if (options.idempotencyKey !== undefined) done.push(...completedChanges(name, input, answer.value))
      return answer
    }),
    control: withControlTypes(async (name, input) => {
      const answer = await client.control(name, input)
      if (!READS.test(name)) done.push(...completedChanges(name, input, answer))
      return answer
    }),
    async loadSnapshot(open) {
      const head = await client.loadSnapshot(open)
      done.push(...completedChanges('load_snapshot', {}, {}))
      return head
    },
  }
}

/** The failure of a command after its change was answered. */
class FailedAfter extends AppError {}

/** Returns a failure after a change as one that does not say that nothing was sent. */
export function toErrorAfterChange(error: AppError): AppError {
  if (error.exitCode !== EXIT.usage) return error
  const { message, hint, errors, extra } = error
  return new FailedAfter('failed_after_done', `${message} Changes already made are kept.`, {
    ...(hint !== undefined && { hint }),
    errors,
    extra,
    cause: error,
  })
}

/** Returns the failure of what a command did with the answer to its change: never one that says that nothing was sent. */
export function failedWith(error: unknown, done: readonly CompletedChange[]): unknown {
  if (!(error instanceof AppError) || error instanceof FailedAfter || done.length === 0) return error
  return failedAfter(error, done)
}

type RetryDetails = { idempotencyKey: string | undefined; errorId: string }

/**
 * Returns the failure of a command that had made changes before. Exit 2 says that nothing was sent, and exit 3 that
 * nothing changed; it becomes 1. The message and the document name the changes.
 */
export async function afterDone(
  error: unknown,
  calls: readonly CompletedChange[],
  told: RetryDetails,
): Promise<unknown> {
  const specs = await Promise.all(calls.map(({ operation }) => loadSpec(operation)))
  const done = calls.filter((_, at) => specs[at]?.operation?.read !== true)
  if (done.length === 0 || error instanceof PipeClosed || error instanceof InterruptedError) return error
  const first = error instanceof FailedAfter ? error.cause : error
  if (!(first instanceof AppError)) {
    const { errorId } = told
    const fault = new AppError('internal_error', `Unexpected error in dray. Error ID: ${errorId}.`, {
      extra: { error_id: errorId },
    })
    return failedAfter(fault, done, await hintFor(done, told))
  }
  const isPromise = first.exitCode === EXIT.usage || first.exitCode === EXIT.not_confirmed
  const isOutput = first.code === 'output_failed'
  if (error === first && !isPromise && !isOutput) return error
  const own = isOutput && done.some(({ isBatch }) => isBatch) ? first.hint : undefined
  return failedAfter(first, done, own ?? (await hintFor(done, told)))
}

function failedAfter(error: AppError, done: readonly CompletedChange[], hint = error.hint): FailedAfter {
  // A code that may be retried would be a second purchase.
  const code = error.code === 'output_failed' ? error.code : 'failed_after_done'
  return new FailedAfter(code, `${error.message} Already done: ${wordsOf(done)}.`, {
    ...(hint !== undefined && { hint }),
    errors: error.errors,
    extra: { ...error.extra, done: done.map(({ operation, id, total }) => ({ operation, id, total })) },
    cause: error,
  })
}

/** The most changes that a message names; the document has them all. */
const MAX_NAMED_CHANGES = 5

/** Returns `order ord_01… for £18.40, order ord_02… for £9.00`. */
function wordsOf(done: readonly CompletedChange[]): string {
  const named = done.slice(0, MAX_NAMED_CHANGES).map(({ operation, id, total }) => {
    const resource = resourceOf(operation)
    const isNew = resource?.creates.includes(operation) === true
    const what = [isNew ? '' : operation, id === null ? '' : `${resource?.noun ?? ''} ${id}`]
    return `${what.join(' ').trim() || operation}${isNew && total !== null ? ` for ${formatGroupedMoney(total)}` : ''}`
  })
  const rest = done.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Says how to see it, and what the same command would do. */
async function hintFor(
  [first]: readonly CompletedChange[],
  { idempotencyKey }: RetryDetails,
): Promise<string> {
  const show = first === undefined || first.id === null ? undefined : findShowOperation(first.operation)
  const words = show === undefined ? undefined : (await loadSpec(show))?.words
  const look = words === undefined ? '' : `\`dray ${words} ${shellQuote(first?.id ?? '')}\` shows it. `
  return `${look}${againOf(first, idempotencyKey)}`
}

/** Says what the same command would do. */
function againOf(first: CompletedChange | undefined, idempotencyKey: string | undefined): string {
  if (first?.isBatch === true) return 'Running it again creates nothing twice.'
  if (idempotencyKey !== undefined)
    return 'Running the same command with its key does nothing twice and prints the result.'
  const resource = first && resourceOf(first.operation)
  const isChange = resource !== undefined && !resource.creates.includes(first?.operation ?? '')
  return isChange
    ? 'Running the same command again changes nothing.'
    : 'Running the same command again would repeat the change.'
}

/** Returns the operation that shows what was changed to the account that changed it: a store's orders are its own. */
function findShowOperation(operation: string): string | undefined {
  return operation.includes('business_order') ? 'get_business_order' : resourceOf(operation)?.show
}

function resourceOf(operation: string) {
  return Object.values(RESOURCES).find(({ creates, changes = [], cancel }) =>
    [...creates, ...changes, cancel].includes(operation),
  )
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}
