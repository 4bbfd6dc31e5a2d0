/**
 * Changes one member in the text of a JSON file, comments allowed: every other byte stays as it was. Where the text
 * cannot be understood, nothing is changed.
 */
import { canonicalJson } from '../../core/canonical-json.ts'

type Entry = Record<string, unknown>

export type Edit =
  | { kind: 'changed'; text: string; before: Entry | undefined }
  | { kind: 'same' }
  | { kind: 'refused'; why: string }

/** Puts `entry` at `section.name`, over what is there; members of the old entry that the new one does not name stay. */
export function setEntry(text: string, section: string, name: string, entry: Entry): Edit {
  if (text.trim() === '')
    return { kind: 'changed', text: `${pretty({ [section]: { [name]: entry } }, '  ')}\n`, before: undefined }
  const plain = withoutComments(text)
  const root = parse(plain)
  if (!isObject(root)) return { kind: 'refused', why: 'is no JSON object' }
  const entries = root[section]
  if (entries !== undefined && !isObject(entries))
    return { kind: 'refused', why: `holds something else under ${section}` }
  const before = entries?.[name]
  if (before !== undefined && !isObject(before))
    return { kind: 'refused', why: `holds something else under ${section}.${name}` }
  const wanted = { ...before, ...entry }
  if (before !== undefined && canonicalJson(before) === canonicalJson(wanted)) return { kind: 'same' }
  const next = write(text, plain, [section, name], wanted)
  const meant = { ...root, [section]: { ...entries, [name]: wanted } }
  const read = parse(withoutComments(next))
  if (!isObject(read) || canonicalJson(read) !== canonicalJson(meant))
    return { kind: 'refused', why: 'is written in a way that cannot be changed safely' }
  return { kind: 'changed', text: next, before }
}

/** The entry as a file of its own, to be copied by hand. */
export function snippet(section: string, name: string, entry: Entry): string {
  return pretty({ [section]: { [name]: entry } }, '  ')
}

function write(
  text: string,
  plain: string,
  [section, name]: readonly [string, string],
  wanted: Entry,
): string {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const root = skipBlank(plain, 0)
  const holder = findMember(plain, root, section)
  if (holder === undefined) return insert(text, plain, root, section, { [name]: wanted }, ['', indent])
  const member = findMember(plain, holder.from, name)
  const deeper = indent.repeat(2)
  if (member === undefined) return insert(text, plain, holder.from, name, wanted, [indent, indent])
  return `${text.slice(0, member.from)}${shifted(wanted, indent, deeper)}${text.slice(member.to)}`
}

/** Behind the last member of the object that begins at `from`. */
function insert(
  text: string,
  plain: string,
  from: number,
  name: string,
  value: unknown,
  [outer, indent]: readonly [string, string],
): string {
  const members = membersOf(plain, from)
  const last = members.at(-1)
  const at = last === undefined ? from + 1 : last.to
  const inner = outer + indent
  const line = `\n${inner}${JSON.stringify(name)}: ${shifted(value, indent, inner)}`
  const [remark = '', , comma = ''] = REMARK.exec(text.slice(at)) ?? []
  const rest = text.slice(at + remark.length)
  const closing =
    last === undefined && rest.trimStart().startsWith('}') ? `\n${outer}${rest.trimStart()}` : rest
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  // Where a comma stands behind the last member, one stands behind the new one.
  const before = last === undefined || comma !== '' ? '' : ','
  const added = `${before}${remark}${line}${comma}`.replaceAll('\n', eol)
  return `${text.slice(0, at)}${added}${closing}`
}

/** What is said about a member to the end of its line stays with it. */
const REMARK =
  /^((?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*)(,?)(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/

function shifted(value: unknown, indent: string, by: string): string {
  return pretty(value, indent).replaceAll('\n', `\n${by}`)
}

function pretty(value: unknown, indent: string): string {
  return JSON.stringify(value, null, indent)
}

type Member = { name: string; from: number; to: number }

/** Of several with one name the last one counts, as for everybody who parses the file. */
function findMember(plain: string, object: number, name: string): Member | undefined {
  return membersOf(plain, object).findLast((member) => member.name === name)
}

/** The members of the object that begins at `at`; the text is known to be JSON. */
function membersOf(plain: string, at: number): Member[] {
  const members: Member[] = []
  let place = skipBlank(plain, at + 1)
  while (plain[place] === '"') {
    const end = skipString(plain, place)
    const from = skipBlank(plain, skipBlank(plain, end) + 1)
    const to = skipValue(plain, from)
    members.push({ name: JSON.parse(plain.slice(place, end)) as string, from, to })
    place = skipBlank(plain, to)
    if (plain[place] === ',') place = skipBlank(plain, place + 1)
  }
  return members
}

function skipBlank(text: string, at: number): number {
  let place = at
  while (/\s/.test(text[place] ?? '')) place += 1
  return place
}

function skipString(text: string, at: number): number {
  let place = at + 1
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1
  return place + 1
}

function skipValue(text: string, at: number): number {
  let depth = 0
  let place = at
  do {
    const char = text[place] ?? ''
    if (char === '"') {
      place = skipString(text, place)
      continue
    }
    if (depth === 0 && /[,}\]\s]/.test(char)) return place
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    place += 1
    if (depth === 0 && (char === '}' || char === ']')) return place
  } while (place < text.length)
  return place
}

/** The same text, as long as it was, with blanks where comments and commas before a bracket stood. */
function withoutComments(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ')
  return text
    .replace(/^\ufeff/, ' ')
    .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
      found.startsWith('"') ? found : blank(found),
    )
    .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found.startsWith('"') ? found : ' '))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
