import { COUNTRY_PATTERN } from '../core/address.ts'
import type { FieldError } from '../core/errors.ts'

type Schema = {
  pattern?: string
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
}

/** A country as it was typed, with its path in the input. */
type Typed = { path: readonly string[]; text: string }

const SHAPE = new RegExp(COUNTRY_PATTERN)

/**
 * Returns the input with each country of its schema as alpha-2 (`UK`, `GBR`, `gb` and `United Kingdom` become `GB`), and an error for each
 * country that does not exist. The table of countries is loaded only when a country is not `GB`.
 */
export async function readCountries(
  schema: object,
  given: Record<string, unknown>,
): Promise<{ input: Record<string, unknown>; errors: FieldError[] }> {
  const typed = findCountries(schema, given, [])
  if (typed.length === 0) return { input: given, errors: [] }
  const { countryCode, nearestCountry } = await import('../core/country.ts')
  const input = structuredClone(given)
  const errors: FieldError[] = []
  for (const { path, text } of typed) {
    const code = countryCode(text)
    if (code === undefined) errors.push(unknownCountry(path, text, nearestCountry(text)))
    else replaceAt(input, path, code)
  }
  return { input, errors }
}

/** Finds the countries in a value. Skips values of another shape, which the validator will report. */
function findCountries(
  { pattern, properties, items }: Schema,
  value: unknown,
  path: readonly string[],
): Typed[] {
  if (typeof value === 'string')
    return pattern === COUNTRY_PATTERN && value !== 'GB' && SHAPE.test(value) ? [{ path, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    if (items === undefined) return []
    return value.flatMap((entry, index) => findCountries(items, entry, [...path, String(index)]))
  }
  return Object.entries(properties ?? {}).flatMap(([name, member]) =>
    Object.hasOwn(value, name)
      ? findCountries(member, (value as Record<string, unknown>)[name], [...path, name])
      : [],
  )
}

function replaceAt(value: unknown, path: readonly string[], code: string): void {
  let parent = value as Record<string, unknown>
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string, unknown>
  parent[path.at(-1) ?? ''] = code
}

function unknownCountry(path: readonly string[], text: string, meant: string | undefined): FieldError {
  const question = meant === undefined ? '' : `; did you mean ${meant}?`
  return {
    pointer: `/${path.join('/')}`,
    code: 'invalid_format',
    detail: `${path.at(-1) ?? ''} must be a country such as GB, GBR or United Kingdom; ${text} is none${question}`,
  }
}
