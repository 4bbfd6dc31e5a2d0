/** The fields of a command's answer, known before the command runs: `--fields` is checked before anything is sent. */
import { fieldNames } from '../core/fields.ts'
import { loadOutput } from '../generated/registry.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { AnswerFields, Args, CommandSpec } from './command.ts'

/**
 * Returns the dotted names of all fields that the answer, or each of its rows, may have; an object comes before its
 * fields, and `name.*` may hold anything. Undefined for a command that does not say.
 */
export async function findResultFields(
  { answer, operation }: CommandSpec,
  args: Args,
  { wait }: { wait: boolean },
): Promise<string[] | undefined> {
  const declared = typeof answer === 'function' ? answer(args) : answer
  const {
    of = [],
    fields = [],
    within = {},
  }: AnswerFields = declared ?? (operation === undefined ? {} : { of: [operation.name] })
  if (of.length + fields.length + Object.keys(within).length === 0) return undefined
  const ends = wait ? of.flatMap((name) => endOf(name) ?? []) : []
  const [responses, members] = await Promise.all([
    Promise.all([...of, ...ends].map((name) => namesOfResponse(name, ''))),
    Promise.all(Object.entries(within).map(([member, name]) => namesOfResponse(name, member))),
  ])
  return [...new Set([...fields.flatMap(withParents), ...responses.flat(), ...members.flat()])]
}

/** Returns the operation that reads what `--wait` follows; undefined for an operation that begins and changes no life. */
function endOf(name: string): string | undefined {
  return Object.values(RESOURCES).find(
    ({ creates, changes = [], cancel, life }) =>
      life !== undefined && [...creates, ...changes, cancel].includes(name),
  )?.show
}

async function namesOfResponse(name: string, path: string): Promise<string[]> {
  const output = await loadOutput(name)
  if (output === undefined) throw new Error(`there is no operation ${name}`)
  const { properties = {} } = output as { properties?: Record<string, { type?: string; items?: object }> }
  const { data, ...beside } = properties
  const rows = Object.values(beside).every(({ type }) => type === 'integer') ? data?.items : undefined
  // An answer that is nothing but its rows and their counts: its columns are fields of a row.
  return [...(rows === undefined ? [] : fieldNames(rows, path)), ...fieldNames(output, path)]
}

/** Returns `a`, `a.b` of `a.b`. */
function withParents(name: string): string[] {
  const parts = name.split('.')
  return parts.map((_, end) => parts.slice(0, end + 1).join('.'))
}
