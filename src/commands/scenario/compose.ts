/**
 * Writes out the steps of a scenario that run: those of included files, and a copy of some for each row of a table. Ids get a
 * mark there, as in `~3.order`, so that other files and rows do not mean them.
 */
import { isRecord } from '../../core/record.ts'
import { asText, isScalar, parseReference, type Reference, rewrite } from './references.ts'
import type { ScenarioStep } from './schema.ts'
import { type At, checkStep, type Path } from './step.ts'
import { literal, type RowTable, type TableRow } from './table.ts'

/** A step that runs: its line in the file that was named, its place in an included file, and its rows from the outside in. */
export type RunStep = ScenarioStep & { line: number; included_at?: string; row?: string }

/** The ids that a step may refer to: the mark of each, and the ids of an included file. */
type StepNames = Map<string, { mark: string; inner?: StepNames | undefined }>

export type ComposedSteps = { steps: RunStep[]; names: StepNames }

/** How much all files of a scenario use together: marks, and steps that run or include a file. */
export type Usage = { marks: number; steps: number }

/** A file with composed steps. */
export type ScenarioSource = {
  at: At
  lineOf: (path: Path) => number
  usage: Usage
  /** The account of the file's calls. */
  as: string | undefined
  /** Returns the steps of another file; undefined when it cannot be read, which is noted. */
  include: (name: string, given: IncludeContext, path: Path) => ComposedSteps | undefined
  /** Returns the rows of a file; undefined when it cannot be read, which is noted. */
  readTable: (name: string, path: Path) => RowTable | undefined
  /** The declared variables; undefined where any name may be. */
  variables: Record<string, unknown> | undefined
  /** The account of the including file's calls, and the values of the variables, for an included file. */
  included: IncludeContext | undefined
}

/** The account and the values of variables that a file gives to one that it includes. */
export type IncludeContext = { as: string | undefined; values: Record<string, unknown> }

/** The steps of a file, and its fields as they stand there, also those that do not fit the schema. */
type Body = { steps: readonly (ScenarioStep | undefined)[]; written: unknown; path: Path }
type Scope = { mark: string; names: StepNames; table?: { columns: readonly string[]; row: TableRow } }

/** The most steps that run. */
const MAX_SCENARIO_STEPS = 5000

export function compose(
  steps: readonly (ScenarioStep | undefined)[],
  written: unknown,
  source: ScenarioSource,
): ComposedSteps {
  const mark = source.included === undefined ? '' : newMark(source.usage)
  const scope: Scope = { mark, names: new Map() }
  const { included } = source
  const { as = included?.as } = source.as === undefined ? {} : linkStep({ as: source.as }, [], scope, source)
  const composed = { ...source, included: included && { ...included, as } }
  return { steps: composeSteps({ steps, written, path: ['steps'] }, scope, composed), names: scope.names }
}

function newMark(usage: Usage): string {
  usage.marks += 1
  return `~${usage.marks}.`
}

function composeSteps({ steps, written, path }: Body, scope: Scope, source: ScenarioSource): RunStep[] {
  const all: readonly unknown[] = Array.isArray(written) ? written : []
  return steps.flatMap((step = {}, index) => {
    const { [index]: whole } = all
    if (!isRecord(whole)) return []
    const place = [...path, index]
    const { steps: made, names: inner } = composeStep(step, { whole, path: place }, scope, source)
    const { id } = whole
    if (typeof id === 'string') {
      const isReserved = id === 'var' || id === 'now' || (id === 'row' && scope.table !== undefined)
      if (scope.names.has(id) || isReserved)
        source.at([...place, 'id'], `another step is called ${id} already, or the name is reserved`)
      scope.names.set(id, { mark: scope.mark, inner })
    }
    return made
  })
}

type WrittenStep = { whole: Record<string, unknown>; path: Path }

function composeStep(
  step: ScenarioStep,
  written: WrittenStep,
  scope: Scope,
  source: ScenarioSource,
): { steps: RunStep[]; names?: StepNames | undefined } {
  const { whole, path } = written
  const { for_each: _table, steps: _body, ...own } = step
  const linked = linkStep(own, path, scope, source)
  // A field without a value in this row is no field.
  const present = Object.keys(whole).filter((name) => !(name in own) || name in linked)
  checkStep(linked, present, path, source.at)
  if (step.for_each !== undefined) return { steps: repeat(step, written, scope, source) }
  if (isTooMany(path, source)) return { steps: [] }
  const row = scope.table && `row ${scope.table.row.row}`
  const line = source.lineOf(path)
  const { include, with: values = {}, id, as = source.included?.as } = linked
  if (include !== undefined) {
    const found = source.include(include, { values, as: source.included?.as }, path)
    const steps = (found?.steps ?? []).map((one) => ({ ...one, line, ...joined(row, one.row) }))
    return { steps, names: found?.names }
  }
  const marked = id === undefined ? {} : { id: `${scope.mark}${id}` }
  return {
    steps: [{ ...linked, ...marked, ...(as !== undefined && linked.call && { as }), line, ...joined(row) }],
  }
}

/** Counts a step; notes the first one that is too many. */
function isTooMany(path: Path, { usage, at }: ScenarioSource): boolean {
  usage.steps += 1
  if (usage.steps === MAX_SCENARIO_STEPS + 1) at(path, `more than ${MAX_SCENARIO_STEPS} steps would run`)
  return usage.steps > MAX_SCENARIO_STEPS
}

function joined(...rows: (string | undefined)[]): { row?: string } {
  const all = rows.filter((row) => row !== undefined)
  return all.length === 0 ? {} : { row: all.join(', ') }
}

/** Returns the steps of a step with `for_each`, once for each row. */
function repeat(
  step: ScenarioStep,
  { whole, path }: WrittenStep,
  scope: Scope,
  source: ScenarioSource,
): RunStep[] {
  const { for_each: given, steps = [] } = step
  const table =
    typeof given === 'string'
      ? source.readTable(given, path)
      : toTable(given ?? [], [...path, 'for_each'], scope, source)
  const noted = new Set<string>()
  return (table?.rows ?? []).flatMap((row) => {
    const at: At = (place, text) => {
      const key = JSON.stringify([place, text])
      if (!noted.has(key)) source.at(place, `${text} (row ${row.row})`)
      noted.add(key)
    }
    const { columns = [] } = table ?? {}
    const inner = { mark: newMark(source.usage), names: new Map(scope.names), table: { columns, row } }
    const body = { steps, written: whole['steps'], path: [...path, 'steps'] }
    return composeSteps(body, inner, { ...source, at })
  })
}

function toTable(rows: readonly object[], path: Path, scope: Scope, source: ScenarioSource): RowTable {
  const linked = rows.map((row, index) => rewrite(row, linker([...path, index], scope, source)))
  return {
    columns: [...new Set(rows.flatMap((row) => Object.keys(row)))],
    rows: linked.map((values, index) => ({ row: index + 1, values: values as TableRow['values'] })),
  }
}

/** The fields of a step with values that are no texts. */
const VALUES: ReadonlySet<string> = new Set(['input', 'expect', 'with'])

/** Returns a step whose references name what they mean wherever the step runs, without fields that have no value. */
function linkStep(step: ScenarioStep, path: Path, scope: Scope, source: ScenarioSource): ScenarioStep {
  const members = Object.entries(step).flatMap(([name, value]) => {
    const isText = !VALUES.has(name)
    const link = linker([...path, name], scope, source)
    const linked = rewrite(value, (text, isWhole) => link(text, isWhole && !isText))
    if (linked === undefined) return []
    return [[name, isText ? asText(linked) : linked] as const]
  })
  return Object.fromEntries(members)
}

/** Returns the function for `rewrite` that links references, and notes those that lead nowhere. */
function linker(path: Path, scope: Scope, source: ScenarioSource) {
  return (text: string, isWhole: boolean): unknown => {
    const reference = text.startsWith('~') ? undefined : parseReference(text)
    const found = reference === undefined ? NO_REFERENCE : link(reference, scope, source)
    if ('value' in found && (isWhole || fitsText(found.value))) return found.value
    const problem = 'problem' in found ? found.problem : ' is no text, so it cannot stand within one'
    source.at(path, `\${${text.slice(0, 80)}}${problem}`)
    return `\${${text}}`
  }
}

type Link = { value: unknown } | { problem: string }

const NO_REFERENCE: Link = { problem: ' is not a reference such as ${step.field} or ${var.name}' }

function link({ root, path, text }: Reference, scope: Scope, { variables, included }: ScenarioSource): Link {
  const [name = ''] = path
  const same: Link = { value: `\${${text}}` }
  if (root === 'now' && path.length === 0) return same
  if (root === 'var') {
    const isKnown = variables === undefined || Object.hasOwn(variables, name)
    if (path.length !== 1 || !isKnown) return { problem: ': no such variable is declared' }
    return included === undefined ? same : { value: included.values[name] }
  }
  if (root === 'row' && scope.table !== undefined) {
    const { columns, row } = scope.table
    if (path.length === 1 && columns.includes(String(name))) return { value: row.values[name] }
    return { problem: `: no such column; there are ${columns.slice(0, 30).join(', ')}` }
  }
  const value = linkId(root, path, scope.names)
  return value === undefined ? { problem: whyLost(root, path, scope.names) } : { value }
}

function fitsText(value: unknown): boolean {
  return value === undefined || isScalar(value)
}

/** Returns a reference to a step by its mark; undefined where there is none. The first parts of a path may name steps of included files. */
function linkId(
  id: string | number,
  parts: readonly (string | number)[],
  names: StepNames,
): string | undefined {
  const found = names.get(String(id))
  if (found === undefined) return undefined
  const [next = '', ...rest] = parts
  if (found.inner !== undefined) return linkId(next, rest, found.inner)
  const fields = parts.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return `\${${found.mark}${id}${fields}}`
}

function whyLost(root: string, [name]: readonly (string | number)[], names: StepNames): string {
  const inner = names.get(root)?.inner
  if (inner === undefined) return `: no earlier step has the id ${root}`
  return name === undefined
    ? `: name a step of the included file, such as \${${root}.${[...inner.keys()][0] ?? 'step'}.field}`
    : `: the included file has no step ${String(name)}; its steps with ids: ${[...inner.keys()].slice(0, 30).join(', ') || 'none'}`
}

/**
 * Returns the values of an included file's variables: the given ones, and the declared ones for the rest. Notes names that
 * are not declared, and variables without a value.
 */
export function valuesFor(
  declared: Record<string, unknown>,
  { values, note }: IncludeContext & { note: (variable: string, problem: string) => void },
): Record<string, unknown> {
  for (const name of Object.keys(values))
    if (!Object.hasOwn(declared, name)) note(name, `declares no variable ${name.slice(0, 60)}`)
  const all = Object.entries(declared).map(([name, value]) => {
    if (Object.hasOwn(values, name)) return [name, values[name]] as const
    if (value === null) note(name, `needs a value for ${name}: name it under with`)
    return [name, typeof value === 'string' ? literal(value) : value] as const
  })
  return Object.fromEntries(all)
}
