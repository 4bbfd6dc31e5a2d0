/** Cells that hold no value: errors of spreadsheets, and the words that programs write for nothing. */
import type { Column } from '../columns/columns.ts'

/** `#N/A`, `#REF!` and `#NAME?` in every language: `#NV`, `#WERT!`, `#¡VALOR!`, `#¿NOMBRE?`; LibreOffice adds `Err:502`. */
const ERROR = /^(?:#[¡¿]?[\p{L}\d/_ ]{2,30}[!?]|#N\/[ABDV]|#N\/DISP|#NV|#Н\/Д|#GETTING_DATA|Err:\d{3})$/iu

/** A column that was too narrow for its numbers. */
const TOO_NARROW = /^#{3,}$/

const NOTHING = /^(?:null|\(null\)|<null>|\\n|nan|<na>|nat|none|undefined|\[object object\]|invalid date)$/i

/** Words of programs inside a text: `undefined Holloway`, `ORD-NaN`. No word of a person is spelt like these. */
const NOTHING_INSIDE = /(?<![\p{L}\d])(?:undefined|null|NaN|\[object Object\])(?![\p{L}\d])/u

/** Nearly no cell begins or contains like this, and one search tells. */
const SUSPECT = /^[#(<\\]|^err:|n[ua][ln]|nat$|none|undefined|\[object|invalid date/i

/** Null and Nan are names of people, in the spelling of names; NULL is one among other capitals. */
const NAME_POINTERS: ReadonlySet<string> = new Set(['/recipient/contact/name', '/recipient/company'])

type Kind = Pick<Column, 'read' | 'required' | 'pointer' | 'code'>

/** Returns whether a cell is to be read as if it were empty: a word for nothing where nothing is needed. */
export function isLikeEmpty(text: string, column: Kind): boolean {
  if (!SUSPECT.test(text)) return false
  if (isContact(column)) return NOTHING.test(text) || describeError(text) !== undefined
  return isFree(column) && NOTHING.test(text) && !isName(text, column)
}

/** Returns why a cell cannot be read, and what to do; undefined for a sound one. */
export function describeNoValue(text: string, column: Kind): string | undefined {
  if (!SUSPECT.test(text) || isContact(column)) return undefined
  const error = describeError(text)
  if (error !== undefined) return error
  return isNothing(text, column)
    ? `A program wrote this for an empty cell; write the ${column.required ? 'value' : 'value, or empty the cell'}.`
    : undefined
}

/** Returns what to do about an error of a spreadsheet; undefined for any other text. */
export function describeError(text: string): string | undefined {
  if (TOO_NARROW.test(text))
    return 'The column was too narrow to show its value; widen it in the spreadsheet and save the file again.'
  return ERROR.test(text)
    ? `${text} is an error of the spreadsheet; correct it there and save the file again.`
    : undefined
}

function isNothing(text: string, column: Kind): boolean {
  if (isFree(column)) return false
  if (NOTHING.test(text))
    return column.required || column.code === true ? !isName(text, column) : !/^none$/i.test(text)
  if (!column.required) return false
  return (
    NOTHING_INSIDE.test(text) ||
    (isNamed(column) && /(?<!\p{L})NULL(?!\p{L})/u.test(text) && /\p{Ll}/u.test(text))
  )
}

function isName(text: string, column: Kind): boolean {
  return isNamed(column) && /^(?:Null|Nan)$/.test(text)
}

function isNamed({ pointer }: Kind): boolean {
  return NAME_POINTERS.has(pointer)
}

function isContact({ read }: Kind): boolean {
  return read === 'phone' || read === 'email'
}

const FREE: ReadonlySet<string> = new Set(['text', 'line', 'place'])

/** A text that may be left out. `None` is an option of a dish, and a code that is wrong finds another item. */
function isFree({ read, required, pointer, code }: Kind): boolean {
  return FREE.has(read) && !required && code !== true && pointer !== '/modifier_groups'
}
