/** The questions about headers: which is which, and what every parcel has that the file does not tell. */
import { type Problem, parseDimensions, parseLength, parseWeight } from '../csv/numbers.ts'
import type { Table } from '../csv/read.ts'
import { type ColumnName, columnOf } from '../manifest/columns.ts'
import { type Mapped, type MissingColumn, withOneSize } from '../manifest/map.ts'
import type { Missing } from '../prompts.ts'
import type { Ask } from '../questions.ts'

type Parts = {
  ask: Ask
  /** Gets the flags that answer the same. */
  answered: Missing[]
  table: Table
  mapped: Mapped
  /** What is answered is added to these. */
  map: Map<ColumnName, string>
  defaults: Map<ColumnName, string>
}

/** Asks what the headers leave open. */
export async function askMapping(parts: Parts): Promise<void> {
  const { ask, answered, table, mapped, map } = parts
  for (const { column, headers } of mapped.ambiguous) {
    const header = await ask.select({
      message: `Which column is ${column}?`,
      choices: headers.map((value) => choice(table, value)),
    })
    map.set(column, header)
    answered.push({ flag: '--map', value: `${column}=${header}` })
  }
  for (const missing of withOneSize(mapped.missing)) await askMissingColumn(missing, parts)
}

/** What people call the columns that exports lack. */
const WORDS: Partial<Record<ColumnName, { name: string; like: string }>> = {
  weight_grams: { name: 'weight', like: '1.2kg' },
  dimensions: { name: 'size', like: '30x20x10cm' },
}

async function askMissingColumn({ column, headers }: MissingColumn, parts: Parts): Promise<void> {
  const { ask, answered, table, mapped, map, defaults } = parts
  const { preset } = mapped.mapping
  const sample = columnOf(column).sample
  // What an export lacks stands under none of its headers: they are known.
  const isLacking = sample !== undefined && headers.length === 0 && preset !== undefined
  const header = isLacking ? undefined : await selectHeader(column, headers, table, ask)
  if (header !== undefined) {
    map.set(column, header)
    answered.push({ flag: '--map', value: `${column}=${header}` })
    return
  }
  const { name, like } = WORDS[column] ?? { name: column, like: sample }
  const lead = isLacking ? `This export has no ${name}: ` : ''
  const value = await ask.input({
    message: `${lead}${name} of every parcel${like === undefined ? '' : `, such as ${like}`}`,
    validate: (text) => problemOf(column, text),
  })
  defaults.set(column, value.trim())
  answered.push({ flag: '--default', value: `${column}=${value.trim()}` })
}

/** The header that was chosen; undefined for none of them. What may be meant comes first, then that it is none. */
async function selectHeader(
  column: ColumnName,
  likely: readonly string[],
  table: Table,
  ask: Ask,
): Promise<string | undefined> {
  const rest = table.header.filter((header) => header.trim() !== '' && !likely.includes(header))
  const header = await ask.select({
    message: `No column is ${column}. Take it from`,
    choices: [
      ...likely.map((value) => choice(table, value)),
      { value: '', name: 'none of them: it is the same for every parcel' },
      ...rest.map((value) => choice(table, value)),
    ],
  })
  return header === '' ? undefined : header
}

/** A header with the first value below it. */
function choice(table: Table, header: string): { value: string; name: string } {
  const at = table.header.indexOf(header)
  const sample = table.rows.map(({ cells }) => cells[at]?.trim() ?? '').find((cell) => cell !== '')
  return { value: header, name: sample === undefined ? header : `${header} (${sample.slice(0, 30)})` }
}

/** What is wrong with a value for every parcel, or undefined. Bare numbers are grams and millimetres. */
function problemOf(column: ColumnName, text: string): string | undefined {
  if (text.trim() === '') return 'Please type something.'
  const { kind } = columnOf(column)
  if (kind === 'weight') return detailOf(parseWeight(text, 'g'))
  if (kind === 'length') return detailOf(parseLength(text, 'mm'))
  return kind === 'dimensions' ? detailOf(parseDimensions(text, 'mm')) : undefined
}

function detailOf(parsed: number | number[] | Problem): string | undefined {
  return typeof parsed === 'object' && 'detail' in parsed ? parsed.detail : undefined
}
