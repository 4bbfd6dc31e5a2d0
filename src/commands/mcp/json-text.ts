/**
 * Changes one field in the text of a JSON file with comments; every other byte stays the same. A text that cannot be
 * parsed is not changed.
 */
import { type Node, parse as parseJson, type ParseError, parseTree } from 'jsonc-parser'
import { canonicalJson } from '../../core/canonical-json.ts'

type JsonObject = Record<string, unknown>

const BOM = '\ufeff'

type ConfigTextEdit = { kind: 'changed'; text: string } | { kind: 'same' } | { kind: 'refused'; why: string }

/** Writes `entry` at `section.name`; fields of an old entry that the new one does not name stay. */
export function setEntry(text: string, section: string, name: string, entry: JsonObject): ConfigTextEdit {
  if (text.startsWith(BOM)) return withBom(setEntry(text.slice(BOM.length), section, name, entry))
  if (text.trim() === '')
    return { kind: 'changed', text: `${pretty({ [section]: { [name]: entry } }, '  ')}\n` }
  const root = parse(text)
  if (!isJsonObject(root)) return { kind: 'refused', why: 'is not a JSON object' }
  const entries = root[section]
  if (entries !== undefined && !isJsonObject(entries))
    return { kind: 'refused', why: `has a different kind of value under ${section}` }
  const before = entries?.[name]
  const wanted = mergeEntry(before, entry)
  if (typeof wanted === 'string') return { kind: 'refused', why: `${wanted} under ${section}.${name}` }
  if (before !== undefined && canonicalJson(before) === canonicalJson(wanted)) return { kind: 'same' }
  const next = write(text, [section, name], wanted)
  const meant = { ...root, [section]: { ...entries, [name]: wanted } }
  const read = parse(next)
  if (!isJsonObject(read) || canonicalJson(read) !== canonicalJson(meant))
    return { kind: 'refused', why: 'is written in a way that cannot be changed safely' }
  return { kind: 'changed', text: next }
}

/** The fields of a server at an address, which programs do not take beside a command. */
const ADDRESSES = ['url', 'httpUrl', 'serverUrl']

/**
 * Returns the entry with the fields and the variables of the old one that it does not name, or what the old one holds
 * in place of a server that a program starts.
 */
function mergeEntry(before: unknown, entry: JsonObject): JsonObject | string {
  if (before === undefined) return entry
  if (!isJsonObject(before)) return 'holds something else'
  if (ADDRESSES.some((member) => Object.hasOwn(before, member))) return 'holds a server at an address'
  const { env: old = {} } = before
  const { env } = entry
  if (!isJsonObject(env)) return { ...before, ...entry }
  return isJsonObject(old) ? { ...before, ...entry, env: { ...old, ...env } } : 'holds another kind of env'
}

function withBom(edit: ConfigTextEdit): ConfigTextEdit {
  return edit.kind === 'changed' ? { ...edit, text: BOM + edit.text } : edit
}

/** Returns the entry as a file of its own, for a person to paste. */
export function snippet(section: string, name: string, entry: JsonObject): string {
  return pretty({ [section]: { [name]: entry } }, '  ')
}

function write(text: string, [section, name]: readonly [string, string], wanted: JsonObject): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (root === undefined) return text
  const holder = findMember(root, section)
  if (holder === undefined) return insert(text, root, [section, { [name]: wanted }], ['', indent])
  const member = findMember(holder, name)
  const deeper = indent.repeat(2)
  if (member === undefined) return insert(text, holder, [name, wanted], [indent, indent])
  const { offset, length } = member
  return `${text.slice(0, offset)}${shifted(wanted, indent, deeper)}${text.slice(offset + length)}`
}

/** Inserts after the last field of an object. */
function insert(
  text: string,
  { offset, children = [] }: Node,
  [name, value]: readonly [name: string, value: unknown],
  [outer, indent]: readonly [string, string],
): string {
  const last = children.at(-1)
  const at = last === undefined ? offset + 1 : last.offset + last.length
  const inner = outer + indent
  const line = `\n${inner}${JSON.stringify(name)}: ${shifted(value, indent, inner)}`
  const [remark = '', , comma = ''] = REMARK.exec(text.slice(at)) ?? []
  const rest = text.slice(at + remark.length)
  const closing =
    last === undefined && rest.trimStart().startsWith('}') ? `\n${outer}${rest.trimStart()}` : rest
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  // A trailing comma stays: the new field gets one, too.
  const before = last === undefined || comma !== '' ? '' : ','
  const added = `${before}${remark}${line}${comma}`.replaceAll('\n', eol)
  return `${text.slice(0, at)}${added}${closing}`
}

/** Matches a comment at the end of a member's line, which stays with the member. */
const REMARK =
  /^((?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*)(,?)(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/

function shifted(value: unknown, indent: string, by: string): string {
  return pretty(value, indent).replaceAll('\n', `\n${by}`)
}

function pretty(value: unknown, indent: string): string {
  return JSON.stringify(value, null, indent)
}

/** Returns the field of an object. The last of several with one name counts, as in every parser. */
function findMember(object: Node, name: string): Node | undefined {
  const member = object.children?.findLast(({ children }) => children?.[0]?.value === name)
  return member?.children?.[1]
}

/** Parses the file, ignoring comments and a trailing comma; returns undefined when it is not JSON. */
function parse(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true })
  return errors.length > 0 ? undefined : value
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
