/** Puts one table into the text of a TOML file, in the form in which the file has it; every other byte stays the same. */
import { parse, TomlError } from 'smol-toml'
import { canonicalJson } from '../../core/canonical-json.ts'
import { type ConfigTextEdit, isJsonObject, mergeEntry } from './json-text.ts'
import { type TomlPair, scanToml } from './toml-scan.ts'

type ServerEntry = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }

const BOM = '\ufeff'

/** Writes the table `section.name`; members of an old one that the entry does not name stay. */
export function setTable(text: string, section: string, name: string, entry: ServerEntry): ConfigTextEdit {
  if (text.startsWith(BOM)) {
    const edit = setTable(text.slice(BOM.length), section, name, entry)
    return edit.kind === 'changed' ? { ...edit, text: BOM + edit.text } : edit
  }
  const root = readToml(text)
  if (typeof root === 'number') return { kind: 'refused', why: `is not valid TOML in line ${root}` }
  const { [section]: entries = {} } = root
  if (!isJsonObject(entries))
    return { kind: 'refused', why: `has a different kind of value under ${section}` }
  const merged = mergeEntry(entries[name], entry)
  if (typeof merged === 'string') return { kind: 'refused', why: `${merged} under ${section}.${name}` }
  if (isSame(entries[name], merged)) return { kind: 'same' }
  const next = isJsonObject(entries[name])
    ? changeTable(text, [section, name], entries[name], merged)
    : addTable(text, section, name, entry)
  const meant = { ...root, [section]: { ...entries, [name]: merged } }
  if (!isSame(readToml(next), meant))
    return { kind: 'refused', why: 'is written in a way that cannot be changed safely' }
  return { kind: 'changed', text: next }
}

/** Returns the table as TOML. */
export function tableText(section: string, name: string, entry: ServerEntry): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${literal(value)}`)
  return [`[${section}.${name}]`, ...lines, ''].join('\n')
}

/** Adds a table at the end; where the section is written at the root, as `a = {…}` or `a.b = …`, it cannot be opened again. */
function addTable(text: string, section: string, name: string, entry: ServerEntry): string {
  const isAtRoot = scanToml(text).pairs.some(({ table, path }) => table.length === 0 && path[0] === section)
  const added = isAtRoot ? insertPair(text, [section, name], literal(entry), 1) : undefined
  return added ?? append(text, tableText(section, name, entry))
}

/** Writes each member that differs where it stands, or beside the others. */
function changeTable(
  text: string,
  table: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string {
  const changed = Object.entries(after).filter(([key, value]) => !isSame(before[key], value))
  return changed.reduce((text, [key, value]) => {
    const old = before[key]
    const path = [...table, key]
    if (isJsonObject(old) && isJsonObject(value)) return changeTable(text, path, old, value)
    const known = scanToml(text).pairs.find((pair) => isSame(pair.path, path))
    if (known !== undefined) return text.slice(0, known.value) + literal(value) + text.slice(known.end)
    return (
      insertPair(text, path, literal(value), 2) ??
      append(text, `[${table.map(keyText).join('.')}]\n${keyText(key)} = ${literal(value)}\n`)
    )
  }, text)
}

/**
 * Inserts a pair into the table that holds the longest part of its path, of `least` keys at least. Returns undefined
 * where there is none.
 */
function insertPair(text: string, path: readonly string[], value: string, least: number): string | undefined {
  const { headers, pairs } = scanToml(text)
  for (let length = path.length - 1; length >= least; length -= 1) {
    const holder = path.slice(0, length)
    const pair = (from: number): string => `${path.slice(from).map(keyText).join('.')} = ${value}`
    const inline = pairs.find((each) => isSame(each.path, holder) && text[each.value] === '{')
    if (inline !== undefined) return insertInline(text, inline, pair(length))
    const beside = pairs.findLast(
      (each) => !each.isInline && each.table.length <= length && isSame(each.path.slice(0, length), holder),
    )
    if (beside !== undefined) return insertLine(text, beside, pair(beside.table.length))
    const header = headers.find((each) => !each.isArray && isSame(each.path, holder))
    if (header !== undefined) return insertLine(text, { key: header.end, end: header.end }, pair(length))
  }
  return undefined
}

function insertInline(text: string, { value, end }: TomlPair, pair: string): string {
  const body = text.slice(value + 1, end - 1).trimEnd()
  const comma = body.trim() === '' ? '' : ','
  return `${text.slice(0, value + 1)}${body}${comma} ${pair} ${text.slice(end - 1)}`
}

/** Inserts a line after the one of a pair, as far indented. */
function insertLine(text: string, { key, end }: Pick<TomlPair, 'key' | 'end'>, line: string): string {
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', key - 1) + 1, key)) ?? []
  const found = text.indexOf('\n', end)
  const at = found === -1 ? text.length : found + 1
  const gap = found === -1 ? eolOf(text) : ''
  return `${text.slice(0, at)}${gap}${indent}${line}${eolOf(text)}${text.slice(at)}`
}

function append(text: string, table: string): string {
  const eol = eolOf(text)
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${table.replaceAll('\n', eol)}`
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** Returns a text, a list of texts, or an object of these as TOML. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, member]) => `${keyText(key)} = ${literal(member)}`)
    .join(', ')} }`
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

/** Parses the file; returns the number of the first line that is not TOML when it fails. */
function readToml(text: string): Record<string, unknown> | number {
  try {
    return plain(parse(text, { integersAsBigInt: 'asNeeded' })) as Record<string, unknown>
  } catch (error) {
    if (error instanceof TomlError) return error.line
    throw error
  }
}

/** Returns a copy that JSON holds: dates, large integers and numbers that are none become texts with a mark. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'bigint') return `\0${value}`
  if (typeof value === 'number' && !Number.isFinite(value)) return `\0${value}`
  if (value instanceof Date) return `\0${value.toISOString()}`
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other
  return canonicalJson(one) === canonicalJson(other)
}
