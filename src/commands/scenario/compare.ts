/** Compares a response with the expectations of a scenario. */
import { compile, search, type JSONValue } from '@jmespath-community/jmespath'
import { canonicalJson } from '../../core/canonical-json.ts'
import { isRecord } from '../../core/record.ts'

export type ExpectationFailure = { where: string; expected: string; actual: string }

type Comparison = (actual: unknown, wanted: unknown) => boolean

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  equals: isSame,
  not: (actual, wanted) => !isSame(actual, wanted),
  above: (actual, wanted) => order(actual, wanted) > 0,
  at_least: (actual, wanted) => order(actual, wanted) >= 0,
  below: (actual, wanted) => order(actual, wanted) < 0,
  at_most: (actual, wanted) => order(actual, wanted) <= 0,
  one_of: (actual, wanted) => Array.isArray(wanted) && wanted.some((one) => isSame(actual, one)),
  matches: (actual, wanted) => typeof actual === 'string' && new RegExp(String(wanted), 'u').test(actual),
  contains: (actual, wanted) =>
    Array.isArray(actual)
      ? actual.some((one) => isSame(one, wanted))
      : typeof actual === 'string' && actual.includes(String(wanted)),
  length: (actual, wanted) =>
    (typeof actual === 'string' || Array.isArray(actual)) && isSame(actual.length, wanted),
  present: (actual, wanted) => (actual !== null && actual !== undefined) === wanted,
}

/** Returns the fault of a field's expectation before anything runs; undefined when it is valid. */
export function problemOfField(expression: string, wanted: unknown): string | undefined {
  try {
    compile(expression)
  } catch (error) {
    return `${JSON.stringify(expression.slice(0, 80))} is not a JMESPath expression: ${messageOf(error)}`
  }
  if (!isComparison(wanted)) return undefined
  const { matches, present } = wanted
  if (present !== undefined && typeof present !== 'boolean') return 'present must be true or false'
  if (matches === undefined) return undefined
  try {
    if (typeof matches !== 'string') return 'matches must be a regular expression as a text'
    void new RegExp(matches, 'u')
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Returns the fields that differ from the expected ones. */
export function compareFields(
  answer: unknown,
  fields: Readonly<Record<string, unknown>>,
): ExpectationFailure[] {
  return Object.entries(fields).flatMap(([expression, wanted]) => {
    let actual: unknown
    try {
      // Converted through JSON: the library also finds inherited fields of objects.
      actual = JSON.parse(
        JSON.stringify(search((answer ?? null) as JSONValue, expression) ?? null) ?? 'null',
      ) as unknown
    } catch (error) {
      return [
        { where: expression, expected: formatComparedValue(wanted), actual: `nothing: ${messageOf(error)}` },
      ]
    }
    const expected = isComparison(wanted) ? wanted : { equals: wanted }
    return Object.entries(expected).flatMap(([name, value]) =>
      COMPARISONS[name]?.(actual, value) === true
        ? []
        : [
            {
              where: expression,
              expected:
                name === 'equals'
                  ? formatComparedValue(value)
                  : `${name.replaceAll('_', ' ')} ${formatComparedValue(value)}`,
              actual: formatComparedValue(actual),
            },
          ],
    )
  })
}

export type SeenEvent = { type: string; resource_id: string; from: string | null; to: string; by: string }

/** Compares the order of events; others may come between them. An empty list expects no events. */
export function compareEvents(seen: readonly SeenEvent[], wanted: readonly unknown[]): ExpectationFailure[] {
  const actual = seen.length === 0 ? 'none' : seen.map(({ type }) => type).join(', ')
  if (wanted.length === 0) return seen.length === 0 ? [] : [{ where: 'events', expected: 'none', actual }]
  let at = 0
  for (const one of wanted) {
    const found = seen.findIndex((event, index) => index >= at && isEvent(event, one))
    if (found === -1)
      return [{ where: 'events', expected: `${formatComparedValue(one)} in its turn`, actual }]
    at = found + 1
  }
  return []
}

function isEvent(event: SeenEvent, wanted: unknown): boolean {
  if (!isRecord(wanted)) return event.type === wanted
  return Object.entries(wanted).every(
    ([name, value]) => value === (name === 'resource' ? event.resource_id : event[name as keyof SeenEvent]),
  )
}

function isComparison(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((name) => Object.hasOwn(COMPARISONS, name))
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Returns the order of two values; NaN, with which every comparison is false, when they have none. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0
  return NaN
}

const MAX_FORMATTED_LENGTH = 300

export function formatComparedValue(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > MAX_FORMATTED_LENGTH ? `${text.slice(0, MAX_FORMATTED_LENGTH)}…` : text
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
