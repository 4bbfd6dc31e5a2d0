/**
 * Members of an input that only say how much of the response is wanted: `fields` of each read, and `results` of batches. The
 * answer is made, and stored under its key, without them: a repeat with others shows more of the same response.
 */
import type { TEnum, TString } from 'typebox'
import { namesAll, project, splitFields } from './fields.ts'

/** The input of every read that `defineOperation` makes. It is plain data, since clients load it without the schema library. */
export const FIELDS = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  pattern: '\\S',
  errorMessage: 'must name fields, with commas between them, such as status,total.amount',
  meaning:
    'Fields of the response, or of each row of a list, separated by commas: status,total.amount. All others are left out, even required ones. Default: all',
} as unknown as TString

/** The input of a batch. */
export const RESULTS_PARAM = {
  type: 'string',
  enum: ['all', 'problems'],
  default: 'all',
  description: 'Rows in the response; problems returns only rejected rows, counts covers all',
} as unknown as TEnum<['all', 'problems']>

type Input = Readonly<Record<string, unknown>>

/** Returns the input without the fields that only say how much of the response is wanted. */
export function omitViewOptions(given: Input): Record<string, unknown> {
  const { fields: _fields, results: _results, ...input } = given
  return input
}

/** Returns whether a response to this input may lack fields of its schema. */
export function hasFieldSelection(input: Input): boolean {
  return namesIn(input) !== undefined
}

/** Returns whether an input asks for its whole response. */
export function isFullView(input: Input): boolean {
  return !hasFieldSelection(input) && input['results'] !== 'problems'
}

/** Returns as much of a response as its input asks for; `assertKnownFields` has held the fields against the schema. */
export function applyViewOptions<V>(input: Input, value: V): V {
  const names = namesIn(input)
  const shown = names === undefined ? value : onlyFields(value, names)
  return (input['results'] === 'problems' ? onlyProblems(shown) : shown) as V
}

/** Returns the fields that an input asks for; undefined for all. */
function namesIn({ fields }: Input): string[] | undefined {
  return typeof fields === 'string' && !namesAll(fields) ? splitFields(fields) : undefined
}

function onlyFields(value: unknown, names: readonly string[]): unknown {
  const { data, has_more } = value as { data?: unknown; has_more?: unknown }
  return Array.isArray(data) && has_more !== undefined
    ? { ...(value as object), data: project(data, names, 'missing') }
    : project(value, names, 'missing')
}

function onlyProblems(value: unknown): unknown {
  const { results = [] } = value as { results?: readonly { result: string }[] }
  return { ...(value as object), results: results.filter(({ result }) => result === 'rejected') }
}
