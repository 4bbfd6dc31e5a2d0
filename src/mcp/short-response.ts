/**
 * Answers as agents get them unless a call names fields: without what is null or seldom needed, and with every time by the
 * clock at its place. All that is left is told as the service tells it.
 */
import type { AnyOperation } from '../core/operation.ts'
import { localStart } from '../core/slots.ts'
import { applyViewOptions } from '../core/views.ts'
import { EACH, findAnnotatedPaths } from './annotations.ts'

/** The path of a field that is omitted, with the fields beside which it is; always without any. */
export type Aside = readonly [path: string, ...beside: string[]]

type Members = Record<string, unknown>

/** Returns the fields of an operation's output that its short responses omit; none where its usual ones are declared. */
export function asidesOf({ output, brief }: Pick<AnyOperation, 'output' | 'brief'>): Aside[] {
  if (brief?.usual !== undefined) return []
  return findAnnotatedPaths(output, 'aside').map(({ path, value }) => [
    path.join('/'),
    ...(value === true ? [] : (value as readonly string[])),
  ])
}

/** Returns the short form of a response; `view` names the fields of one whose usual ones are declared. */
export function shortOf(
  { aside = [] }: { aside?: readonly Aside[] },
  view: Readonly<Members>,
  whole: unknown,
): unknown {
  const local = eachRow(whole, inLocalTimes)
  if (view['fields'] !== undefined) return eachRow(applyViewOptions(view, local), filled)
  for (const [path, ...beside] of aside) omitPath(local, path.split('/'), beside)
  return eachRow(local, filled)
}

/** Changes a response; of a list its rows, because the fields around them are always there. */
function eachRow(answer: unknown, change: (row: unknown) => unknown): unknown {
  const { data, has_more } = answer as { data?: unknown; has_more?: unknown }
  return Array.isArray(data) && has_more !== undefined
    ? { ...(answer as object), data: data.map(change) }
    : change(answer)
}

/** An instant as the service writes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The names of fields that hold one: `created_at`, `accept_by`, `scheduled_for`. A text of a person is none. */
const TIME_NAME = /(?:^|_)(?:at|by|for|until)$/

/**
 * Returns a copy of a resource in which each time shows the clock of its place, with the offset: the zone that the resource
 * names. `local_times` says the same, and is omitted.
 */
function inLocalTimes(resource: unknown): unknown {
  const { local_times: _, ...members } = resource as Members
  const { timezone } = members
  return shownIn(typeof timezone === 'string' ? timezone : undefined, members)
}

function shownIn(timezone: string | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => shownIn(timezone, entry))
  if (typeof value !== 'object' || value === null) return value
  const told = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const isTime = typeof member === 'string' && INSTANT.test(member) && TIME_NAME.test(name)
    return [
      name,
      isTime && timezone !== undefined ? localStart(Date.parse(member), timezone) : shownIn(timezone, member),
    ]
  })
  return Object.fromEntries(told)
}

/** Deletes a field of a value wherever its path leads, unless none of the named fields stands beside it. */
function omitPath(value: unknown, [name = '', ...rest]: readonly string[], beside: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return
  const members = value as Members
  if (name === EACH) for (const entry of Object.values(members)) omitPath(entry, rest, beside)
  else if (rest.length > 0) omitPath(members[name], rest, beside)
  else if (beside.length === 0 || beside.some((other) => !isEmpty(members[other]))) delete members[name]
}

/**
 * Returns the value without fields that are null, or objects of such fields alone. An empty list says that there is none, as
 * of allergens, and stays.
 */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, filled(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)))
}

function isEmpty(member: unknown): boolean {
  if (typeof member !== 'object' || Array.isArray(member)) return member === undefined
  return member === null || Object.keys(member).length === 0
}
