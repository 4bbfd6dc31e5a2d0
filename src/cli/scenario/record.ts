/** `--record FILE`: what a command does becomes steps of a scenario, after those that earlier commands left there. */
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve as resolvePath } from 'node:path'
import { Document } from 'yaml'
import type { CallOptions, CallResult, Client } from '../../client/client.ts'
import { writeError } from '../../client/write-error.ts'
import { sha256Hex } from '../../domain/hash.ts'
import { toTimestamp } from '../../domain/time.ts'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { isMissing, readFile } from '../files/read.ts'
import type { Expectation, Step } from './file.ts'
import { parseScenario, problemLines } from './file.ts'
import { isRecord } from './references.ts'

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
type Memory = { now?: number | undefined; places: Record<string, string> }

/** Throws AppError('file_error') for a file that is something else, before anything is done. */
export async function startRecording(
  given: string,
  { runtime, globals, settings, spec }: Cli,
): Promise<Recorder> {
  const file = resolvePath(runtime.cwd, given)
  const before = readBefore(file, given)
  const memoryFile = join(runtime.paths.state, 'recordings', `${sha256Hex(file).slice(0, 32)}.json`)
  const memory = before.isNew ? { places: {} } : readMemory(memoryFile)
  /** Where a value stands in an earlier answer, by the value; steps that somebody took out of the file gave nothing. */
  const known = new Map(
    Object.entries(memory.places).filter(([, place]) => before.ids.has(/^\w+/.exec(place)?.[0] ?? '')),
  )
  const used = new Set(before.ids)
  let clock = memory.now
  const { target } = settings
  const account = globals.as ?? (target.kind === 'embedded' ? target.account : undefined)
  const usual = before.isNew ? account : before.as
  const steps: Step[] = []
  let header: Record<string, unknown> = {}

  function add(step: Step, answer: unknown, now: number | undefined): void {
    const last = steps.at(-1)
    const { id: _id, ...rest } = step
    if (last !== undefined) {
      const { id: _last, ...same } = last
      // Watching asks the same again and again.
      if (step.call !== undefined && JSON.stringify(same) === JSON.stringify(rest)) return
    }
    if (step.call !== undefined && now !== undefined && clock !== undefined && now > clock)
      steps.push({ advance_to: toTimestamp(now) })
    clock = now ?? clock
    steps.push(step)
    if (step.id === undefined) return
    used.add(step.id)
    for (const [path, value] of findValues(answer)) {
      // The same amount twice is that of the later quote.
      if (!known.has(value) || value.startsWith(PRICE)) known.set(value, `${step.id}${path}`)
    }
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
      if (now !== undefined && now !== clock) add({ advance_to: toTimestamp(now) }, undefined, now)
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
      if (before.isNew) {
        header = {
          at: toTimestamp(now),
          ...(await seedOf(client)),
          ...(usual !== undefined && { as: usual }),
        }
        clock = now
      }
      return {
        ...client,
        call: (name, input, options = {}) =>
          isPriceBefore(name, input) ? client.call(name, input, options) : call(client, name, input, options),
        control: (name, input) => control(client, name, input),
      }
    },
    async write() {
      if (steps.length === 0) return
      const head = before.isNew
        ? `${FIRST_LINE}\n${toYaml({ name: given, ...header })}steps:\n`
        : before.endsWell
          ? ''
          : '\n'
      try {
        await appendFile(file, head + indent(toYaml(steps)), { mode: 0o600 })
      } catch (error) {
        throw cannot(given, `be written: ${(error as Error).message}`, error)
      }
      await writeMemory(memoryFile, { now: clock, places: Object.fromEntries(known) })
    },
  }
}

type Before = {
  isNew: boolean
  endsWell: boolean
  /** The names of its steps. */
  ids: ReadonlySet<string>
  as?: string | undefined
}

function readBefore(file: string, given: string): Before {
  let text: string
  try {
    text = new TextDecoder().decode(readFile(file, 'scenario'))
  } catch (error) {
    if (!isMissing(error)) throw error
    return { isNew: true, endsWell: true, ids: new Set() }
  }
  if (text === '') return { isNew: true, endsWell: true, ids: new Set() }
  if (!text.startsWith(FIRST_LINE))
    throw cannot(given, 'be recorded to: it was not begun by --record, and nothing is written over')
  const read = parseScenario(text, given)
  if ('problems' in read) throw new AppError('file_error', problemLines(read)[0] ?? '')
  const { steps, as } = read.scenario
  const ids = new Set(steps.flatMap(({ id }) => id ?? []))
  return { isNew: false, endsWell: text.endsWith('\n'), ids, as }
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

/** Members whose values an input may name again: ids, and the starts of free slots. */
const NAMED_AGAIN = /_id$|^tracking_number$|^starts_at$/

/** Each such value of an answer with its path, as `.data[0].order_id`; amounts as JSON, as `.total`. */
function findValues(value: unknown, path = '', depth = 0): [path: string, value: string][] {
  if (depth > DEEPEST) return []
  if (Array.isArray(value))
    return value
      .slice(0, LONGEST_LIST)
      .flatMap((one, index) => findValues(one, `${path}[${index}]`, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const place = `${path}.${name}`
    if (typeof one === 'string')
      return NAMED_AGAIN.test(name) && one.length > 7 ? [[place, one] as [string, string]] : []
    if (isPrice(name, one)) return [[place, priceKey(one)] as [string, string]]
    return findValues(one, place, depth + 1)
  })
}

/** Begins the key of an amount: no id looks like it. */
const PRICE = 'price'

/** A quoted price, which a confirm repeats as `expected_total`. */
function isPrice(name: string, value: unknown): value is Record<string, unknown> {
  return (name === 'total' || name === 'fare') && isRecord(value) && 'amount' in value
}

function priceKey(price: Readonly<Record<string, unknown>>): string {
  return `${PRICE} ${String(price['amount'])} ${String(price['currency'])}`
}

/** The input as a scenario writes it: ids of earlier answers as references, and no payment token but the tests'. */
function refer(value: unknown, known: ReadonlyMap<string, string>, member = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, known, member))
  if (member === 'expected_total' && isRecord(value) && known.has(priceKey(value)))
    return `\${${known.get(priceKey(value))}}`
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, refer(one, known, name)]))
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
