/** `--record FILE`: what a command does becomes steps of a scenario, after those that earlier commands left there. */
import { appendFile, readFile } from 'node:fs/promises'
import { resolve as resolvePath } from 'node:path'
import { Document } from 'yaml'
import type { CallOptions, CallResult, Client } from '../../client/client.ts'
import { toTimestamp } from '../../domain/time.ts'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { Expectation, Step } from './file.ts'
import { parseScenario } from './file.ts'
import { isRecord } from './references.ts'

export type Recorder = {
  /** The same client, whose calls are noted. */
  listenTo(client: Client): Promise<Client>
  /** Adds the steps to the file. Throws AppError('file_error'). */
  write(): Promise<void>
}

const FIRST_LINE = '# Recorded by `dray --record`; `dray scenario run --ephemeral` plays it back.'
/** What later commands need of a step: its answer's ids, and the clock. The steps say nothing of it. */
const MEMORY = '  # gave '

type Memory = { now?: number; ids?: Record<string, string> }

type Note = { step: Step; memory: Memory }

/** Throws AppError('file_error') for a file that is something else, before anything is done. */
export async function startRecording(given: string, { runtime, globals, settings }: Cli): Promise<Recorder> {
  const file = resolvePath(runtime.cwd, given)
  const before = await readBefore(file, given)
  /** Where a value stands in an earlier answer, by the value. */
  const known = new Map<string, string>()
  let clock: number | undefined
  for (const { now, ids = {} } of before.memories) {
    clock = now ?? clock
    for (const [place, value] of Object.entries(ids)) if (!known.has(value)) known.set(value, place)
  }
  const { target } = settings
  const account = globals.as ?? (target.kind === 'embedded' ? target.account : undefined)
  const usual = before.isNew ? account : before.as
  const notes: Note[] = []
  let header: Record<string, unknown> = {}

  function add(step: Step, answer: unknown, now: number | undefined): void {
    const last = notes.at(-1)?.step
    const { id: _id, ...rest } = step
    if (last !== undefined) {
      const { id: _last, ...same } = last
      // Watching asks the same again and again.
      if (step.call !== undefined && JSON.stringify(same) === JSON.stringify(rest)) return
    }
    if (step.call !== undefined && now !== undefined && clock !== undefined && now > clock)
      notes.push({ step: { advance_to: toTimestamp(now) }, memory: {} })
    clock = now ?? clock
    const ids = step.id === undefined ? {} : newIds(answer, step.id)
    notes.push({ step, memory: { ...(clock !== undefined && { now: clock }), ids } })
  }

  function newIds(answer: unknown, id: string): Record<string, string> {
    const ids: Record<string, string> = {}
    for (const [path, value] of findIds(answer)) {
      if (known.has(value)) continue
      known.set(value, `${id}${path}`)
      ids[`${id}${path}`] = value
    }
    return ids
  }

  const idOf = (name: string): string => `${name}_${before.steps + notes.length + 1}`

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
      const { value, status, replayed, serviceTime } = result
      const state =
        isRecord(value) && typeof value['status'] === 'string' ? { status: value['status'] } : undefined
      const expect: Expectation = { status, ...(replayed && { replayed }), ...(state && { fields: state }) }
      add({ ...base, expect }, value, serviceTime.now)
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
        call: (name, input, options = {}) => call(client, name, input, options),
        control: (name, input) => control(client, name, input),
      }
    },
    async write() {
      if (notes.length === 0) return
      const head = before.isNew
        ? `${FIRST_LINE}\n${toYaml({ name: given, ...header })}steps:\n`
        : before.endsWell
          ? ''
          : '\n'
      const text = notes.map(
        ({ step, memory }) => `${indent(toYaml([step]))}${MEMORY}${JSON.stringify(memory)}\n`,
      )
      try {
        await appendFile(file, head + text.join(''), { mode: 0o600 })
      } catch (error) {
        throw cannot(given, `be written: ${(error as Error).message}`, error)
      }
    },
  }
}

type Before = {
  isNew: boolean
  endsWell: boolean
  steps: number
  as?: string | undefined
  memories: Memory[]
}

async function readBefore(file: string, given: string): Promise<Before> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw cannot(given, `be read: ${(error as Error).message}`, error)
    return { isNew: true, endsWell: true, steps: 0, memories: [] }
  }
  if (text === '') return { isNew: true, endsWell: true, steps: 0, memories: [] }
  if (!text.startsWith(FIRST_LINE))
    throw cannot(given, 'be recorded to: it was not begun by --record, and nothing is written over')
  const { steps, as } = parseScenario(text, given)
  const memories = text.split('\n').flatMap((line) => (line.startsWith(MEMORY) ? readMemory(line) : []))
  return { isNew: false, endsWell: text.endsWith('\n'), steps: steps.length, as, memories }
}

function readMemory(line: string): Memory[] {
  try {
    return [JSON.parse(line.slice(MEMORY.length)) as Memory]
  } catch {
    // Somebody has edited it: the ids of that step stand as they are then.
    return []
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

/** Every id in an answer with its path, as `.data[0].order_id`. */
function findIds(value: unknown, path = '', depth = 0): [path: string, id: string][] {
  if (depth > DEEPEST) return []
  if (Array.isArray(value))
    return value.slice(0, LONGEST_LIST).flatMap((one, index) => findIds(one, `${path}[${index}]`, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    if (typeof one !== 'string') return findIds(one, `${path}.${name}`, depth + 1)
    return /_id$|^tracking_number$/.test(name) && one.length > 7
      ? [[`${path}.${name}`, one] as [string, string]]
      : []
  })
}

/** The input as a scenario writes it: ids of earlier answers as references, and no payment token but the tests'. */
function refer(value: unknown, known: ReadonlyMap<string, string>, member = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, known, member))
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
