/** Reads a scenario file, YAML or JSON, and reports faults with line and column before anything is sent. */
import { Errors } from 'typebox/value'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { Cli } from '../../cli/cli.ts'
import { isMissing, readInput } from '../../cli/files/read.ts'
import { AppError } from '../../core/errors.ts'
import { FAULT_WORDS, parseEffect } from '../../core/fault.ts'
import { nearest } from '../../core/nearest.ts'
import { nameOfPart } from '../../core/pointer.ts'
import { issueWords, type SchemaIssue } from '../../core/schema-issues.ts'
import { parseDuration, parseTimestamp } from '../../core/time.ts'
import { CONTROL_ROUTES } from '../../generated/control-routes.ts'
import { NAMES } from '../../generated/registry.ts'
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
  fault?: string
  idempotency_key?: string
  input?: Record<string, unknown>
  expect?: Expectation
}

export type Scenario = {
  /** The name on the command line. */
  file: string
  name: string
  seed: string | undefined
  at: string | undefined
  as: string | undefined
  variables: Record<string, unknown>
  steps: (Step & { line: number })[]
}

/** The deepest nesting: enough for every input, and no stack overflows. */
const DEEPEST = 40

/** A fault of a file and its place; without a place when the file could not be read. */
export type Problem = { place?: { line: number; column: number }; text: string }

/** A scenario, or all faults of its file. */
export type ReadScenario = { scenario: Scenario } | { file: string; problems: Problem[]; missing?: boolean }

/** Reads a file, or standard input for `-`, and also checks the names of its control calls. */
export async function readScenario({ io }: Pick<Cli, 'io'>, file: string): Promise<ReadScenario> {
  const name = file === '-' ? 'standard input' : file
  let bytes: Uint8Array
  try {
    bytes = await readInput(file, 'scenario', io)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const text = error.message.replace(/^.*? (?=cannot be read|is larger)/, 'it ').replace(/[.?]$/, '')
    return { file: name, problems: [{ text }], missing: isMissing(error) }
  }
  const { problems, scenario, controls } = parse(new TextDecoder().decode(bytes), name)
  for (const control of controls) {
    const { place } = control
    if (!Object.hasOwn(CONTROL_ROUTES, control.name))
      problems.push({ place, text: `unknown control call ${control.name.slice(0, 60)}` })
  }
  return toRead({ file: name, problems, scenario })
}

type Path = (string | number)[]

/** Checks the text of a scenario, except the names of its control calls; returns all faults at once. */
export function parseScenario(text: string, file: string): ReadScenario {
  return toRead({ file, ...parse(text, file) })
}

type Parsed = {
  problems: Problem[]
  scenario: Scenario | undefined
  /** The control calls in the file. */
  controls: { name: string; place: { line: number; column: number } }[]
}

function toRead({ file, problems, scenario }: Omit<Parsed, 'controls'> & { file: string }): ReadScenario {
  if (scenario !== undefined && problems.length === 0) return { scenario }
  const lineOf = ({ place }: Problem) => place?.line ?? 0
  return { file, problems: problems.toSorted((one, other) => lineOf(one) - lineOf(other)) }
}

function parse(text: string, file: string): Parsed {
  const lines = new LineCounter()
  const problems: Problem[] = []
  const note = (offset: number, what: string): void => {
    const { line, col: column } = lines.linePos(offset)
    problems.push({ place: { line, column }, text: what })
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    stringKeys: true,
    prettyErrors: false,
    version: '1.2',
  })
  for (const { pos, code, message } of document.errors)
    note(
      pos[0],
      code === 'MULTIPLE_DOCS'
        ? 'a file has one scenario only, but --- begins a second one'
        : firstLine(message),
    )
  const at: At = (path, problem) => note(offsetOf(document, path), problem)
  const isWhole = document.errors.every(({ code }) => HARMLESS.has(code))
  const value = isWhole ? toValue(document, at) : undefined
  if (!isRecord(value)) {
    if (problems.length === 0) at([], 'a scenario is an object with the member steps')
    return { problems, scenario: undefined, controls: [] }
  }
  const placeOf = (path: Path) => {
    const { line, col: column } = lines.linePos(offsetOf(document, path))
    return { line, column }
  }
  const raw = soundPart(value, checkForm(value, at))
  const scenario = check(raw, value, { file, at, lineOf: (path) => placeOf(path).line })
  const controls = raw.steps.flatMap((step, index) =>
    step?.control === undefined ? [] : [{ name: step.control, place: placeOf(['steps', index, 'control']) }],
  )
  return { problems, scenario, controls }
}

/** Errors that leave the document complete: the rest of it is checked as well. */
const HARMLESS: ReadonlySet<string> = new Set(['DUPLICATE_KEY', 'MULTIPLE_DOCS'])

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/\.$/, '') ?? ''
}

/** Returns the document as plain data; reports it and returns undefined when it is not data. */
function toValue(document: Document, at: At): unknown {
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 })
  } catch (failure) {
    at([], `it refers to itself, or to too many values: ${(failure as Error).message.replace(/\.$/, '')}`)
    return undefined
  }
  const odd = findOdd(value)
  if (odd === undefined) return value
  at(odd.path, odd.problem)
  return undefined
}

/** The valid parts of a scenario; an invalid step is undefined. */
type RawScenario = Partial<Omit<Scenario, 'steps' | 'seed'>> & { seed?: number; steps: (Step | undefined)[] }

type At = (path: Path, problem: string) => void

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** Finds values that YAML has and JSON does not, such as cycles, and dangerous names. */
function findOdd(value: unknown, path: Path = []): { path: Path; problem: string } | undefined {
  if (path.length > DEEPEST) return { path, problem: 'it is nested too deeply, or refers to itself' }
  if (typeof value === 'number' && !Number.isFinite(value))
    return { path, problem: 'this is not a JSON number' }
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value) && !isPlain(value)) return { path, problem: 'this is not a JSON value' }
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

/** Reports one fault for each place that does not fit the schema; returns these places. */
function checkForm(value: Record<string, unknown>, at: At): Path[] {
  const issues = Errors(SCENARIO_SCHEMA, value) as SchemaIssue[]
  const byPlace = Map.groupBy(issues, ({ instancePath }) => instancePath)
  for (const [place, found] of byPlace) {
    // The innermost fault of a place is the most useful one.
    const isOuter = [...byPlace.keys()].some((other) => other.startsWith(`${place}/`))
    const telling = found.find(({ keyword }) => keyword !== 'additionalProperties' && keyword !== 'anyOf')
    if (isOuter && telling === undefined) continue
    tellIssue(telling ?? found[0], at)
  }
  return issues.filter(isAboutPlace).map(({ instancePath }) => pathOf(instancePath))
}

/** Returns whether a fault invalidates its place; after a missing or extra member the others can still be checked. */
function isAboutPlace({ keyword }: SchemaIssue): boolean {
  return keyword !== 'additionalProperties' && keyword !== 'required'
}

/** Returns the scenario without its invalid parts, so that the rest can be checked as well. */
function soundPart(value: Record<string, unknown>, broken: readonly Path[]): RawScenario {
  const copy = structuredClone(value)
  for (const path of broken) {
    const [member = '', ...outer] = path.toReversed()
    let holder: unknown = copy
    for (const part of outer.toReversed())
      holder = (holder as Record<string | number, unknown> | undefined)?.[part]
    if (Array.isArray(holder)) holder[Number(member)] = undefined
    else if (isRecord(holder)) delete holder[member]
  }
  return { steps: [], ...copy }
}

function pathOf(instancePath: string): Path {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : nameOfPart(part)))
}

function tellIssue(issue: SchemaIssue | undefined, at: At): void {
  if (issue === undefined) return
  const path = pathOf(issue.instancePath)
  const name = path.findLast((part) => typeof part === 'string') ?? 'the scenario'
  const missing = issue.params['requiredProperties']
  if (Array.isArray(missing)) at(path, `${missing.join(', ')} is missing`)
  else if (issue.keyword === 'boolean') at(path, `${String(name).slice(0, 60)} is unknown`)
  else at(path, `${name} ${issueWords(SCENARIO_SCHEMA, issue)}`)
}

/** Checks the rules beyond the schema for the valid part of a scenario; `whole` is the whole file. */
function check(
  raw: RawScenario,
  whole: Record<string, unknown>,
  { file, at, lineOf }: { file: string; at: At; lineOf: (path: Path) => number },
): Scenario {
  const { variables = {}, steps } = raw
  checkHead(raw, at)
  // Invalid variables could have declared any name.
  const declared = raw.variables === undefined && whole['variables'] !== undefined ? undefined : variables
  const known = new Set<string>()
  const written = Array.isArray(whole['steps']) ? (whole['steps'] as unknown[]) : []
  for (const [index, step = {}] of steps.entries()) {
    const path: Path = ['steps', index]
    const { [index]: all } = written
    if (!isRecord(all)) continue
    checkStep(step, all, path, at)
    checkReferences(step, path, { known, variables: declared, at })
    const { id } = all
    if (typeof id !== 'string') continue
    if (known.has(id) || id === 'var' || id === 'now')
      at([...path, 'id'], `another step is called ${id} already, or the name is reserved`)
    known.add(id)
  }
  return {
    file,
    name: raw.name ?? file,
    seed: raw.seed === undefined ? undefined : String(raw.seed),
    at: raw.at,
    as: raw.as,
    variables,
    steps: steps.map((step, index) => ({ ...step, line: lineOf(['steps', index]) })),
  }
}

function checkHead({ variables = {}, at: instant }: RawScenario, at: At): void {
  if (instant !== undefined && parseTimestamp(instant) === undefined)
    at(['at'], 'at must be a time with its UTC offset, such as 2026-11-20T12:00:00Z')
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      at(['variables', name], `${name.slice(0, 60)} is not a variable name`)
    if (typeof value === 'object' && value !== null)
      at(['variables', name], `${name} must be a text, a number, true, false or null`)
  }
}

const VERBS = ['call', 'control', 'advance', 'advance_to'] as const

/** Checks a step; `whole` also has the members that do not fit the schema. */
function checkStep(step: Step, whole: Record<string, unknown>, path: Path, at: At): void {
  const verbs = VERBS.filter((verb) => whole[verb] !== undefined)
  if (verbs.length !== 1) at(path, `a step has exactly one of ${VERBS.join(', ')}`)
  const { call, fault, advance, advance_to: to, expect } = step
  const stray = (['scenario', 'fault', 'idempotency_key', 'as'] as const).find(
    (name) => step[name] !== undefined,
  )
  if (!verbs.includes('call') && stray !== undefined)
    at([...path, stray], `${stray} belongs to a step with call`)
  if (!verbs.includes('call') && !verbs.includes('control') && step.input !== undefined)
    at([...path, 'input'], 'input belongs to a step with call or control')
  if (call !== undefined) checkOperation(call, path, at)
  if (fault?.includes('${') === false && parseEffect(fault) === undefined)
    at([...path, 'fault'], `fault must be one of ${FAULT_WORDS}`)
  checkTimes(advance, to, path, at)
  for (const [field, wanted] of Object.entries(expect?.fields ?? {})) {
    const problem = problemOfField(field, wanted)
    if (problem !== undefined) at([...path, 'expect', 'fields', field], problem)
  }
}

/** Checks spans and instants, except those with references: their values are known when the step runs. */
function checkTimes(advance: string | undefined, to: string | undefined, path: Path, at: At): void {
  if (advance?.includes('${') === false && parseDuration(advance) === undefined)
    at([...path, 'advance'], 'advance must be a duration such as 90s, 30m, 2h or 3d')
  if (to?.includes('${') === false && parseTimestamp(to) === undefined)
    at([...path, 'advance_to'], 'advance_to must be a time with its UTC offset, such as 2026-11-20T12:00:00Z')
}

function checkOperation(name: string, path: Path, at: At): void {
  if (NAMES.includes(name)) return
  const meant = nearest(name, NAMES)
  const hint = meant === undefined ? '`dray api --list` lists them' : `did you mean ${meant}?`
  at([...path, 'call'], `unknown operation ${name.slice(0, 60)}; ${hint}`)
}

function checkReferences(
  step: Step,
  path: Path,
  {
    known,
    variables,
    at,
  }: { known: ReadonlySet<string>; variables: Record<string, unknown> | undefined; at: At },
): void {
  for (const [member, value] of Object.entries(step)) {
    for (const text of findReferences(value)) {
      const reference = readReference(text)
      const shown = `\${${text.slice(0, 80)}}`
      const place = [...path, member]
      if (reference === undefined) {
        at(place, `${shown} is not a reference such as \${step.field} or \${var.name}`)
        continue
      }
      const { root, path: rest } = reference
      if (root === 'now' && rest.length === 0) continue
      if (root === 'var') {
        const [name = ''] = rest
        if (rest.length !== 1 || (variables !== undefined && !Object.hasOwn(variables, name)))
          at(place, `${shown}: no such variable is declared`)
      } else if (!known.has(root)) at(place, `${shown}: no earlier step has the id ${root}`)
    }
  }
}

/** Returns a line for each fault: `file:3:5: problem.` */
export function problemLines({ file, problems }: { file: string; problems: readonly Problem[] }): string[] {
  return problems.map(({ place, text }) => {
    const where = place === undefined ? file : `${file}:${place.line}:${place.column}`
    return `${where}: ${text}${text.endsWith('?') ? '' : '.'}`
  })
}
