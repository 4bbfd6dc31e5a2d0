/** `--record FILE`: what a command does becomes steps of a scenario, after those that earlier commands left there. */
import { join, resolve as resolvePath } from 'node:path'
import type { Cli } from '../../cli/cli.ts'
import { type CallOptions, type CallResult, type Client, typed, typedControl } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { sha256Hex } from '../../core/hash.ts'
import { toTimestamp } from '../../core/time.ts'
import { ROUTES } from '../../generated/routes.ts'
import type { Expectation, Step } from './file.ts'
import { findValues, refer } from './recorded-values.ts'
import { insertReads, readBefore, readMemory, toSteps, writeMemory, writeSteps } from './recording-file.ts'
import type { Before, Head, Memory, Read } from './recording-file.ts'
import { findReferences, isRecord } from './references.ts'

export type Recorder = {
  /** The same client, whose calls are noted. */
  listenTo(client: Client): Promise<Client>
  /** Adds the steps to the file. Throws AppError('file_error'). */
  write(): Promise<void>
}

/** A step with the service's time at its answer. */
type Entry = { step: Step; now: number | undefined; isRead: boolean }

/** Throws AppError('file_error') for a file that is something else, before anything is done. */
export async function startRecording(given: string, cli: Cli): Promise<Recorder> {
  const recording = openRecording(given, cli)
  return {
    async listenTo(client) {
      const { now } = await client.serviceTime()
      if (recording.before.isNew) await begin(recording, client, now)
      return {
        ...client,
        call: typed((name, input, options = {}) =>
          isPriceBefore(cli, name, input)
            ? client.call(name, input, options)
            : call(recording, client, name, input, options),
        ),
        control: typedControl((name, input) => control(recording, client, name, input)),
      }
    },
    write: () => write(recording),
  }
}

/** One command's recording: the steps that it adds to a file, and what they start from. */
type Recording = {
  cli: Cli
  /** The file as it was named, and where it is. */
  given: string
  file: string
  memoryFile: string
  before: Before
  memory: Memory
  reads: Read[]
  /** Where a value stands in an earlier answer, by the value; steps that somebody took out of the file gave nothing. */
  known: Map<string, string>
  /** The names of steps that are taken. */
  used: Set<string>
  account: string | undefined
  /** The account of steps that name none. */
  usual: string | undefined
  entries: Entry[]
  head: Head
}

function openRecording(given: string, cli: Cli): Recording {
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

async function write(recording: Recording): Promise<void> {
  const { cli, given, file, memoryFile, before, entries, head } = recording
  const { text, inserted, rest } = layOut(recording)
  await writeSteps(file, given, before, { head, text, inserted })
  if (entries.length > 0) await writeMemory(memoryFile, rest)
  if (text === '') await cli.say(`Nothing was recorded in ${given}: ${whyEmpty(entries)}`)
}

function add(recording: Recording, step: Step, answer: unknown, now: number | undefined): void {
  const { entries, known, used } = recording
  const last = entries.at(-1)?.step
  const { id: _id, ...rest } = step
  if (last !== undefined) {
    const { id: _last, ...same } = last
    // Watching asks the same again and again.
    if (step.call !== undefined && JSON.stringify(same) === JSON.stringify(rest)) return
  }
  const isRead = ROUTES[step.call ?? '']?.method === 'GET' && step.expect === undefined
  entries.push({ step, now, isRead })
  if (step.id === undefined) return
  used.add(step.id)
  // The first answer that has a value is where it comes from.
  for (const [path, value] of findValues(answer)) if (!known.has(value)) known.set(value, `${step.id}${path}`)
}

/** The price before a purchase changes nothing, and a scenario agrees to every price. */
function isPriceBefore(
  { spec }: Pick<Cli, 'spec'>,
  name: string,
  input: Readonly<Record<string, unknown>>,
): boolean {
  return input['price_only'] === true && name !== spec.operation?.name
}

/** The name of the call; with a number from the second time on. */
function idOf({ used }: Recording, name: string): string {
  let id = name
  for (let time = 2; used.has(id); time++) id = `${name}_${time}`
  return id
}

async function call(
  recording: Recording,
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<CallResult> {
  const { account, usual, known } = recording
  const { idempotencyKey } = recording.cli.globals
  const { scenario, as = account } = options
  const base: Step = {
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
    // A step without an expectation has to succeed.
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
  recording: Recording,
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const answer = await client.control(name, input)
  // What only looks is no step, and what lets somebody in is nobody else's.
  if (/^(?:(?:get|list|mint)_|create_client$|approve_device$)/.test(name)) return answer
  const shown = isRecord(answer) ? (isRecord(answer['clock']) ? answer['clock'] : answer) : {}
  const now = typeof shown['now'] === 'string' ? Date.parse(shown['now']) : undefined
  if (name === 'set_clock') {
    // Played back the clock stands still but for what the steps say.
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

/** Takes up what earlier commands only read, unless the world is another one by now. */
async function begin(recording: Recording, client: Client, now: number): Promise<void> {
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

/** The steps as text, those that go between earlier ones in their places, and what the next command has to know. */
function layOut({ before, memory, reads, entries, known, head }: Recording): {
  text: string
  inserted: string | undefined
  rest: Memory
} {
  const needed = findNeeded([...reads, ...entries.filter(({ isRead }) => isRead)], entries)
  const { steps, left, clock } = orderSteps(entries, needed, { clock: memory.now, after: before.lastId })
  const earlier = reads.filter(({ step }) => needed.has(step.id ?? ''))
  const waiting = [...reads.filter((read) => !earlier.includes(read)), ...left].slice(-MOST_READS)
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

/** Why a command adds no step. */
function whyEmpty(entries: readonly Entry[]): string {
  return entries.some(({ isRead }) => isRead)
    ? 'this command only read. A read is added when a later step refers to it.'
    : 'this command did nothing that a scenario repeats.'
}

/** The steps of a command with the time that passed between them, and the reads that nobody needs. */
function orderSteps(
  entries: readonly Entry[],
  needed: ReadonlySet<string>,
  start: { clock: number | undefined; after: string | undefined },
): { steps: Step[]; left: Read[]; clock: number | undefined } {
  const steps: Step[] = []
  const left: Read[] = []
  let { clock, after } = start
  for (const { step, now, isRead } of entries) {
    if (isRead && !needed.has(step.id ?? '')) {
      left.push({ step, after })
      continue
    }
    const passed = now === undefined || clock === undefined ? 0 : now - clock
    if (passed > 0 && step.call !== undefined) steps.push({ advance_to: toTimestamp(now ?? 0) })
    // A clock that is set to what it shows is no step.
    if (step.advance_to === undefined || now !== clock) steps.push(step)
    clock = now ?? clock
    after = step.id ?? after
  }
  return { steps, left, clock }
}

/** More than that nobody refers back to. */
const MOST_READS = 50

/** The ids of the reads that steps refer to, and of those that these refer to in their turn. */
function findNeeded(reads: readonly { step: Step }[], entries: readonly Entry[]): ReadonlySet<string> {
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

/** `quote_ride` of `quote_ride.fares[0].fare` */
function rootOf(place: string): string {
  return /^\w+/.exec(place)?.[0] ?? ''
}

async function seedOf(client: Client): Promise<{ seed?: number }> {
  try {
    const { seed } = await client.control('get_status', {})
    return Number.isSafeInteger(Number(seed)) ? { seed: Number(seed) } : {}
  } catch {
    // A service elsewhere tells nobody.
    return {}
  }
}
