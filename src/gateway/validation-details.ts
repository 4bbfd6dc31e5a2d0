import type { TSchema } from 'typebox'
import { Set as setFormat } from 'typebox/format'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import type { FieldError, FieldErrorCode } from '../errors.ts'
import { FORMAT_NAMES, testFormat } from './formats.ts'

/** As many problems as anybody reads; a hostile body would have a million. */
const MOST_ERRORS = 100
// One problem may be several issues. Without this there are 8 at most, and what matters may not be among them.
Settings.Set({ maxErrors: 1000 })

for (const name of FORMAT_NAMES) setFormat(name, (text) => testFormat(name, text))

type Issue = {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
  message: string
}

/** The problems of a value against its schema, one for each place, in the words of `contract.md` A9; never none. */
export function explain(schema: TSchema, value: unknown): FieldError[] {
  const issues = Errors(schema, value) as Issue[]
  const unions = issues
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ schemaPath }) => schemaPath)
  const found = issues
    // A union that does not fit is one problem, not one for each of its members.
    .filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(`${union}/anyOf/`)))
    .flatMap((issue) => toErrors(issue, schema))
  const seen = new Set<string>()
  const distinct = found.filter(({ pointer, code }) => {
    const key = `${pointer} ${code}`
    return !seen.has(key) && seen.add(key)
  })
  // Whoever asks has a value that does not fit, and must not be told that nothing is wrong with it.
  if (distinct.length === 0)
    return [{ pointer: '', code: 'invalid_format', detail: 'the request does not fit its schema' }]
  return distinct
    .slice(0, MOST_ERRORS)
    .map(({ pointer = '', ...rest }) => ({ pointer: pointer.slice(0, 300), ...rest }))
}

function toErrors(
  { keyword, schemaPath, instancePath, params, message }: Issue,
  schema: TSchema,
): FieldError[] {
  const members = (names: unknown, code: FieldErrorCode, say: (name: string) => string): FieldError[] =>
    (names as string[]).map((name) => ({
      pointer: `${instancePath}/${escape(name)}`,
      code,
      detail: say(name),
    }))
  const name = (instancePath.split('/').at(-1) ?? '').slice(0, 60)
  const one = (code: FieldErrorCode, detail: string): FieldError[] => [
    { pointer: instancePath, code, detail: `${name} ${detail}`.trim() },
  ]

  switch (keyword) {
    // The schema of a member that a closed object does not have.
    case 'boolean':
      return one('unknown_member', 'is not known here')
    case 'required':
      return members(params['requiredProperties'], 'required', (member) => `${member} is required`)
    case 'additionalProperties':
      return members(
        params['additionalProperties'],
        'unknown_member',
        (member) => `${member.slice(0, 60)} is not known here`,
      )
    case 'type':
      return one('wrong_type', `must be of type ${String(params['type'])}`)
    case 'enum':
      return one('invalid_enum', `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`)
    case 'anyOf':
    case 'oneOf':
      return explainUnion(schemaPath, schema, one)
    case 'const':
      return one('invalid_enum', `must be ${String(params['allowedValue'])}`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return one('out_of_range', message)
    case 'minLength':
      return one('required', 'must not be empty')
    case 'maxLength':
      return one('too_long', `must have at most ${String(params['limit'])} characters`)
    case 'maxItems':
    case 'maxProperties':
      return one('too_many', `must have at most ${String(params['limit'])} entries`)
    case 'minItems':
    case 'minProperties':
      return one(
        'required',
        `must have at least ${String(params['limit'])} ${params['limit'] === 1 ? 'entry' : 'entries'}`,
      )
    case 'format':
      return one(
        'invalid_format',
        FORMAT_HELP[String(params['format'])] ?? `must be a valid ${String(params['format'])}`,
      )
    default:
      return one('invalid_format', describe(schemaPath, schema) ?? message)
  }
}

const FORMAT_HELP: Record<string, string> = {
  'date-time': 'must be an instant with its offset, such as 2026-11-21T09:00:00Z',
  date: 'must be a date, such as 2026-11-21',
}

type Node = { anyOf?: { const?: unknown; format?: string; type?: string }[]; description?: string } & Record<
  string,
  unknown
>

function explainUnion(
  path: string,
  schema: TSchema,
  one: (code: FieldErrorCode, detail: string) => FieldError[],
): FieldError[] {
  const options = (resolve(path, schema)?.anyOf ?? []).map((option) => option.const)
  if (options.length > 0 && options.every((option) => option !== undefined)) {
    return one('invalid_enum', `must be one of ${options.join(', ')}`)
  }
  return one('invalid_format', describe(path, schema) ?? 'has no form that is accepted here')
}

/** The schema's own sentence about the place, written as `must …`. */
function describe(path: string, schema: TSchema): string | undefined {
  const node = resolve(path, schema)
  const help = node?.['errorMessage']
  return typeof help === 'string' ? help : undefined
}

function resolve(schemaPath: string, schema: TSchema): Node | undefined {
  let node: unknown = schema
  for (const part of schemaPath.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null) return undefined
    node = (node as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return typeof node === 'object' && node !== null ? (node as Node) : undefined
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
