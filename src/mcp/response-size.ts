/** The part of a response that a tool gives: the one the call asks for, else the usual one, and 64 kB at most. */
import type { Client } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { assertKnownFields } from '../core/fields.ts'
import { applyViewOptions } from '../core/views.ts'
import { loadOutput } from '../generated/registry.ts'
import { shortOf } from './short-response.ts'
import type { Tool } from './tools.ts'

/** The most bytes of a response, as text and again as structured content: about 20,000 tokens. */
const MAX_RESPONSE_BYTES = 64_000

type Input = Readonly<Record<string, unknown>>

/** A call, apart from the fields that only say how much of its response is wanted. */
export type CallWithView = { input: Record<string, unknown>; view: Input; isShort: boolean }

/** A response that fits, and what has to be told about it. */
type FittedResult = { value: unknown; note?: string }

/**
 * Takes `fields` and `results` out of the arguments: the call, its price and its key are the same whatever is shown of the
 * answer. Wrong values stay, for the service to refuse. Throws AppError('unknown_field').
 */
export async function splitViewOptions(
  tool: Tool,
  { fields, results, ...input }: Input,
): Promise<CallWithView> {
  const takes = (member: string): boolean => Object.hasOwn(tool.input.properties ?? {}, member)
  const names = takes('fields') && typeof fields === 'string' && fields.trim() !== '' ? fields : undefined
  const rows = takes('results') && (results === 'all' || results === 'problems') ? results : undefined
  if (names !== undefined) assertKnownFields((await loadOutput(tool.name)) ?? {}, names)
  const isShort = fields === undefined && tool.aside !== undefined
  return {
    input: { ...input, ...unless(names, { fields }), ...unless(rows, { results }) },
    view: { fields: isShort ? tool.brief?.usual : names, results: rows },
    isShort,
  }
}

/** Returns the field where its value was given and not taken. */
function unless(taken: unknown, member: Input): Input {
  return taken === undefined && Object.values(member)[0] !== undefined ? member : {}
}

/**
 * Returns as much of the response as is wanted and fits. A list is asked for again with fewer rows, which its next page
 * continues. Throws AppError('answer_too_large') for a read of which no part would be right by itself.
 */
export async function fitToLimit(
  client: Pick<Client, 'call'>,
  tool: Tool,
  { input, view, isShort }: CallWithView,
  whole: unknown,
): Promise<FittedResult> {
  const shown = (answer: unknown, less: Input = {}): unknown => {
    const wanted = { ...view, ...less }
    return isShort ? shortOf(tool, wanted, answer) : applyViewOptions(wanted, answer)
  }
  let value = shown(whole)
  if (fits(value)) return { value }
  if (tool.read && Object.hasOwn(tool.input.properties ?? {}, 'cursor')) {
    const member = tool.brief?.rows ?? 'data'
    for (let rows = fittingRows(value, member); rows > 0; rows = fittingRows(value, member)) {
      value = shown((await client.call(tool.name, { ...input, limit: rows })).value)
      if (fits(value))
        return { value, note: tooLong(`its page has ${rows} rows`, 'next_cursor gives the rest') }
    }
  }
  const { long, rest = 'fields asks for less' } = tool.brief ?? {}
  if (long !== undefined) {
    const { view: rows, ...less } = long
    const again = rows === undefined ? whole : (await client.call(tool.name, { ...input, view: rows })).value
    value = shown(again, less)
    const how = Object.entries(long).map(([member, words]) => `${member} is ${words}`)
    if (fits(value)) return { value, note: tooLong(how.join(', '), rest) }
  }
  // The change is made: a part of its response is told, and never a failure.
  if (!tool.read) return { value: cut(value), note: tooLong('its longest lists end early', rest) }
  throw new AppError('answer_too_large', 'The response is longer than 64 kB, the limit for a tool.', {
    hint: `Ask again for less: ${rest}.`,
  })
}

function tooLong(how: string, rest: string): string {
  return `The full response is longer than 64 kB, the limit for a tool, so ${how}: ${rest}.`
}

function fits(value: unknown): boolean {
  return sizeOf(value) <= MAX_RESPONSE_BYTES
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Returns how many rows of a page fit, always fewer than it has. */
function fittingRows(page: unknown, member: string): number {
  const { [member]: data = [] } = page as Record<string, readonly unknown[]>
  let left = MAX_RESPONSE_BYTES - sizeOf({ ...(page as object), [member]: [] }) - 1000
  const first = data.findIndex((row) => (left -= sizeOf(row) + 1) < 0)
  return first < 0 ? data.length - 1 : first
}

/** Returns a value with its longest lists cut, so that it fits. */
export function cut<V>(value: V): V {
  const copy = structuredClone(value)
  for (let over = sizeOf(copy) - MAX_RESPONSE_BYTES; over > 0; over = sizeOf(copy) - MAX_RESPONSE_BYTES) {
    const [longest] = listsIn(copy).toSorted((a, b) => sizeOf(b) - sizeOf(a))
    if (longest === undefined) return copy
    let spared = 0
    while (spared < over && longest.length > 0) spared += sizeOf(longest.pop()) + 1
  }
  return copy
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && value.length > 0 ? [value] : []
  return [...own, ...Object.values(value).flatMap(listsIn)]
}
