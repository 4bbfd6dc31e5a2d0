/** Runs a scenario against a service, step by step, and compares responses with expectations. */
import type { Client } from '../../client/client.ts'
import { AppError, toProblem } from '../../core/errors.ts'
import { orNewBeginning } from '../../core/event-position.ts'
import {
  compareEvents,
  compareFields,
  type ExpectationFailure,
  type SeenEvent,
  formatComparedValue,
} from './compare.ts'
import type { RunStep } from './compose.ts'
import { type ScenarioProblem, type Scenario, formatFilePosition } from './file.ts'
import { asWritten, type ReferenceValues, LostReference, resolve } from './references.ts'
import type { Expectation, ScenarioStep } from './schema.ts'

export type StepResult = {
  file: string
  scenario: string
  /** From 1; 0 for a file that cannot run. */
  step: number
  id: string | null
  name: string
  /** The operation, the control call, or the change of the clock. */
  what: string
  line: number
  /** The file and line of a step of an included file; null for the other ones. */
  included_at: string | null
  /** `broken`: the file has faults, or the service did not answer. */
  result: 'passed' | 'failed' | 'skipped' | 'broken'
  failures: ExpectationFailure[]
  /** Only with --timings: two runs of one seed then differ. */
  duration_ms?: number
}

export type ScenarioRunOptions = {
  variables: Readonly<Record<string, unknown>>
  /** Returns the key of a call without one, by the number of its step. */
  keyOf(step: number): string
  failFast: boolean
  elapsed(): number
  /** True if the results have the time that each step took. */
  timings?: boolean
  /** Called after each step. */
  onStep?(result: StepResult): Promise<void> | void
}

/** The outcome of a step: its response, why it was skipped, or why the service did not answer. */
type Outcome =
  | { answer: unknown; failures: ExpectationFailure[] }
  | { skipped: string }
  | { broken: AppError }

/** `error` is set when a call got no response, such as without a network or credential. Later steps are skipped. */
export type RunResult = { results: StepResult[]; error: AppError | undefined }

/** Runs the steps in order. */
export async function runScenario(
  client: Client,
  scenario: Scenario,
  options: ScenarioRunOptions,
): Promise<RunResult> {
  const answers = new Map<string, unknown>([['var', options.variables]])
  const results: StepResult[] = []
  const failed = new Set<string>()
  let stopped = false
  let broken: AppError | undefined
  let events = '0'
  for (const [index, step] of scenario.steps.entries()) {
    const started = options.elapsed()
    const attempt = async (): Promise<Outcome> => {
      if (stepWantsEvents(step)) events = (await newEvents(client, events)).last
      return carryOut(client, step, {
        answers,
        as: step.as ?? scenario.as,
        key: step.idempotency_key ?? options.keyOf(index + 1),
        eventsBefore: events,
        failed,
      })
    }
    const outcome: Outcome = stopped ? { skipped: 'an earlier step failed' } : await orBroken(attempt)
    const result: StepResult = {
      ...describe(scenario, step, index),
      ...judge(outcome),
      ...(options.timings === true && { duration_ms: Math.round(options.elapsed() - started) }),
    }
    if (step.id !== undefined && 'answer' in outcome) answers.set(step.id, outcome.answer)
    if (step.id !== undefined && result.result !== 'passed') failed.add(step.id)
    if ('broken' in outcome) broken = outcome.broken
    if (broken !== undefined || (result.result === 'failed' && options.failFast)) stopped = true
    results.push(result)
    await options.onStep?.(result)
  }
  return { results, error: broken }
}

async function orBroken(attempt: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof AppError) return { broken: error }
    throw error
  }
}

/** Returns the only result of a file that cannot run. */
export function brokenFile({
  file,
  problems,
}: {
  file: string
  problems: readonly ScenarioProblem[]
}): StepResult {
  const failures = problems.map((problem) => ({
    where: formatFilePosition(file, problem),
    expected: 'a scenario',
    actual: problem.text,
  }))
  const [first] = problems
  const line = first?.file === undefined ? (first?.place?.line ?? 1) : 1
  return {
    file,
    scenario: file,
    step: 0,
    id: null,
    name: file,
    what: 'file',
    line,
    included_at: null,
    result: 'broken',
    failures,
  }
}

function describe(
  { file, name }: Scenario,
  step: RunStep,
  index: number,
): Omit<StepResult, 'result' | 'failures' | 'duration_ms'> {
  const id = step.id === undefined ? null : asWritten(step.id)
  const title = step.name ?? id ?? nameOf(step)
  return {
    file,
    scenario: name,
    step: index + 1,
    id,
    name: step.row === undefined ? title : `${title}, ${step.row}`,
    what: nameOf(step),
    line: step.line,
    included_at: step.included_at ?? null,
  }
}

function judge(outcome: Outcome): Pick<StepResult, 'result' | 'failures'> {
  if ('skipped' in outcome)
    return { result: 'skipped', failures: [{ where: 'step', expected: 'to run', actual: outcome.skipped }] }
  if ('broken' in outcome) {
    const { message } = outcome.broken
    return { result: 'broken', failures: [{ where: 'call', expected: 'an answer', actual: message }] }
  }
  return { result: outcome.failures.length === 0 ? 'passed' : 'failed', failures: outcome.failures }
}

function stepWantsEvents({ expect }: ScenarioStep): boolean {
  return expect?.events !== undefined
}

function nameOf({ call, control, advance, advance_to: to }: ScenarioStep): string {
  if (call !== undefined) return call
  if (control !== undefined) return `sandbox:${control}`
  return advance === undefined ? `advance to ${to}` : `advance ${advance}`
}

type StepContext = {
  answers: Map<string, unknown>
  as: string | undefined
  key: string
  eventsBefore: string
  failed: ReadonlySet<string>
}

async function carryOut(client: Client, step: ScenarioStep, context: StepContext): Promise<Outcome> {
  const { now } = await client.serviceTime()
  const known: ReferenceValues = { answers: context.answers, now }
  try {
    const { id: _id, name: _name, expect: _expect, ...given } = step
    const sent = resolve(given, known) as ScenarioStep
    const came = await send(client, sent, {
      as: context.as === undefined ? undefined : String(resolve(context.as, known)),
      key: String(resolve(context.key, known)),
    })
    const withAnswer = new Map(context.answers)
    if (step.id !== undefined) withAnswer.set(step.id, came.value)
    const expect = resolve(step.expect ?? {}, { answers: withAnswer, now }) as Expectation
    const failures = compare(came, expect)
    if (expect.events !== undefined) {
      const { seen } = await newEvents(client, context.eventsBefore)
      failures.push(...compareEvents(seen, expect.events))
    }
    return { answer: came.value, failures }
  } catch (error) {
    if (!(error instanceof LostReference)) throw error
    if (context.failed.has(error.root))
      return { skipped: `the step ${asWritten(error.root)} did not do what it should` }
    return {
      answer: undefined,
      failures: [{ where: 'reference', expected: 'an answer to refer to', actual: error.message }],
    }
  }
}

type Came = { value: unknown; status: number | undefined; code: string | undefined; replayed: boolean }

async function send(
  client: Client,
  step: ScenarioStep,
  { as, key }: { as: string | undefined; key: string },
): Promise<Came> {
  const { call, control, advance, advance_to: to, scenario, fault, input = {} } = step
  try {
    if (call !== undefined) {
      const { value, status, replayed } = await client.call(call, input, {
        idempotencyKey: key,
        ...(as !== undefined && { as }),
        ...(scenario !== undefined && { scenario }),
        ...(fault !== undefined && { fault }),
      })
      return { value, status, code: undefined, replayed }
    }
    const value =
      control === undefined
        ? await client.control('advance_clock', {
            ...(advance !== undefined && { by: advance }),
            ...(to !== undefined && { to }),
          })
        : await client.control(control, input)
    return { value, status: 200, code: undefined, replayed: false }
  } catch (error) {
    // An error without an HTTP status did not come from the service, so it is not a result of the scenario, unless it is on order.
    const isOrdered = fault !== undefined && call !== undefined
    if (!(error instanceof AppError) || (error.entry.status === null && !isOrdered)) throw error
    return {
      value: toProblem(error),
      status: error.entry.status ?? undefined,
      code: error.code,
      replayed: false,
    }
  }
}

function compare(came: Came, { status, code, replayed, fields }: Expectation): ExpectationFailure[] {
  const failures: ExpectationFailure[] = []
  const refused = code !== undefined || (status !== undefined && status >= 400)
  if (!refused && came.code !== undefined) {
    const actual = `${came.status} ${came.code}: ${refusalOf(came.value)}`
    return [{ where: 'step', expected: 'success', actual }]
  }
  if (status !== undefined && status !== came.status)
    failures.push({ where: 'status', expected: String(status), actual: String(came.status) })
  if (code !== undefined && code !== came.code)
    failures.push({
      where: 'code',
      expected: code,
      actual: came.code ?? `success: ${formatComparedValue(came.value)}`,
    })
  if (replayed !== undefined && replayed !== came.replayed)
    failures.push({ where: 'replayed', expected: String(replayed), actual: String(came.replayed) })
  return [...failures, ...compareFields(came.value, fields ?? {})]
}

/** Returns what an error says: each rejected field of the input, or its one sentence. */
function refusalOf(problem: unknown): string {
  const { detail = '', errors = [] } = problem as Partial<
    Pick<ReturnType<typeof toProblem>, 'detail' | 'errors'>
  >
  return errors.length < 2 ? detail : errors.map((each) => each.detail).join('; ')
}

async function newEvents(client: Client, after: string): Promise<{ seen: SeenEvent[]; last: string }> {
  const seen: SeenEvent[] = []
  for (let last = after; ;) {
    const page = await orNewBeginning(client.control('list_events', { after: last, limit: 1000 }))
    // A step has reset the sandbox.
    if ('first' in page) {
      last = page.first
      continue
    }
    seen.push(...page.data)
    last = page.next_after
    if (!page.has_more) return { seen, last }
  }
}
