/** Reads a scenario file, YAML or JSON, and reports faults with line and column before anything is sent. */
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { Errors } from 'typebox/value'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { CommandContext } from '../../cli/cli.ts'
import { isFileNotFoundError, readFile, readFileOrStdin } from '../../cli/files/read.ts'
import { AppError } from '../../core/errors.ts'
import { decodePointerToken } from '../../core/pointer.ts'
import { isRecord } from '../../core/record.ts'
import { formatSchemaIssue, type SchemaIssue } from '../../core/schema-issues.ts'
import { parseTimestamp } from '../../core/time.ts'
import { assertWithin, findBounds } from './bounds.ts'
import {
  compose,
  type ComposedSteps,
  type IncludeContext,
  type RunStep,
  type ScenarioSource,
  type Usage,
  valuesFor,
} from './compose.ts'
import { SCENARIO_SCHEMA, type ScenarioStep } from './schema.ts'
import type { At, Path } from './step.ts'
import { readRowTable } from './table.ts'

export type Scenario = {
  /** The name on the command line. */
  file: string
  name: string
  seed: string | undefined
  at: string | undefined
  as: string | undefined
  variables: Record<string, unknown>
  steps: RunStep[]
}

/** The deepest nesting: enough for every input, and no stack overflows. */
const MAX_NESTING_DEPTH = 40

/** The most files of which each includes the next. */
const MAX_INCLUDE_DEPTH = 8

/** A fault and its place, in an included file where that is named; without a place when the file could not be read. */
export type ScenarioProblem = { file?: string; place?: { line: number; column: number }; text: string }

/** A scenario, or all faults of its file. */
export type ReadScenario =
  | { scenario: Scenario }
  | { file: string; problems: ScenarioProblem[]; missing?: boolean }

/** With `allowOutside` a scenario may include files, and read tables, from anywhere. */
type ReadOptions = { allowOutside?: boolean }

/** Reads a file, or standard input for `-`, with the files that it includes. */
export async function readScenarioFile(
  { io }: Pick<CommandContext, 'io'>,
  file: string,
  options: ReadOptions = {},
): Promise<ReadScenario> {
  const name = file === '-' ? 'standard input' : file
  try {
    const text = new TextDecoder().decode(await readFileOrStdin(file, 'scenario', io))
    return file === '-'
      ? toRead(name, parse(text, sourceOf(name, '.', options)))
      : parseScenario(text, file, options)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { file: name, problems: [{ text: reasonOf(error) }], missing: isFileNotFoundError(error) }
  }
}

/** Checks the text of a scenario and of the files that it includes, beside it; returns all faults at once. */
export function parseScenario(text: string, file: string, options: ReadOptions = {}): ReadScenario {
  return toRead(file, parse(text, sourceOf(file, dirname(file), options)))
}

/** Returns why a file could not be read, without its name. */
function reasonOf({ message }: AppError): string {
  return message.replace(/^.*? (?=cannot be read|is larger)/, 'it ').replace(/[.?]$/, '')
}

type TextSource = {
  usage: Usage
  included: (IncludeContext & { note: (variable: string, problem: string) => void }) | undefined
  file: string
  folder: string
  /** The files that lead to this one by their includes, and this one. */
  chain: readonly string[]
  /** The folder below which other files are read; undefined for anywhere. */
  bounds: string | undefined
}

function sourceOf(file: string, folder: string, { allowOutside = false }: ReadOptions): TextSource {
  const bounds = allowOutside ? undefined : findBounds(folder)
  return {
    file,
    folder,
    chain: [normalize(file)],
    usage: { marks: 0, steps: 0 },
    included: undefined,
    bounds,
  }
}

type ParsedScenario = {
  problems: ScenarioProblem[]
  scenario: Scenario | undefined
  names?: ComposedSteps['names']
}

/** Returns the scenario, or its problems: those of its own first, in their order. */
function toRead(file: string, { problems, scenario }: ParsedScenario): ReadScenario {
  if (scenario !== undefined && problems.length === 0) return { scenario }
  const lineOf = ({ file: included, place }: ScenarioProblem) =>
    included === undefined ? (place?.line ?? 0) : Infinity
  return { file, problems: problems.toSorted((one, other) => lineOf(one) - lineOf(other) || 0) }
}

const YAML = { stringKeys: true, prettyErrors: false, version: '1.2' } as const

function parse(text: string, source: TextSource): ParsedScenario {
  const lines = new LineCounter()
  const problems: ScenarioProblem[] = []
  const note = (offset: number, what: string): void => {
    const { line, col: column } = lines.linePos(offset)
    problems.push({ place: { line, column }, text: what })
  }
  const document = parseDocument(text, { ...YAML, lineCounter: lines })
  // The parser reports each level at which its stack ended.
  const tooDeep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  for (const { pos, code, message } of tooDeep === undefined ? document.errors : [tooDeep])
    note(pos[0], SYNTAX_WORDS[code] ?? firstLine(message))
  const at: At = (path, problem) => note(offsetOf(document, path), problem)
  const isWhole = document.errors.every(({ code }) => HARMLESS.has(code))
  const value = isWhole ? toValue(document, at) : undefined
  if (!isRecord(value)) {
    if (problems.length === 0) at([], 'a scenario is an object with the member steps')
    return { problems, scenario: undefined }
  }
  const raw = soundPart(value, checkForm(value, at))
  checkHead(raw, at)
  const { variables = {}, name = source.file, as } = raw
  // Invalid variables could have declared any name.
  const declared = raw.variables === undefined && value['variables'] !== undefined ? undefined : variables
  const { steps, names } = compose(raw.steps, value['steps'], {
    at,
    as,
    lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
    variables: declared,
    usage: source.usage,
    included: source.included && {
      as: source.included.as,
      values: valuesFor(declared ?? {}, source.included),
    },
    ...makeReaders(source, at, problems),
  })
  const seed = raw.seed === undefined ? undefined : String(raw.seed)
  return { problems, names, scenario: { file: source.file, name, seed, at: raw.at, as, variables, steps } }
}

/** Returns the functions that read other files for a scenario. They note why they cannot. */
function makeReaders(
  { folder, chain, usage, bounds }: TextSource,
  at: At,
  problems: ScenarioProblem[],
): Pick<ScenarioSource, 'include' | 'readTable'> {
  const pathOf = (name: string): string => (isAbsolute(name) ? normalize(name) : join(folder, name))
  const reading = <T>(path: Path, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      at(path, error.message.replace(/[.?]$/, ''))
      return undefined
    }
  }
  const readOther = (target: string): Uint8Array => {
    if (bounds !== undefined) assertWithin(bounds, target)
    return readFile(target, 'scenario')
  }
  return {
    include(name, given, path) {
      const target = pathOf(name)
      const bytes = reading([...path, 'include'], () => {
        assertNewFile(chain, target)
        return readOther(target)
      })
      if (bytes === undefined) return undefined
      const { scenario, ...parsed } = parse(new TextDecoder().decode(bytes), {
        file: target,
        folder: dirname(target),
        chain: [...chain, target],
        bounds,
        usage,
        included: {
          ...given,
          note: (variable, problem) => at([...path, 'with', variable], `${target} ${problem}`),
        },
      })
      const noted = new Set(problems.map((problem) => JSON.stringify(problem)))
      const found = parsed.problems.map((problem) => ({ file: target, ...problem }))
      problems.push(...found.filter((problem) => !noted.has(JSON.stringify(problem))))
      const steps = scenario?.steps.map((step) => ({ included_at: `${target}:${step.line}`, ...step }))
      return steps && { steps, names: parsed.names ?? new Map() }
    },
    readTable(name, path) {
      const target = pathOf(name)
      return reading([...path, 'for_each'], () => readRowTable(readOther(target), target))
    },
  }
}

/** Throws AppError('usage') for a file that leads to itself by its includes, or by too many. */
function assertNewFile(chain: readonly string[], file: string): void {
  const at = chain.indexOf(file)
  if (at >= 0)
    throw new AppError('usage', `the file includes itself: ${[...chain.slice(at), file].join(', ')}.`)
  if (chain.length > MAX_INCLUDE_DEPTH)
    throw new AppError('usage', `more than ${MAX_INCLUDE_DEPTH} files include each other.`)
}

/** Words for faults of the syntax that the parser names in words of its own. */
const SYNTAX_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a file has one scenario only, but --- begins a second one',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
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
type RawScenario = Partial<Omit<Scenario, 'steps' | 'seed'>> & {
  seed?: number
  steps: (ScenarioStep | undefined)[]
}

function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** Finds values that YAML has and JSON does not, such as cycles, and dangerous names. */
function findOdd(value: unknown, path: Path = []): { path: Path; problem: string } | undefined {
  if (path.length > MAX_NESTING_DEPTH)
    return { path, problem: 'it is nested too deeply, or refers to itself' }
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
    recordSchemaIssue(telling ?? found[0], at)
  }
  return issues.filter(isAboutPlace).map(({ instancePath }) => pathOf(instancePath))
}

/** Returns whether a fault invalidates its place; after a missing or extra field the others can still be checked. */
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
    .map((part) => (/^\d+$/.test(part) ? Number(part) : decodePointerToken(part)))
}

function recordSchemaIssue(issue: SchemaIssue | undefined, at: At): void {
  if (issue === undefined) return
  const path = pathOf(issue.instancePath)
  const name = path.findLast((part) => typeof part === 'string') ?? 'the scenario'
  const missing = issue.params['requiredProperties']
  if (Array.isArray(missing)) at(path, `${missing.join(', ')} is missing`)
  else if (issue.keyword === 'boolean') at(path, `${String(name).slice(0, 60)} is unknown`)
  else at(path, `${name} ${formatSchemaIssue(SCENARIO_SCHEMA, issue)}`)
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

/** Returns a line for each fault: `file:3:5: problem.` */
export function formatProblemLines({
  file,
  problems,
}: {
  file: string
  problems: readonly ScenarioProblem[]
}): string[] {
  return problems.map((problem) => {
    const { text } = problem
    return `${formatFilePosition(file, problem)}: ${text}${text.endsWith('?') ? '' : '.'}`
  })
}

/** Returns `file:3:5` for a fault of a file, or of one that it includes. */
export function formatFilePosition(named: string, { file = named, place }: ScenarioProblem): string {
  return place === undefined ? file : `${file}:${place.line}:${place.column}`
}
