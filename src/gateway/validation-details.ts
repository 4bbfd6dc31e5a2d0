import type { TSchema } from 'typebox'
import { Set as setFormat } from 'typebox/format'
import { Settings } from 'typebox/system'
import { Check, Errors } from 'typebox/value'
import type { ProblemFieldError, FieldErrorCode } from '../core/errors.ts'
import { findClosestWord } from '../core/nearest.ts'
import { encodePointerToken } from '../core/pointer.ts'
import { formatSchemaIssue, toFieldName, schemaAt, type SchemaIssue } from '../core/schema-issues.ts'
import { FORMAT_NAMES, testFormat } from './formats.ts'

/** The most problems in one response: a longer list would not be read, and a hostile body could have a million. */
const MAX_FIELD_ERRORS = 100
// One problem may be several issues. The default is 8, and the important one may not be among them.
Settings.Set({ maxErrors: 1000 })

for (const name of FORMAT_NAMES) setFormat(name, (text) => testFormat(name, text))

/**
 * Returns the problems of an invalid value against its schema, one for each place (docs/rules/requests.md#all-problems-of-the-input-come-together).
 * Never empty.
 */
export function explainInvalidValue(schema: TSchema, value: unknown): ProblemFieldError[] {
  const issues = Errors(schema, value) as SchemaIssue[]
  const failed = issues.filter(({ keyword }) => keyword === 'anyOf').map(({ schemaPath }) => schemaPath)
  const nullables = failed.filter((path) => isNullable(schemaAt(schema, path)))
  const unions = failed.filter((path) => !nullables.includes(path))
  const found = issues
    // A member that may be null is explained by its other form.
    .filter(({ schemaPath, keyword }) =>
      keyword === 'anyOf'
        ? !nullables.includes(schemaPath)
        : !nullables.includes(unionOfNull(schema, schemaPath)),
    )
    // A union that does not fit is reported once, not once for each of its fields.
    .filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(`${union}/anyOf/`)))
    .flatMap((issue) => toErrors(issue, schema))
  const seen = new Set<string>()
  const distinct = found.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`
    return !seen.has(key) && seen.add(key)
  })
  // The value is invalid, so the list must not be empty.
  if (distinct.length === 0)
    return [{ pointer: '', code: 'invalid_format', detail: 'the request does not fit its schema' }]
  return distinct
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ pointer = '', ...rest }) => ({ pointer: pointer.slice(0, 300), ...rest }))
}

/** Returns the problems of a value against any schema; empty when it fits. */
export function listFieldErrors(schema: TSchema, value: unknown): ProblemFieldError[] {
  return Check(schema, value) ? [] : explainInvalidValue(schema, value)
}

/** Returns whether a schema is that of a value that may be null. */
function isNullable(node: Record<string, unknown> | undefined): boolean {
  const options = (node?.['anyOf'] ?? []) as { type?: string }[]
  return options.length === 2 && options.some(({ type }) => type === 'null')
}

/** Returns the path of the union whose option `null` is at a path; empty for any other path. */
function unionOfNull(schema: TSchema, path: string): string {
  return schemaAt(schema, path)?.['type'] === 'null' ? path.replace(/\/anyOf\/\d+$/, '') : ''
}

type Say = (code: FieldErrorCode, detail: string) => ProblemFieldError[]

type Explain = (issue: SchemaIssue, say: Say, schema: TSchema) => ProblemFieldError[]

const OUT_OF_RANGE: Explain = (issue, say, schema) => say('out_of_range', formatSchemaIssue(schema, issue))
const TOO_FEW: Explain = ({ params: { limit } }, say) =>
  say('required', `must have at least ${String(limit)} ${limit === 1 ? 'entry' : 'entries'}`)
const TOO_MANY: Explain = ({ params: { limit } }, say) =>
  say('too_many', `must have at most ${String(limit)} entries`)

/** The types of JSON in the words of people. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

/** The explanations by JSON Schema keyword; any other keyword is a wrong format. */
const EXPLAIN: Readonly<Record<string, Explain>> = {
  // `false` is the schema of an unknown field of a closed object.
  boolean: ({ instancePath, schemaPath }, say, schema) =>
    say('unknown_member', unknownWords(toFieldName(instancePath), schemaAt(schema, parentOf(schemaPath)))),
  required: (issue) => eachMember(issue, 'requiredProperties', 'required', () => 'is required'),
  additionalProperties: (issue, _, schema) => {
    const node = schemaAt(schema, issue.schemaPath)
    return eachMember(issue, 'additionalProperties', 'unknown_member', (name) => unknownWords(name, node))
  },
  type: ({ params: { type } }, say) => say('wrong_type', `must be ${TYPES[String(type)] ?? String(type)}`),
  enum: (issue, say, schema) => say('invalid_enum', formatSchemaIssue(schema, issue)),
  const: ({ params }, say) => say('invalid_enum', `must be ${String(params['allowedValue'])}`),
  anyOf: ({ schemaPath }, say, schema) => explainUnion(schemaPath, schema, say),
  minimum: OUT_OF_RANGE,
  maximum: OUT_OF_RANGE,
  exclusiveMinimum: OUT_OF_RANGE,
  exclusiveMaximum: OUT_OF_RANGE,
  multipleOf: OUT_OF_RANGE,
  minLength: (_, say) => say('required', 'must not be empty'),
  maxLength: ({ params }, say) => say('too_long', `must have at most ${String(params['limit'])} characters`),
  maxItems: TOO_MANY,
  maxProperties: TOO_MANY,
  minItems: TOO_FEW,
  minProperties: TOO_FEW,
  format: ({ params }, say) => {
    const format = String(params['format'])
    return say('invalid_format', FORMAT_HELP[format] ?? `must be a valid ${format}`)
  },
}

function toErrors(issue: SchemaIssue, schema: TSchema): ProblemFieldError[] {
  const { keyword, instancePath } = issue
  const name = toFieldName(instancePath)
  const say: Say = (code, detail) => [{ pointer: instancePath, code, detail: `${name} ${detail}`.trim() }]
  return EXPLAIN[keyword]?.(issue, say, schema) ?? say('invalid_format', formatSchemaIssue(schema, issue))
}

function eachMember(
  { params, instancePath }: SchemaIssue,
  list: string,
  code: FieldErrorCode,
  detailOf: (name: string) => string,
): ProblemFieldError[] {
  return (params[list] as string[]).map((name) => ({
    pointer: `${instancePath}/${encodePointerToken(name)}`,
    code,
    detail: `${name.slice(0, 60)} ${detailOf(name)}`,
  }))
}

/** The most fields that are listed; a longer list hides what is wrong. */
const MAX_LISTED_FIELDS = 6

/** Says that an object has no such field, and which one may be meant, or all that it has. */
function unknownWords(name: string, node: Record<string, unknown> | undefined): string {
  const known = Object.keys(node?.['properties'] ?? {})
  const meant = name.length > 60 ? undefined : (findClosestWord(name, known) ?? longerName(name, known))
  if (meant !== undefined) return `is unknown; did you mean ${meant}?`
  return known.length === 0 || known.length > MAX_LISTED_FIELDS
    ? 'is unknown'
    : `is unknown; known are ${known.join(', ')}`
}

/** Returns the field that an abbreviation stands for: `lat` is `latitude`. */
function longerName(name: string, known: readonly string[]): string | undefined {
  return name.length < 3 ? undefined : known.find((each) => each.startsWith(name))
}

function parentOf(schemaPath: string): string {
  return schemaPath.slice(0, schemaPath.lastIndexOf('/'))
}

const FORMAT_HELP: Record<string, string> = {
  'date-time': 'must be a time with its UTC offset, such as 2026-11-21T09:00:00Z',
  date: 'must be a date, such as 2026-11-21',
}

function explainUnion(path: string, schema: TSchema, say: Say): ProblemFieldError[] {
  const node = schemaAt(schema, path)
  const options = ((node?.['anyOf'] ?? []) as { const?: unknown }[]).map((option) => option.const)
  if (options.every((option) => option !== undefined)) {
    return say('invalid_enum', `must be one of ${options.map(String).join(', ')}`)
  }
  const own = node?.['errorMessage']
  return say('invalid_format', typeof own === 'string' ? own : 'has no form that is accepted here')
}
