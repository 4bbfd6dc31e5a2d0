/** Checks a step of a scenario for the rules beyond the schema. */
import { FAULT_WORDS, parseFaultSpec } from '../../core/fault.ts'
import { findClosestWord } from '../../core/nearest.ts'
import { parseDuration, parseTimestamp } from '../../core/time.ts'
import { CONTROL_ROUTES } from '../../generated/control-routes.ts'
import { NAMES } from '../../generated/registry.ts'
import { problemOfField } from './compare.ts'
import type { Expectation, ScenarioStep } from './schema.ts'

export type Path = (string | number)[]
export type At = (path: Path, problem: string) => void

const RUNS = ['call', 'control', 'advance', 'advance_to'] as const
const VERBS = [...RUNS, 'include', 'for_each'] as const

/** The steps in which a field may be, by their verbs; the others may be in every step. */
const BELONGS: Readonly<Record<string, readonly string[]>> = {
  scenario: ['call'],
  fault: ['call'],
  idempotency_key: ['call'],
  as: ['call'],
  input: ['call', 'control'],
  with: ['include'],
  steps: ['for_each'],
  expect: RUNS,
  id: [...RUNS, 'include'],
  name: RUNS,
}

/** Notes the faults of a step. `present` names its fields, also those that do not fit the schema. */
export function checkStep(step: ScenarioStep, present: readonly string[], path: Path, at: At): void {
  const verbs = VERBS.filter((verb) => present.includes(verb))
  if (verbs.length !== 1) at(path, `a step has exactly one of ${VERBS.join(', ')}`)
  for (const [member, owners] of Object.entries(BELONGS))
    if (present.includes(member) && !verbs.some((verb) => owners.includes(verb)))
      at([...path, member], `${member} belongs to a step with ${inWords(owners)}`)
  if (verbs.includes('for_each') && !present.includes('steps')) at(path, 'steps is missing')
  const { call, control, fault, expect } = step
  if (call !== undefined) checkOperation(call, path, at)
  if (control !== undefined && !Object.hasOwn(CONTROL_ROUTES, control))
    at([...path, 'control'], `unknown control call ${control.slice(0, 60)}`)
  if (fault?.includes('${') === false && parseFaultSpec(fault) === undefined)
    at([...path, 'fault'], `fault must be one of ${FAULT_WORDS}`)
  checkTimes(step, path, at)
  checkExpectation(expect ?? {}, [...path, 'expect'], at)
}

/** Returns `call, control or advance`. */
function inWords(words: readonly string[]): string {
  return words.join(', ').replace(/, (\w+)$/, ' or $1')
}

function checkOperation(name: string, path: Path, at: At): void {
  if (NAMES.includes(name)) return
  const meant = findClosestWord(name, NAMES)
  const hint = meant === undefined ? '`dray api --list` lists them' : `did you mean ${meant}?`
  at([...path, 'call'], `unknown operation ${name.slice(0, 60)}; ${hint}`)
}

/** Checks spans and instants, except those with references: their values are known when the step runs. */
function checkTimes({ advance, advance_to: to }: ScenarioStep, path: Path, at: At): void {
  if (advance?.includes('${') === false && parseDuration(advance) === undefined)
    at([...path, 'advance'], 'advance must be a duration such as 90s, 30m, 2h or 3d')
  if (to?.includes('${') === false && parseTimestamp(to) === undefined)
    at([...path, 'advance_to'], 'advance_to must be a time with its UTC offset, such as 2026-11-20T12:00:00Z')
}

function checkExpectation({ status, replayed, fields = {} }: Expectation, path: Path, at: At): void {
  if (status !== undefined && !isReference(status) && !isStatus(status))
    at([...path, 'status'], `status must be a whole number from 200 to 599, not ${shown(status)}`)
  if (replayed !== undefined && !isReference(replayed) && typeof replayed !== 'boolean')
    at([...path, 'replayed'], `replayed must be true or false, not ${shown(replayed)}`)
  for (const [field, wanted] of Object.entries(fields)) {
    const problem = problemOfField(field, wanted)
    if (problem !== undefined) at([...path, 'fields', field], problem)
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60)
}

function isReference(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${')
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599
}
