/** Undoes what programs and people put around a value so that a spreadsheet keeps it as text. */
import { decodePlain } from './entities.ts'
import { isChanged } from './escape-coercion.ts'

/**
 * An apostrophe before a number, a code with digits in capitals or a sign: spreadsheets hide it, as they do before other
 * text that they would change. That of `'tis` and `'90s Café` belongs to its word.
 */
const APOSTROPHE = /^'(?=[=+\-@]|(?=.*\d)[\dA-Z][\dA-Z\s./,:_-]*$)/

/** A line break as workbooks spell it: programs that read those put it into CSV. */
const SPELT_BREAK = /_x000[Dd]_\n?/g

/** Nearly no cell begins or contains like this, and one search tells. */
const SUSPECT = /^[=']|&|_x000/

/** Returns the value of a cell such as `="000123"` or `'000123`, with its entities and line breaks decoded. */
export function unwrap(cell: string): string {
  if (!SUSPECT.test(cell)) return cell
  const plain = decodePlain(cell)
  const text = plain.includes('_x000') ? plain.replaceAll(SPELT_BREAK, '\n') : plain
  if (text.startsWith('="') && text.endsWith('"') && text.length > 2)
    return text.slice(2, -1).replaceAll('""', '"')
  return APOSTROPHE.test(text) || (text.startsWith("'") && isChanged(text.slice(1))) ? text.slice(1) : text
}
