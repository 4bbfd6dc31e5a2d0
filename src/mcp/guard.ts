/** What stands between an agent's tool call and the service: the key, the gate, the limit, the audit file. */
import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { takeApproval } from '../client/approvals.ts'
import type { CallResult, Client, ServiceTime } from '../client/client.ts'
import { judge } from '../client/outcome.ts'
import { keepCreated } from '../client/recent.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import { sha256Hex } from '../domain/hash.ts'
import { type Money, spellMoney } from '../domain/money.ts'
import { toTimestamp } from '../domain/time.ts'
import { AppError } from '../errors.ts'
import { ROUTES } from '../generated/routes.ts'
import type { Runtime } from '../runtime.ts'
import { appendAudit } from './audit.ts'
import type { AuditLine } from './audit.ts'
import { approvalIsGone, decide, toPurchase, unseen } from './gate.ts'
import type { Confirm, Decision, GateParts, Program } from './gate.ts'
import { beginIntent, endIntent, findIntent } from './idempotency.ts'
import type { Begun } from './idempotency.ts'
import { changeLedger, readLedger } from './ledger.ts'
import type { Actor, Ledger } from './ledger.ts'
import { findShown, keepShown, readMoney } from './prices.ts'
import type { Shown } from './prices.ts'
import { checkSpend, releaseSpend, reserveSpend } from './spend.ts'
import type { SpendLimit } from './spend.ts'
import type { Tool } from './tools.ts'

export type GuardOptions = {
  actor: Actor
  protected: boolean
  /** Whether a person has to agree to what is bought. */
  gate: boolean
  limits: readonly SpendLimit[]
  auditFile: string
  runtime: Pick<Runtime, 'paths' | 'lock' | 'now' | 'pid' | 'random'>
  /** A notice for whoever reads the log of the server. */
  warn(line: string): void
}

export type Guard = GuardOptions & GateParts & { lastServiceTime: number | undefined }

/** One tool call. */
type Called = {
  tool: Pick<Tool, 'name' | 'read' | 'confirms' | 'listed'>
  input: Record<string, unknown>
  /** Given by the agent. */
  idempotencyKey: string | undefined
  signal: AbortSignal
  program: Program
}

export function makeGuard(options: GuardOptions): Guard {
  let secret: string | undefined
  return {
    ...options,
    // Drawn at the first question: a read must not wait for the system's random source.
    secret: () => (secret ??= options.runtime.random(32).toHex()),
    declined: new Set(),
    lastServiceTime: undefined,
  }
}

/** Carries out a call, or gives the question that a person has to answer first. Throws AppError. */
export async function guardedCall(
  guard: Guard,
  client: Client,
  called: Called,
): Promise<CallResult | InputRequiredResult> {
  const { tool } = called
  if (tool.read) return look(guard, client, called)
  return tool.confirms ? buy(guard, client, called) : change(guard, client, called)
}

export function isQuestion(result: CallResult | InputRequiredResult): result is InputRequiredResult {
  return 'resultType' in result
}

async function look(guard: Guard, client: Client, called: Called): Promise<CallResult> {
  const { tool, input, signal } = called
  note(guard, called, { event: 'call' })
  const result = await answered(guard, called, {}, () => client.call(tool.name, input, { signal }))
  keepShown(guard.runtime, guard.actor, tool.name, input, result.value)
  return result
}

/** What is changed without being bought. A ledger that cannot be written must not keep anybody from cancelling. */
async function change(guard: Guard, client: Client, called: Called): Promise<CallResult> {
  const { tool, input, signal, idempotencyKey } = called
  const sending = {
    operation: tool.name,
    input,
    idempotencyKey,
    confirms: false,
    sets: ROUTES[tool.name]?.method === 'PUT',
    undoes: tool.listed.annotations.destructiveHint,
  }
  const begun = await changeLedger(guard.runtime, guard.actor, (ledger) =>
    beginIntent(ledger, sending),
  ).catch((error: unknown): Begun => {
    guard.warn(textOf(error))
    return findIntent({ actor: guard.actor, intents: [], spent: [], before: {} }, sending)
  })
  const { key } = begun
  note(guard, called, { event: 'call', key })
  return settle(guard, called, begun, { key }, () =>
    client.call(tool.name, input, { idempotencyKey: key, signal }),
  )
}

/** What is bought: at the price that was shown here, within the limits, and with a person's yes where one is wanted. */
async function buy(guard: Guard, client: Client, called: Called): Promise<CallResult | InputRequiredResult> {
  const { tool, signal } = called
  const shown = findShown(guard.runtime, guard.actor, tool.name, called.input)
  const input = withTotal(called.input, shown)
  const facts = { quoteId: input['quote_id'], total: shown?.total }
  const time = await client.serviceTime()
  guard.lastServiceTime = time.now
  let ready: Ready | InputRequiredResult
  try {
    ready = await prepare(guard, called, { shown, time, input, facts })
  } catch (error) {
    note(guard, called, { ...facts, event: 'answer', gate: gateOf(error), outcome: codeOf(error) })
    throw error
  }
  if ('resultType' in ready) {
    note(guard, called, { ...facts, event: 'answer', gate: 'asked', outcome: 'input_required' })
    return ready
  }
  const { begun, gate } = ready
  const { key } = begun
  return settle(guard, called, begun, { ...facts, key, gate }, () =>
    client.call(tool.name, input, { idempotencyKey: key, signal }),
  )
}

type Planned = {
  shown: Shown | undefined
  time: ServiceTime
  /** As it will be sent. */
  input: Record<string, unknown>
  facts: Facts
}

type Ready = { begun: Begun; gate: 'open' | 'repeated' | 'accepted' | 'approved' }

/** Everything before the money; the question, where there is one to be answered first. Throws AppError: nothing was sent. */
async function prepare(
  guard: Guard,
  called: Called,
  { shown, time, input, facts }: Planned,
): Promise<Ready | InputRequiredResult> {
  const { tool, program, idempotencyKey } = called
  const { runtime, actor } = guard
  const sending = { operation: tool.name, input, idempotencyKey, confirms: true, sets: false, undoes: false }
  const ledger = readLedger(runtime, actor)
  const { was, intent, key } = findIntent(ledger, sending)
  // Without this line nothing is bought.
  note(guard, called, { ...facts, event: 'call', key }, true)
  if (guard.gate && was === 'new') assertComplete(tool, input)
  assertExpected(input, shown)
  const confirm = shown && { operation: tool.name, input, shown, intent, time }
  const gate = was === 'new' ? mayBuy(guard, ledger, confirm, { program, tool, time }) : 'repeated'
  if (typeof gate === 'object') return gate
  const plan = { sending, total: shown?.total, now: time.now }
  const begun = await changeLedger(runtime, actor, (latest) => begin(guard, latest, plan), { sync: true })
  // A call that was begun before has used its approval already.
  if (gate === 'approved' && begun.was === 'new' && confirm !== undefined) {
    try {
      useApproval(guard, confirm)
    } catch (error) {
      await end(guard, begun, 'unsent')
      throw error
    }
  }
  return { begun, gate }
}

/** Throws what keeps a new purchase from being sent. One that was sent before was agreed to then. */
function mayBuy(
  guard: Guard,
  ledger: Ledger,
  confirm: Confirm | undefined,
  { program, tool, time }: Pick<Called, 'program' | 'tool'> & Pick<Planned, 'time'>,
): Decision | 'open' {
  checkSpend(guard.limits, ledger, confirm?.shown.total, time.now)
  if (!guard.gate) return 'open'
  if (confirm === undefined) throw unseen(tool.name)
  return decide(guard, confirm, program)
}

/** A person is not asked about what the service would refuse. Throws AppError('invalid_request'). */
function assertComplete({ listed }: Called['tool'], input: Readonly<Record<string, unknown>>): void {
  const missing = (listed.inputSchema.required ?? []).filter((name) => input[name] === undefined)
  if (missing.length === 0) return
  const errors = missing.map((name) => ({
    pointer: `/${name}`,
    code: 'required' as const,
    detail: `${name} is required`,
  }))
  throw new AppError('invalid_request', `Missing: ${missing.join(', ')}. Nothing was bought.`, { errors })
}

/** Counts the price before it is sent: of two servers at once the second one sees what the first one spends. */
function begin(
  { limits }: Guard,
  ledger: Ledger,
  {
    sending,
    total,
    now,
  }: { sending: Parameters<typeof beginIntent>[1]; total: Money | undefined; now: number },
): Begun {
  const begun = beginIntent(ledger, sending)
  if (begun.was !== 'new') return begun
  checkSpend(limits, ledger, total, now)
  if (total !== undefined) reserveSpend(ledger, { intent: begun.intent, total, at: now })
  return begun
}

function useApproval({ runtime, actor }: Guard, confirm: Confirm): void {
  if (!takeApproval(runtime, toPurchase(actor, confirm), confirm.time.now))
    throw approvalIsGone(actor, confirm)
}

/** With the price that was shown: another one cannot be bought. */
function withTotal(input: Record<string, unknown>, shown: Shown | undefined): Record<string, unknown> {
  return shown === undefined || input['expected_total'] !== undefined
    ? input
    : { ...input, expected_total: shown.total }
}

/** Throws AppError('quote_mismatch'). */
function assertExpected(input: Record<string, unknown>, shown: Shown | undefined): void {
  const expected = readMoney(input['expected_total'])
  if (shown === undefined || expected === undefined) return
  const { total } = shown
  if (expected.amount === total.amount && expected.currency === total.currency) return
  throw new AppError(
    'quote_mismatch',
    `The price is ${spellMoney(total)}, not ${spellMoney(expected)}. Nothing was bought.`,
    { extra: { expected_total: expected, current_total: total } },
  )
}

/** Makes the call, and writes down what became of it. */
async function settle(
  guard: Guard,
  called: Called,
  begun: Begun,
  facts: Facts,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const result = await answered(guard, called, facts, call)
    // A person goes on with it in a terminal: `dray recent`.
    if (begun.was !== 'done') keepCreated(guard.runtime, guard.actor, called.tool.name, result)
    await end(guard, begun, 'done')
    return result
  } catch (error) {
    await end(guard, begun, outcomeOf(error, begun))
    throw error
  }
}

type Outcome = 'done' | 'refused' | 'unsent' | 'unknown'

/** What a failure says about the call, as far as this key goes. */
function outcomeOf(error: unknown, { was }: Begun): Outcome {
  if (was === 'done') return 'done'
  if (error instanceof AppError && error.code === 'quote_already_used')
    return was === 'sent' ? 'done' : 'refused'
  return judge(error)
}

async function end({ runtime, actor, warn }: Guard, begun: Begun, outcome: Outcome): Promise<void> {
  if (outcome === 'unknown') return
  try {
    await changeLedger(runtime, actor, (ledger) => {
      endIntent(ledger, begun, outcome)
      if (outcome === 'refused' || (outcome === 'unsent' && begun.was === 'new'))
        releaseSpend(ledger, begun.intent)
    })
  } catch (error) {
    // What was done is done; it stays counted.
    warn(textOf(error))
  }
}

type Facts = { key?: string; quoteId?: unknown; total?: Money | undefined; gate?: AuditLine['gate'] }

/** Makes the call and notes how it was answered. */
async function answered(
  guard: Guard,
  called: Called,
  facts: Facts,
  call: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    const result = await call()
    guard.lastServiceTime = result.serviceTime.now
    const { replayed, requestId } = result
    note(guard, called, { ...facts, event: 'answer', outcome: 'ok', replayed, requestId })
    return result
  } catch (error) {
    const requestId = error instanceof AppError ? error.extra['request_id'] : undefined
    note(guard, called, { ...facts, event: 'answer', outcome: codeOf(error), requestId })
    throw error
  }
}

type Noted = Facts & {
  event: AuditLine['event']
  outcome?: string
  replayed?: boolean
  requestId?: unknown
}

/** A line of the audit file. One that must be there throws when it cannot be written. */
function note(guard: Guard, { tool, input, program }: Called, noted: Noted, must = false): void {
  const { actor, runtime, lastServiceTime } = guard
  const { event, key, quoteId, total, gate, outcome, replayed, requestId } = noted
  const line: AuditLine = {
    event,
    at: toTimestamp(runtime.now()),
    service_time: lastServiceTime === undefined ? null : toTimestamp(lastServiceTime),
    client: program.name,
    ...actor,
    tool: tool.name,
    arguments_sha256: sha256Hex(canonicalJson(input)),
    idempotency_key: key ?? null,
    quote_id: typeof quoteId === 'string' ? quoteId.slice(0, 60) : null,
    total: total ?? null,
    gate: gate ?? null,
    outcome: outcome ?? null,
    replayed: replayed ?? null,
    request_id: typeof requestId === 'string' ? requestId : null,
  }
  try {
    appendAudit(guard.auditFile, line, { sync: must })
  } catch (error) {
    if (must) throw error
    guard.warn(textOf(error))
  }
}

function gateOf(error: unknown): AuditLine['gate'] {
  const code = codeOf(error)
  if (code === 'approval_required') return 'waiting'
  return code === 'not_confirmed' ? 'declined' : null
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'internal_error'
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
