import { COUNTRY_PATTERN } from '../core/address.ts'
import type { ProblemFieldError } from '../core/errors.ts'
import { normalizeIdentifier } from '../core/identifiers.ts'

type Schema = {
  form?: string
  pattern?: string
  minLength?: number
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}

/** A text that is read in another form than it was typed in, with its path in the input. */
type NormalizedText = { path: readonly string[]; text: string; isCountry: boolean }

const SHAPE = new RegExp(COUNTRY_PATTERN)

/**
 * Returns the input with each code of its schema cleaned (`normalizeIdentifier`) and each country as alpha-2 (`UK`, `GBR`, `gb`
 * and `United Kingdom` become `GB`), and an error for each country that does not exist. The table of countries is loaded
 * only when a country is not `GB`.
 */
export async function normalizeInput(
  schema: object,
  given: Record<string, unknown>,
): Promise<{ input: Record<string, unknown>; errors: ProblemFieldError[] }> {
  const typed = findTyped(schema, given, [])
  if (typed.length === 0) return { input: given, errors: [] }
  const countries = typed.some(({ isCountry }) => isCountry) ? await import('../core/country.ts') : undefined
  const input = structuredClone(given)
  const errors: ProblemFieldError[] = []
  for (const { path, text, isCountry } of typed) {
    const read = isCountry ? countries?.findCountryCode(text) : text
    if (read === undefined) errors.push(unknownCountry(path, text, countries?.nearestCountry(text)))
    else replaceAt(input, path, read)
  }
  return { input, errors }
}

/** Finds the texts in a value that are read in another form. Skips values of another shape, which the validator will report. */
function findTyped(
  { form, pattern, minLength, properties, items }: Schema,
  value: unknown,
  path: readonly string[],
): NormalizedText[] {
  if (typeof value === 'string') {
    const isCountry = pattern === COUNTRY_PATTERN
    if (!isCountry && form !== 'code') return []
    // Where an empty text means something, one that only looks empty does not.
    const text = normalizeIdentifier(value) || (minLength === undefined && value !== '' ? ' ' : '')
    const isRead = isCountry ? value === 'GB' || !SHAPE.test(text) : value === text
    return isRead ? [] : [{ path, text, isCountry }]
  }
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    if (items === undefined) return []
    return value.flatMap((entry, index) => findTyped(items, entry, [...path, String(index)]))
  }
  return Object.entries(properties ?? {}).flatMap(([name, member]) =>
    Object.hasOwn(value, name)
      ? findTyped(member, (value as Record<string, unknown>)[name], [...path, name])
      : [],
  )
}

function replaceAt(value: unknown, path: readonly string[], code: string): void {
  let parent = value as Record<string, unknown>
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>
  parent[path.at(-1) ?? ''] = code
}

function unknownCountry(path: readonly string[], text: string, meant: string | undefined): ProblemFieldError {
  const question = meant === undefined ? '' : `; did you mean ${meant}?`
  return {
    pointer: `/${path.join('/')}`,
    code: 'invalid_format',
    detail: `${path.at(-1) ?? ''} must be a country such as GB, GBR or United Kingdom; ${text} is not a country${question}`,
  }
}
