/**
 * The meanings of headers, as the reader of files looks them up: the words of all languages, and the headers of the columns of each
 * kind of file. A file with headers of its own would else wait while its words are read.
 */
import type { FileColumn } from '../tabular/columns/columns.ts'
import type { HeaderPart, PartIndex } from '../tabular/columns/match.ts'
import { WORD_MEANINGS } from '../tabular/columns/words.ts'
import { headerKey, stripUnderscores, wordKeys } from '../tabular/csv/keys.ts'

/** Returns the source of the words of headers, in the form in which they are compared, between spaces. */
export function headerWordsSource(): string {
  const keysOf = (list: string): string =>
    [...new Set(list.split(',').flatMap(wordKeys))].filter((key) => key !== '').join(' ')
  const compared = (table: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(table).map(([name, lists]) => [name, lists.split('|').map(keysOf).join('|')]),
    )
  const { owners, parts, fillers } = WORD_MEANINGS
  return textSource('HEADER_WORDS', { owners: compared(owners), parts: compared(parts), fillers })
}

/** Returns the source of the headers of these columns, by what they mean. */
export async function headerPartsSource(columns: readonly FileColumn[]): Promise<string> {
  const readParts = await partReader()
  const index: PartIndex = { literal: {}, parts: {}, meanings: {} }
  for (const column of columns) {
    const own = readParts(column, column.part)
    for (const { literal, means, part } of own) {
      if (literal !== undefined) index.literal[literal] = part
      else (index.parts[means] ??= []).push(part)
    }
    const lists = own.flatMap(({ means }) => (means === '' ? [] : [means.split('+')]))
    index.meanings[column.name] = {
      heads: lists.filter((list) => list.length === 1).flat(),
      all: [...new Set(lists.flat())],
    }
  }
  // A name means what other headers of its words do, unless a column is declared for these.
  for (const [named] of columns.map((column) => readParts(column, column.name.replaceAll('_', ' ')))) {
    if (named === undefined || named.literal !== undefined) continue
    const others = (index.parts[named.means] ??= [])
    if (others.every(({ owners }) => owners.join('+') !== named.part.owners.join('+')))
      others.push(named.part)
  }
  return textSource('HEADER_PARTS', index)
}

/** Returns the source of the words for columns in languages other than English: those of a column's first header of one meaning. */
export async function headerNamesSource(
  kinds: Readonly<Record<string, readonly FileColumn[]>>,
): Promise<string> {
  const readParts = await partReader()
  const names = Object.entries(kinds).map(([kind, columns]) => {
    const all = columns.flatMap((column): [string, string[]][] => {
      const own = readParts(column, `${column.name.replaceAll('_', ' ')}, ${column.part}`).find(
        ({ means, part: { owners, tier } }) =>
          tier === 0 && means !== '' && !means.includes('+') && owners.length === 0,
      )
      const words = own === undefined ? [] : foreignWords(own.means)
      return words.length === 0 ? [] : [[column.name, words]]
    })
    return [kind, Object.fromEntries(all)]
  })
  return `export const HEADER_NAMES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(Object.fromEntries(names))}\n`
}

/** Returns the first word of a meaning in each language but English, each once. */
function foreignWords(meaning: string): string[] {
  const [, ...others] = (WORD_MEANINGS.owners[meaning] ?? WORD_MEANINGS.parts[meaning] ?? '').split('|')
  return [...new Set(others.flatMap((words) => words.trim().split(/\s*,\s*/, 1)))].filter(Boolean)
}

type HeaderDefinition = { part: HeaderPart; means: string; literal?: string }

/** Returns what reads the headers of a declaration as what they mean; it needs the words, which are generated before. */
async function partReader(): Promise<(column: FileColumn, headers: string) => HeaderDefinition[]> {
  const { parseHeader } = await import('../tabular/columns/header-parser.ts')
  return ({ name }, headers) =>
    headers.split(';').flatMap((texts, tier) =>
      texts
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== '')
        .map((text): HeaderDefinition => {
          const { readings, unknown } = parseHeader(text)
          const { owners = [], parts = [] } =
            readings.find(({ languages }) => languages.includes('E')) ?? readings[0] ?? {}
          const part = { column: name, owners, tier }
          return unknown.length > 0 || text.startsWith('"')
            ? { part, means: '', literal: stripUnderscores(headerKey(text)) }
            : { part, means: parts.join('+') }
        }),
    )
}

/** Returns the source of a value as a text, which costs nothing until its first use. */
function textSource(name: string, value: unknown): string {
  return `export const ${name} = ${JSON.stringify(JSON.stringify(value))}\n`
}
