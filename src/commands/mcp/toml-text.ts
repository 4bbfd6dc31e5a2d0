/** Adds one table at the end of a TOML file; the rest of the text stays the same. */
import { parse, TomlError, type TomlTable } from 'smol-toml'
import type { Edit } from './json-text.ts'

type ServerEntry = { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> }

/** Writes the table `[section.name]`. An existing one is changed only when it is as simple as ours. */
export function setTable(text: string, section: string, name: string, entry: ServerEntry): Edit {
  const table = tableText(section, name, entry)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const read = readToml(text)
  if (typeof read === 'number') return { kind: 'refused', why: `is no TOML in line ${read}` }
  const known = findTable(text, section, name)
  if (known === undefined) {
    if (Object.hasOwn(sectionOf(read, section), name))
      return { kind: 'refused', why: `holds ${section}.${name} in another form` }
    const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol
    return { kind: 'changed', text: `${text}${gap}${table.replaceAll('\n', eol)}`, before: undefined }
  }
  const body = text.slice(known.from, known.to)
  if (lines(body).join('\n') === lines(table).join('\n')) return { kind: 'same' }
  const simple = lines(body).every((line) => /^(?:\[|(?:command|args|env)\s*=\s*["[{].*["\]}]$)/.test(line))
  if (!simple) return { kind: 'refused', why: `holds more in ${section}.${name} than can be changed safely` }
  const rest = text.slice(known.to)
  const changed = `${table}${rest === '' ? '' : '\n'}`.replaceAll('\n', eol)
  return { kind: 'changed', text: `${text.slice(0, known.from)}${changed}${rest}`, before: {} }
}

/** Returns the table as TOML. */
export function tableText(section: string, name: string, { command, args, env }: ServerEntry): string {
  const pairs = Object.entries(env ?? {}).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return [
    `[${section}.${name}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    ...(pairs.length > 0 ? [`env = { ${pairs.join(', ')} }`] : []),
    '',
  ].join('\n')
}

function findTable(text: string, section: string, name: string): { from: number; to: number } | undefined {
  const heads = [...text.matchAll(/^[ \t]*\[[^\n]*$/gm)]
  const index = heads.findIndex(([head]) => nameOf(head) === `${section}.${name}`)
  const head = heads[index]
  if (head === undefined) return undefined
  return { from: head.index, to: heads[index + 1]?.index ?? text.length }
}

/** Returns the plain name of a table: `[ mcp_servers . "dray" ]` is `mcp_servers.dray`. */
function nameOf(head: string): string {
  return head.replace(/#.*$/, '').replaceAll(/[\s[\]"']/g, '')
}

/** Parses the file; returns the number of the first line that is not TOML when it fails. */
function readToml(text: string): TomlTable | number {
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof TomlError) return error.line
    throw error
  }
}

/** Returns the tables of a section, in either notation. */
function sectionOf(file: TomlTable, section: string): object {
  const found = file[section]
  return typeof found === 'object' ? found : {}
}

function lines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
