/** `--record FILE`: writes the calls of a command as steps of a scenario, after those of earlier commands. */
import { join, resolve as resolvePath } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import { assertOutputPath } from '../../cli/files/write.ts'
import {
  type ClientCallOptions,
  type CallResult,
  type Client,
  withOperationTypes,
  withControlTypes,
} from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { sha256Hex } from '../../core/hash.ts'
import { isRecord } from '../../core/record.ts'
import { toTimestamp } from '../../core/time.ts'
import { ROUTES } from '../../generated/routes.ts'
import { findValues, refer } from './recorded-values.ts'
import { insertReads, readBefore, readMemory, toSteps, writeMemory, writeSteps } from './recording-file.ts'
import type { Before, Head, Memory, RecordedRead } from './recording-file.ts'
import { findReferences } from './references.ts'
import type { Expectation, ScenarioStep } from './schema.ts'

export type Recorder = {
  /** Returns the same client with its calls recorded. */
  listenTo(client: Client): Promise<Client>
  /** Adds the steps to the file. Throws AppError('file_error'). */
  write(): Promise<void>
}

/** A step with the service's time in its response. */
type RecordedStep = { step: ScenarioStep; now: number | undefined; isRead: boolean }

/**
 * Starts a recording. Throws AppError('file_error') for a file that is not a scenario or cannot be written, before
 * anything is done.
 */
export async function startRecording(given: string, cli: CommandContext): Promise<Recorder> {
  if (given === '-')
    throw new AppError('usage', '--record cannot write to -: standard output is not a file.', {
      hint: 'Give a file name; use ./- for a file named -.',
    })
  const recording = openRecording(given, cli)
  assertOutputPath({ path: recording.file, file: { name: 'recording', isOurs: () => true }, force: false })
  await writeMemory(recording.memoryFile, recording.memory)
  return {
    async listenTo(client) {
      const { now } = await client.serviceTime()
      if (recording.before.isNew) await begin(recording, client, now)
      return {
        ...client,
        call: withOperationTypes((name, input, options = {}) =>
          isPriceBefore(cli, name, input)
            ? client.call(name, input, options)
            : call(recording, client, { name, input }, options),
        ),
        control: withControlTypes((name, input) => control(recording, client, name, input)),
      }
    },
    write: () => write(recording),
  }
}

/** The recording of one command: the steps that it adds to a file, and its starting point. */
type CommandRecording = {
  cli: CommandContext
  /** The path as typed, and the absolute path. */
  given: string
  file: string
  memoryFile: string
  before: Before
  memory: Memory
  reads: RecordedRead[]
  /** The place of each value in an earlier response; steps that were removed from the file count for nothing. */
  known: Map<string, string>
  /** The step names in use. */
  used: Set<string>
  account: string | undefined
  /** The account of steps without one. */
  usual: string | undefined
  entries: RecordedStep[]
  head: Head
}

function openRecording(given: string, cli: CommandContext): CommandRecording {
  const { runtime, globals, settings } = cli
  const file = resolvePath(runtime.cwd, given)
  const before = readBefore(file, given)
  const memoryFile = join(runtime.paths.state, 'recordings', `${sha256Hex(file).slice(0, 32)}.json`)
  let memory = readMemory(memoryFile)
  if (before.isNew && memory.head === undefined) memory = { places: {} }
  const reads = memory.reads ?? []
  const known = new Map(
    Object.entries(memory.places).filter(([, place]) => {
      const root = rootOf(place)
      return before.ids.has(root) || reads.some(({ step }) => step.id === root)
    }),
  )
  const used = new Set([...before.ids, ...reads.flatMap(({ step }) => step.id ?? [])])
  const { target } = settings
  const account = globals.as ?? (target.kind === 'embedded' ? target.account : undefined)
  const usual = before.isNew ? (memory.head?.as ?? account) : before.as
  const state = { before, memory, reads, known, used, account, usual }
  return { cli, given, file, memoryFile, ...state, entries: [], head: {} }
}

async function write(recording: CommandRecording): Promise<void> {
  const { cli, given, file, memoryFile, before, entries, head } = recording
  const { text, inserted, rest } = layOut(recording)
  await writeSteps(file, given, before, { head, text, inserted })
  if (entries.length > 0) await writeMemory(memoryFile, rest)
  if (text === '') await cli.say(`Nothing was recorded in ${given}: ${whyEmpty(entries)}`)
}

function add(
  recording: CommandRecording,
  step: ScenarioStep,
  answer: unknown,
  now: number | undefined,
): void {
  const { entries, known, used } = recording
  const last = entries.at(-1)?.step
  const { id: _id, ...rest } = step
  if (last !== undefined) {
    const { id: _last, ...same } = last
    // Repeated polls are recorded once.
    if (step.call !== undefined && JSON.stringify(same) === JSON.stringify(rest)) return
  }
  const isRead = ROUTES[step.call ?? '']?.method === 'GET' && step.expect === undefined
  entries.push({ step, now, isRead })
  if (step.id === undefined) return
  used.add(step.id)
  // A reference points to the first response with the value.
  for (const [path, value] of findValues(answer)) if (!known.has(value)) known.set(value, `${step.id}${path}`)
}

/** Returns whether a call only shows the price before a purchase; a scenario accepts every price. */
function isPriceBefore(
  { spec }: Pick<CommandContext, 'spec'>,
  name: string,
  input: Readonly<Record<string, unknown>>,
): boolean {
  return input['price_only'] === true && name !== spec.operation?.name
}

/** Returns the name of the call, with a number from the second time on. */
function idOf({ used }: CommandRecording, name: string): string {
  let id = name
  for (let time = 2; used.has(id); time++) id = `${name}_${time}`
  return id
}

async function call(
  recording: CommandRecording,
  client: Client,
  { name, input }: { name: string; input: Readonly<Record<string, unknown>> },
  options: ClientCallOptions,
): Promise<CallResult> {
  const { account, usual, known } = recording
  const { idempotencyKey } = recording.cli.globals
  const { scenario, as = account } = options
  const base: ScenarioStep = {
    id: idOf(recording, name),
    call: name,
    ...(as !== undefined && as !== usual && { as }),
    ...(scenario !== undefined && { scenario }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    ...(Object.keys(input).length > 0 && { input: refer(input, known) as Record<string, unknown> }),
  }
  try {
    const result = await client.call(name, input, options)
    const { value, replayed, serviceTime } = result
    const state =
      isRecord(value) && typeof value['status'] === 'string' ? { status: value['status'] } : undefined
    // A step without an expectation must succeed.
    const expect: Expectation = { ...(replayed && { replayed }), ...(state && { fields: state }) }
    add(recording, { ...base, ...(Object.keys(expect).length > 0 && { expect }) }, value, serviceTime.now)
    return result
  } catch (error) {
    if (error instanceof AppError && error.entry.status !== null)
      add(
        recording,
        { ...base, expect: { status: error.entry.status, code: error.code } },
        undefined,
        undefined,
      )
    throw error
  }
}

async function control(
  recording: CommandRecording,
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const answer = await client.control(name, input)
  // Reads are not steps, and calls that create credentials are never recorded.
  if (/^(?:(?:get|list|mint)_|create_client$|approve_device$)/.test(name)) return answer
  const shown = isRecord(answer) ? (isRecord(answer['clock']) ? answer['clock'] : answer) : {}
  const now = typeof shown['now'] === 'string' ? Date.parse(shown['now']) : undefined
  if (name === 'set_clock') {
    // On playback the clock moves only by the steps.
    if (now !== undefined) add(recording, { advance_to: toTimestamp(now) }, undefined, now)
  } else if (name === 'advance_clock') {
    const { by, to } = input
    add(recording, typeof by === 'string' ? { advance: by } : { advance_to: String(to) }, undefined, now)
  } else {
    add(
      recording,
      {
        id: idOf(recording, name),
        control: name,
        input: refer(input, recording.known) as Record<string, unknown>,
      },
      answer,
      now,
    )
  }
  return answer
}

/** Restores the reads of earlier commands, unless the store has been reset since. */
async function begin(recording: CommandRecording, client: Client, now: number): Promise<void> {
  const seed = await seedOf(client)
  const { account, known, used } = recording
  const { head: begun } = recording.memory
  if (begun?.at !== undefined && Date.parse(begun.at) <= now && begun.seed === seed.seed) {
    recording.head = begun
    return
  }
  for (const place of [known, used]) place.clear()
  recording.reads = []
  recording.usual = account
  recording.memory = { now, places: {} }
  recording.head = { at: toTimestamp(now), ...seed, ...(account !== undefined && { as: account }) }
}

/** Returns the steps as text, in their places, and the memory for the next command. */
function layOut({ before, memory, reads, entries, known, head }: CommandRecording): {
  text: string
  inserted: string | undefined
  rest: Memory
} {
  const needed = findNeeded([...reads, ...entries.filter(({ isRead }) => isRead)], entries)
  const { steps, left, clock } = orderSteps(entries, needed, { clock: memory.now, after: before.lastId })
  const earlier = reads.filter(({ step }) => needed.has(step.id ?? ''))
  const waiting = [...reads.filter((read) => !earlier.includes(read)), ...left].slice(-MAX_SAVED_READS)
  const ids = new Set([...before.ids, ...waiting.map(({ step }) => step.id), ...needed])
  for (const { id } of steps) ids.add(id)
  const isEmpty = steps.length === 0
  const first = before.isNew ? earlier.map(({ step }) => step) : []
  return {
    text: isEmpty ? '' : toSteps([...first, ...steps]),
    inserted: before.isNew || earlier.length === 0 ? undefined : insertReads(before.text, earlier),
    rest: {
      now: clock,
      places: Object.fromEntries([...known].filter(([, place]) => ids.has(rootOf(place)))),
      reads: waiting,
      ...(isEmpty && before.isNew && { head }),
    },
  }
}

/** Returns why a command adds no step. */
function whyEmpty(entries: readonly RecordedStep[]): string {
  return entries.some(({ isRead }) => isRead)
    ? 'this command only read data. A read is recorded when a later step refers to it.'
    : 'this command did nothing that a scenario can repeat.'
}

/** Returns the steps of a command with the time between them, without reads that no step uses. */
function orderSteps(
  entries: readonly RecordedStep[],
  needed: ReadonlySet<string>,
  start: { clock: number | undefined; after: string | undefined },
): { steps: ScenarioStep[]; left: RecordedRead[]; clock: number | undefined } {
  const steps: ScenarioStep[] = []
  const left: RecordedRead[] = []
  let { clock, after } = start
  for (const { step, now, isRead } of entries) {
    if (isRead && !needed.has(step.id ?? '')) {
      left.push({ step, after })
      continue
    }
    const passed = now === undefined || clock === undefined ? 0 : now - clock
    if (passed > 0 && step.call !== undefined) steps.push({ advance_to: toTimestamp(now ?? 0) })
    // A step that sets the clock to its present time is omitted.
    if (step.advance_to === undefined || now !== clock) steps.push(step)
    clock = now ?? clock
    after = step.id ?? after
  }
  return { steps, left, clock }
}

/** The most reads that are kept for later references. */
const MAX_SAVED_READS = 50

/** Returns the ids of the reads that steps refer to, directly or through other reads. */
function findNeeded(
  reads: readonly { step: ScenarioStep }[],
  entries: readonly RecordedStep[],
): ReadonlySet<string> {
  const needed = new Set<string>()
  const rest = entries.flatMap(({ step, isRead }) => (isRead ? [] : [step]))
  for (let step = rest.pop(); step !== undefined; step = rest.pop()) {
    for (const reference of findReferences(step.input)) {
      const root = rootOf(reference)
      const read = reads.find(({ step: { id } }) => id === root)
      if (read === undefined || needed.has(root)) continue
      needed.add(root)
      rest.push(read.step)
    }
  }
  return needed
}

/** Returns `quote_ride` of `quote_ride.fares[0].fare`. */
function rootOf(place: string): string {
  return /^\w+/.exec(place)?.[0] ?? ''
}

async function seedOf(client: Client): Promise<{ seed?: number }> {
  try {
    const { seed } = await client.control('get_status', {})
    return Number.isSafeInteger(Number(seed)) ? { seed: Number(seed) } : {}
  } catch {
    // A remote service has no control plane, so its seed is not known.
    return {}
  }
}
