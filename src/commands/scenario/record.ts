/** `--record FILE`: what a command does becomes steps of a scenario, after those that earlier commands left there. */
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve as resolvePath } from 'node:path'
import { Document, isMap, isSeq, parseDocument } from 'yaml'
import type { Cli } from '../../cli/cli.ts'
import { isMissing, readFile } from '../../cli/files/read.ts'
import { type CallOptions, type CallResult, type Client, typed } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import { sha256Hex } from '../../core/hash.ts'
import { toTimestamp } from '../../core/time.ts'
import { ROUTES } from '../../generated/routes.ts'
import { writeError } from '../../journal/write-error.ts'
import type { Expectation, Step } from './file.ts'
import { parseScenario, problemLines } from './file.ts'
import { findReferences, isRecord } from './references.ts'

export type Recorder = {
  /** The same client, whose calls are noted. */
  listenTo(client: Client): Promise<Client>
  /** Adds the steps to the file. Throws AppError('file_error'). */
  write(): Promise<void>
}

const FIRST_LINE = '# Recorded by `dray --record`; `dray scenario run --ephemeral` plays it back.'

/**
 * What later commands need of the answers so far: the clock, and where each value stands that an input may name again.
 * It lies in the state folder, so that the file holds steps and nothing else.
 */
type Memory = {
  now?: number | undefined
  places: Record<string, string>
  /** Reads that no step refers to yet: they are left out until one does. */
  reads?: Read[] | undefined
  /** The head of a file that has no step yet. */
  head?: Head | undefined
}

type Head = { at?: string; seed?: number; as?: string }

/** A read, and the id of the step behind which it was made. */
type Read = { step: Step; after?: string | undefined }

/** A step with the service's time at its answer. */
type Entry = { step: Step; now: number | undefined; isRead: boolean }

/** Throws AppError('file_error') for a file that is something else, before anything is done. */
export async function startRecording(
  given: string,
  { runtime, globals, settings, spec, say }: Cli,
): Promise<Recorder> {
  const file = resolvePath(runtime.cwd, given)
  const before = readBefore(file, given)
  const memoryFile = join(runtime.paths.state, 'recordings', `${sha256Hex(file).slice(0, 32)}.json`)
  let memory = readMemory(memoryFile)
  if (before.isNew && memory.head === undefined) memory = { places: {} }
  let reads = memory.reads ?? []
  /** Where a value stands in an earlier answer, by the value; steps that somebody took out of the file gave nothing. */
  const known = new Map(
    Object.entries(memory.places).filter(([, place]) => {
      const root = rootOf(place)
      return before.ids.has(root) || reads.some(({ step }) => step.id === root)
    }),
  )
  const used = new Set([...before.ids, ...reads.flatMap(({ step }) => step.id ?? [])])
  const { target } = settings
  const account = globals.as ?? (target.kind === 'embedded' ? target.account : undefined)
  let usual = before.isNew ? (memory.head?.as ?? account) : before.as
  const entries: Entry[] = []
  let head: Head = {}

  function add(step: Step, answer: unknown, now: number | undefined): void {
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
    for (const [path, value] of findValues(answer))
      if (!known.has(value)) known.set(value, `${step.id}${path}`)
  }

  /** The price before a purchase changes nothing, and a scenario agrees to every price. */
  function isPriceBefore(name: string, input: Readonly<Record<string, unknown>>): boolean {
    return input['price_only'] === true && name !== spec.operation?.name
  }

  /** The name of the call; with a number from the second time on. */
  function idOf(name: string): string {
    let id = name
    for (let time = 2; used.has(id); time++) id = `${name}_${time}`
    return id
  }

  async function call(
    client: Client,
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallResult> {
    const { scenario, as = account } = options
    const base: Step = {
      id: idOf(name),
      call: name,
      ...(as !== undefined && as !== usual && { as }),
      ...(scenario !== undefined && { scenario }),
      ...(globals.idempotencyKey !== undefined && { idempotency_key: globals.idempotencyKey }),
      ...(Object.keys(input).length > 0 && { input: refer(input, known) as Record<string, unknown> }),
    }
    try {
      const result = await client.call(name, input, options)
      const { value, replayed, serviceTime } = result
      const state =
        isRecord(value) && typeof value['status'] === 'string' ? { status: value['status'] } : undefined
      // A step without an expectation has to succeed.
      const expect: Expectation = { ...(replayed && { replayed }), ...(state && { fields: state }) }
      add({ ...base, ...(Object.keys(expect).length > 0 && { expect }) }, value, serviceTime.now)
      return result
    } catch (error) {
      if (error instanceof AppError && error.entry.status !== null)
        add({ ...base, expect: { status: error.entry.status, code: error.code } }, undefined, undefined)
      throw error
    }
  }

  async function control(
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
      if (now !== undefined) add({ advance_to: toTimestamp(now) }, undefined, now)
    } else if (name === 'advance_clock') {
      const { by, to } = input
      add(typeof by === 'string' ? { advance: by } : { advance_to: String(to) }, undefined, now)
    } else {
      add(
        { id: idOf(name), control: name, input: refer(input, known) as Record<string, unknown> },
        answer,
        now,
      )
    }
    return answer
  }

  return {
    async listenTo(client) {
      const { now } = await client.serviceTime()
      if (before.isNew) await begin(client, now)
      return {
        ...client,
        call: typed((name, input, options = {}) =>
          isPriceBefore(name, input) ? client.call(name, input, options) : call(client, name, input, options),
        ),
        control: (name, input) => control(client, name, input),
      }
    },
    async write() {
      const { text, inserted, rest } = layOut()
      try {
        if (text !== '' && before.isNew) {
          const first = `${FIRST_LINE}\n${toYaml({ name: given, ...head })}steps:\n`
          await appendFile(file, first + text, { mode: 0o600 })
        } else if (inserted === undefined && text !== '')
          await appendFile(file, (before.endsWell ? '' : '\n') + text, { mode: 0o600 })
        else if (inserted !== undefined) await writeFile(file, inserted + text, { mode: 0o600 })
      } catch (error) {
        throw cannot(given, `be written: ${(error as Error).message}`, error)
      }
      if (entries.length > 0) await writeMemory(memoryFile, rest)
      if (text === '') await say(`Nothing was recorded in ${given}: ${whyEmpty(entries)}`)
    },
  }

  /** Takes up what earlier commands only read, unless the world is another one by now. */
  async function begin(client: Client, now: number): Promise<void> {
    const seed = await seedOf(client)
    const { head: begun } = memory
    if (begun?.at !== undefined && Date.parse(begun.at) <= now && begun.seed === seed.seed) {
      head = begun
      return
    }
    for (const place of [known, used]) place.clear()
    reads = []
    usual = account
    memory = { now, places: {} }
    head = { at: toTimestamp(now), ...seed, ...(usual !== undefined && { as: usual }) }
  }

  /** The steps as text, those that go between earlier ones in their places, and what the next command has to know. */
  function layOut(): { text: string; inserted: string | undefined; rest: Memory } {
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

/** The text of a recording with reads where they were made: a list may be another one later. */
function insertReads(text: string, reads: readonly Read[]): string {
  let result = text.endsWith('\n') ? text : `${text}\n`
  // From the last to the first, so that several behind one step keep their order.
  for (const { step, after } of reads.toReversed()) {
    const list = parseDocument(result).get('steps')
    const items = isSeq(list) ? list.items : []
    const found = items.findIndex((item) => isMap(item) && item.get('id') === after)
    const next = after === undefined ? items[0] : found < 0 ? undefined : items[found + 1]
    const start = isMap(next) && next.range ? result.lastIndexOf('\n', next.range[0]) + 1 : result.length
    result = result.slice(0, start) + toSteps([step]) + result.slice(start)
  }
  return result
}

function toSteps(steps: readonly Step[]): string {
  return indent(toYaml(steps))
}

type Before = {
  isNew: boolean
  endsWell: boolean
  text: string
  /** The names of its steps. */
  ids: ReadonlySet<string>
  lastId?: string | undefined
  as?: string | undefined
}

function readBefore(file: string, given: string): Before {
  let text: string
  try {
    text = new TextDecoder().decode(readFile(file, 'scenario'))
  } catch (error) {
    if (!isMissing(error)) throw error
    return { isNew: true, endsWell: true, text: '', ids: new Set() }
  }
  if (text === '') return { isNew: true, endsWell: true, text: '', ids: new Set() }
  if (!text.startsWith(FIRST_LINE))
    throw cannot(given, 'be recorded to: it was not begun by --record, and nothing is written over')
  const read = parseScenario(text, given)
  if ('problems' in read) throw new AppError('file_error', problemLines(read)[0] ?? '')
  const { steps, as } = read.scenario
  const ids = steps.flatMap(({ id }) => id ?? [])
  return { isNew: false, endsWell: text.endsWith('\n'), text, ids: new Set(ids), lastId: ids.at(-1), as }
}

/** Without it values stand in the steps as they are: the recording goes on. */
function readMemory(file: string): Memory {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Memory
  } catch {
    return { places: {} }
  }
}

/** Throws AppError('file_error' | 'storage_full'). */
async function writeMemory(file: string, memory: Memory): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(memory), { mode: 0o600 })
  } catch (error) {
    throw writeError(
      error,
      (why) => `${file}, which --record needs for the next command, cannot be written (${why}).`,
    )
  }
}

async function seedOf(client: Client): Promise<{ seed?: number }> {
  try {
    const { seed } = (await client.control('get_status', {})) as { seed: string }
    return Number.isSafeInteger(Number(seed)) ? { seed: Number(seed) } : {}
  } catch {
    // A service elsewhere tells nobody.
    return {}
  }
}

const DEEPEST = 12
const LONGEST_LIST = 100

/** What only one thing can be called: an id or a tracking number. Times and names are equal by chance. */
const ID = /^(?:[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}|[A-Z]{2}\d{9}[A-Z]{2})$/

/** The quote that an amount belongs to, and the tier within it. */
type Priced = { quote?: string | undefined; tier?: string | undefined }

/** Each such value of an answer with its path, as `.data[0].order_id`; prices of quotes by `priceKey`, as `.total`. */
function findValues(
  value: unknown,
  path = '',
  priced: Priced = {},
  depth = 0,
): [path: string, value: string][] {
  if (depth > DEEPEST) return []
  if (Array.isArray(value))
    return value
      .slice(0, LONGEST_LIST)
      .flatMap((one, index) => findValues(one, `${path}[${index}]`, priced, depth + 1))
  if (!isRecord(value)) return []
  const { quote_id, tier } = value
  const within = {
    quote: typeof quote_id === 'string' ? quote_id : priced.quote,
    tier: typeof tier === 'string' ? tier : undefined,
  }
  return Object.entries(value).flatMap(([name, one]) => {
    const place = `${path}.${name}`
    if (typeof one === 'string') return ID.test(one) ? [[place, one] as [string, string]] : []
    const isPrice = name === (within.tier === undefined ? 'total' : 'fare')
    const isOwn = quote_id !== undefined || within.tier !== undefined
    if (isPrice && isOwn && isRecord(one) && 'amount' in one)
      return [[place, priceKey(one, within)] as [string, string]]
    return findValues(one, place, within, depth + 1)
  })
}

/** The price of one quote, and of one tier of it: no id looks like it. */
function priceKey(price: Readonly<Record<string, unknown>>, { quote, tier = '' }: Priced): string {
  return `price ${quote} ${tier} ${String(price['amount'])} ${String(price['currency'])}`
}

/** The input as a scenario writes it: ids of earlier answers as references, and no payment token but the tests'. */
function refer(
  value: unknown,
  known: ReadonlyMap<string, string>,
  member = '',
  priced: Priced = {},
): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, known, member))
  if (isRecord(value)) {
    const price = member === 'expected_total' ? known.get(priceKey(value, priced)) : undefined
    if (price !== undefined) return `\${${price}}`
    const { quote_id: quote, tier } = value as { quote_id?: string; tier?: string }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, refer(one, known, name, { quote, tier })]),
    )
  }
  if (typeof value !== 'string') return value
  if (/token/.test(member) && !/^tok_[a-z]{1,20}$/.test(value)) return 'tok_ok'
  const place = known.get(value)
  return place === undefined ? value.replaceAll('${', () => '$${') : `\${${place}}`
}

function toYaml(value: unknown): string {
  return new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false }).toString({ lineWidth: 0 })
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function cannot(file: string, what: string, cause?: unknown): AppError {
  return new AppError('file_error', `${file} cannot ${what}.`, cause === undefined ? {} : { cause })
}
