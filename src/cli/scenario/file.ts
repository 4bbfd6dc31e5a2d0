/** Reads a scenario file, YAML or JSON, and says what is wrong in it with line and column before anything is sent. */
import { readFile } from 'node:fs/promises'
import { Errors } from 'typebox/value'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { findControl } from '../../control/index.ts'
import { nearest } from '../../domain/nearest.ts'
import { issueWords, type SchemaIssue } from '../../domain/schema-issues.ts'
import { parseDuration, parseTimestamp } from '../../domain/time.ts'
import { AppError } from '../../errors.ts'
import { NAMES } from '../../generated/registry.ts'
import type { Cli } from '../cli.ts'
import { problemOfField } from './compare.ts'
import { findReferences, isRecord, readReference } from './references.ts'
import { SCENARIO_SCHEMA } from './schema.ts'

export type Expectation = {
  status?: number
  code?: string
  replayed?: boolean
  fields?: Record<string, unknown>
  events?: unknown[]
}

export type Step = {
  id?: string
  name?: string
  call?: string
  control?: string
  advance?: string
  advance_to?: string
  as?: string
  scenario?: string
  idempotency_key?: string
  input?: Record<string, unknown>
  expect?: Expectation
}

export type Scenario = {
  /** As it was named on the command line. */
  file: string
  name: string
  seed: string | undefined
  at: string | undefined
  as: string | undefined
  variables: Record<string, unknown>
  steps: (Step & { line: number })[]
}

const LARGEST = 1_048_576
/** Deep enough for every input, and for no stack to run out. */
const DEEPEST = 40

/** Throws AppError('file_error') that names file, line and column. */
export async function readScenario({ io }: Pick<Cli, 'io'>, file: string): Promise<Scenario> {
  const name = file === '-' ? 'standard input' : file
  let bytes: Uint8Array
  try {
    bytes = file === '-' ? await io.stdin.readAll(LARGEST + 1) : await readFile(file)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `${name} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
  if (bytes.length > LARGEST) throw new AppError('file_error', `${name} is larger than ${LARGEST} bytes.`)
  return parseScenario(new TextDecoder().decode(bytes), name)
}

type Path = (string | number)[]

/** Throws AppError('file_error'). */
export function parseScenario(text: string, file: string): Scenario {
  const lines = new LineCounter()
  const wrong = (offset: number, problem: string): AppError => {
    const { line, col } = lines.linePos(offset)
    return new AppError('file_error', `${file}:${line}:${col}: ${problem}.`, {
      extra: { file, line, column: col },
    })
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    stringKeys: true,
    prettyErrors: false,
    version: '1.2',
  })
  const [error] = document.errors
  if (error !== undefined)
    throw wrong(error.pos[0], error.message.split('\n', 1)[0]?.replace(/\.$/, '') ?? '')
  const at = (path: Path, problem: string): AppError => wrong(offsetOf(document, path), problem)

  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (failure) {
    throw at([], `it refers to itself, or to too much: ${(failure as Error).message.replace(/\.$/, '')}`)
  }
  const odd = findOdd(value)
  if (odd !== undefined) throw at(odd.path, odd.problem)
  assertForm(value, at)
  return check(
    value as unknown as RawScenario,
    file,
    at,
    (path) => lines.linePos(offsetOf(document, path)).line,
  )
}

type RawScenario = Partial<Omit<Scenario, 'steps' | 'seed'>> & { seed?: number; steps: Step[] }

type At = (path: Path, problem: string) => AppError

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** What YAML can say and JSON cannot, cycles among it, and what only means harm. */
function findOdd(value: unknown, path: Path = []): { path: Path; problem: string } | undefined {
  if (path.length > DEEPEST) return { path, problem: 'it is nested too deeply, or in a circle' }
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path, problem: 'this is no number of JSON' }
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value) && !isPlain(value)) return { path, problem: 'this is no value of JSON' }
  for (const [name, one] of Object.entries(value)) {
    const place = [...path, Array.isArray(value) ? Number(name) : name]
    if (name === '__proto__') return { path: place, problem: 'no member can be named __proto__' }
    const odd = findOdd(one, place)
    if (odd !== undefined) return odd
  }
  return undefined
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function assertForm(value: unknown, at: At): void {
  if (!isRecord(value)) throw at([], 'a scenario is an object with the member steps')
  const issues = Errors(SCENARIO_SCHEMA, value) as SchemaIssue[]
  // Of several about one place, the first that says what is wrong there.
  const issue =
    issues.find(({ keyword }) => keyword !== 'additionalProperties' && keyword !== 'anyOf') ?? issues[0]
  if (issue === undefined) return
  const path = issue.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
  const name = path.findLast((part) => typeof part === 'string') ?? 'the scenario'
  const missing = issue.params['requiredProperties']
  if (Array.isArray(missing)) throw at(path, `${missing.join(', ')} is missing`)
  if (issue.keyword === 'boolean') throw at(path, `${String(name).slice(0, 60)} is not known here`)
  throw at(path, `${name} ${issueWords(SCENARIO_SCHEMA, issue)}`)
}

/** What no schema can say. */
function check(raw: RawScenario, file: string, at: At, lineOf: (path: Path) => number): Scenario {
  const { variables = {}, at: instant, steps } = raw
  if (instant !== undefined && parseTimestamp(instant) === undefined)
    throw at(['at'], 'at must be an instant with its offset, such as 2026-11-20T12:00:00Z')
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      throw at(['variables', name], `${name.slice(0, 60)} is no name of a variable`)
    if (typeof value === 'object' && value !== null)
      throw at(['variables', name], `${name} must be a text, a number, true, false or null`)
  }
  const known = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const path: Path = ['steps', index]
    checkStep(step, path, at)
    checkReferences(step, path, { known, variables, at })
    if (step.id === undefined) continue
    if (known.has(step.id) || step.id === 'var' || step.id === 'now')
      throw at([...path, 'id'], `another step is called ${step.id} already, or it means something else`)
    known.add(step.id)
  }
  return {
    file,
    name: raw.name ?? file,
    seed: raw.seed === undefined ? undefined : String(raw.seed),
    at: instant,
    as: raw.as,
    variables,
    steps: steps.map((step, index) => ({ ...step, line: lineOf(['steps', index]) })),
  }
}

const VERBS = ['call', 'control', 'advance', 'advance_to'] as const

function checkStep(step: Step, path: Path, at: At): void {
  const verbs = VERBS.filter((verb) => step[verb] !== undefined)
  if (verbs.length !== 1) throw at(path, `a step has exactly one of ${VERBS.join(', ')}`)
  const { call, control, advance, advance_to: to, expect } = step
  const stray = (['scenario', 'idempotency_key', 'as'] as const).find((name) => step[name] !== undefined)
  if (call === undefined && stray !== undefined)
    throw at([...path, stray], `${stray} belongs to a step with call`)
  if (call === undefined && control === undefined && step.input !== undefined)
    throw at([...path, 'input'], 'input belongs to a step with call or control')
  if (call !== undefined) checkOperation(call, path, at)
  checkTimes(advance, to, path, at)
  for (const [field, wanted] of Object.entries(expect?.fields ?? {})) {
    const problem = problemOfField(field, wanted)
    if (problem !== undefined) throw at([...path, 'expect', 'fields', field], problem)
  }
}

/** What holds a reference is known when its step runs. */
function checkTimes(advance: string | undefined, to: string | undefined, path: Path, at: At): void {
  if (advance?.includes('${') === false && parseDuration(advance) === undefined)
    throw at([...path, 'advance'], 'advance must be a span of time such as 90s, 30m, 2h or 3d')
  if (to?.includes('${') === false && parseTimestamp(to) === undefined)
    throw at([...path, 'advance_to'], 'advance_to must be an instant with its offset')
}

function checkOperation(name: string, path: Path, at: At): void {
  if (NAMES.includes(name)) return
  const meant = nearest(name, NAMES)
  const hint = meant === undefined ? '`dray api --list` lists them' : `did you mean ${meant}?`
  throw at([...path, 'call'], `there is no operation ${name.slice(0, 60)}; ${hint}`)
}

/** Loads what it looks at, so it is not part of the check of every step. Throws AppError('file_error'). */
export async function assertControls({ file, steps }: Scenario): Promise<void> {
  for (const { control, line } of steps) {
    if (control === undefined || (await findControl(control)) !== undefined) continue
    throw new AppError('file_error', `${file}:${line}: there is no control call ${control.slice(0, 60)}.`, {
      extra: { file, line },
    })
  }
}

function checkReferences(
  step: Step,
  path: Path,
  { known, variables, at }: { known: ReadonlySet<string>; variables: Record<string, unknown>; at: At },
): void {
  for (const [member, value] of Object.entries(step)) {
    for (const text of findReferences(value)) {
      const reference = readReference(text)
      const shown = `\${${text.slice(0, 80)}}`
      const place = [...path, member]
      if (reference === undefined)
        throw at(place, `${shown} is no reference such as \${step.field} or \${var.name}`)
      const { root, path: rest } = reference
      if (root === 'now' && rest.length === 0) continue
      if (root === 'var') {
        const [name = ''] = rest
        if (rest.length !== 1 || !Object.hasOwn(variables, name))
          throw at(place, `${shown}: no such variable is declared`)
      } else if (!known.has(root)) throw at(place, `${shown}: no earlier step has the id ${root}`)
    }
  }
}
