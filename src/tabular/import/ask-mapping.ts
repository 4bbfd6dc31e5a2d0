/** The questions about headers: which is which, and what every parcel has that the file does not tell. */
import { type MappingResult, type MissingColumn, samplesOf, withWhole } from '../columns/mapping.ts'
import { truncate, type ParseResult, readMoney, readQuantity } from '../csv/cells.ts'
import { parseDimensions, parseLength, parseWeight } from '../csv/numbers.ts'
import type { DataTable } from '../csv/read.ts'
import type { FilePrompts, ImportPrompts } from './prompts.ts'

/** The reader of a value that every row would get: a bare number is in grams, millimetres or pounds. */
const READERS: Readonly<Record<string, (text: string) => ParseResult<unknown>>> = {
  weight: (text) => readQuantity(parseWeight(text, 'g')),
  length: (text) => readQuantity(parseLength(text, 'mm')),
  dimensions: (text) => readQuantity(parseDimensions(text, 'mm')),
  money: (text) => readMoney(text, 'GBP'),
}

type AskDeps = {
  ask: FilePrompts
  /** Gets the flags that answer the same. */
  answered: ImportPrompts['answered']
  table: DataTable
  mapped: MappingResult
  /** Answers are added to these two. */
  map: Map<string, string>
  defaults: Map<string, string>
}

/** Asks what the headers leave open. */
export async function askMapping(deps: AskDeps): Promise<void> {
  const { ask, answered, table, mapped, map } = deps
  for (const { column, headers } of mapped.ambiguous) {
    const header = await ask.select({
      message: `Which column is ${column}?`,
      choices: headers.map((value) => choice(table, value)),
    })
    map.set(column, header)
    answered.push({ flag: '--map', value: `${column}=${header}` })
  }
  for (const missing of withWhole(mapped)) await askMissingColumn(missing, deps)
}

async function askMissingColumn({ column, headers }: MissingColumn, deps: AskDeps): Promise<void> {
  const { ask, answered, table, mapped, map, defaults } = deps
  const { preset, kind } = mapped.mapping
  const { sample, asked, read } = kind.columnOf(column)
  // The headers of an export are known: none of them holds a column that it lacks.
  const isLacking = sample !== undefined && headers.length === 0 && preset !== undefined
  const header = isLacking ? undefined : await selectHeader({ column, likely: headers }, table, kind.row, ask)
  if (header !== undefined) {
    map.set(column, header)
    answered.push({ flag: '--map', value: `${column}=${header}` })
    return
  }
  const { name, like } = asked ?? { name: column, like: sample }
  const lead = isLacking ? `This export has no ${name}: ` : ''
  const value = await ask.input({
    message: `${lead}${name} of every ${kind.row}${like === undefined ? '' : `, such as ${like}`}`,
    validate(text) {
      const reading = READERS[read]?.(text)
      if (text.trim() === '') return 'Please type a value.'
      return reading !== undefined && 'fault' in reading ? reading.fault.detail : undefined
    },
  })
  defaults.set(column, value.trim())
  answered.push({ flag: '--default', value: `${column}=${value.trim()}` })
}

/** The header that was chosen; undefined for none of them. What may be meant comes first, then that it is none. */
async function selectHeader(
  { column, likely }: { column: string; likely: readonly string[] },
  table: DataTable,
  row: string,
  ask: FilePrompts,
): Promise<string | undefined> {
  const rest = table.header.filter((header) => header.trim() !== '' && !likely.includes(header))
  const header = await ask.select({
    message: `No column is ${column}. Take it from`,
    choices: [
      ...likely.map((value) => choice(table, value)),
      { value: '', name: `none of them: it is the same for every ${row}` },
      ...rest.map((value) => choice(table, value)),
    ],
  })
  return header === '' ? undefined : header
}

/** A header with the first values below it. */
function choice(table: DataTable, header: string): { value: string; name: string } {
  const values = samplesOf(table, header).map((value) => truncate(value, 30))
  return { value: header, name: values.length === 0 ? header : `${header} (${values.join(', ')})` }
}
