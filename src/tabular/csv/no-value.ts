/** Cells that hold no value: formulas and errors of spreadsheets, and what people and programs write for nothing. */
import type { FileColumn } from '../columns/columns.ts'

/** `#N/A`, `#REF!` and `#NAME?` in every language: `#NV`, `#WERT!`, `#¡VALOR!`, `#¿NOMBRE?`; LibreOffice adds `Err:502`. */
const ERROR = /^(?:#[¡¿]?[\p{L}\d/_ ]{2,30}[!?]|#N\/[ABDV]|#N\/DISP|#NV|#Н\/Д|#GETTING_DATA|Err:\d{3})$/iu

/** A column that was too narrow for its numbers. */
const TOO_NARROW = /^#{3,}$/

/** A formula as it is in a cell; `="000123"` is a way to write a text, and `=====` is a line. */
const FORMULA =
  /^\s*=(?!"(?:[^"]|"")*"\s*$|[=\s]*$|==)|^\s*[+\-@](?:\$?[A-Z]{1,3}\$?\d+[+\-*/&^:]|[A-Z][A-Z.]*\()/i

/** The words that a spreadsheet writes for yes and no. */
const TRUTH = /^(?:TRUE|FALSE|WAHR|FALSCH|VRAI|FAUX|VERDADERO|FALSO|VERO)$/

const NOTHING = /^(?:null|\(null\)|<null>|\\n|nan|<na>|nat|none|undefined|\[object object\]|invalid date)$/i

/** Words of programs inside a text: `undefined Holloway`, `ORD-NaN`. No word of a person is spelt like these. */
const NOTHING_INSIDE = /(?<![\p{L}\d])(?:undefined|null|NaN|\[object Object\])(?![\p{L}\d])/u

/** Signs and words of people for a cell that they had to fill: `-`, `n/a`, `tbc`. No code is like these. */
const FILLER =
  /^(?:[\s.\-–—_/]+|\?{1,3}|n\.?\s?\/\s?a\.?|n\.\s?a\.|tb[acd]|unknown|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|not (?:given|known|provided|available|applicable))$/i

/** The most letters of a word for nothing: most cells are longer, and no pattern has to be tried. */
const MAX_FILLER_LENGTH = 16

/** Those that may be a code, or a word of a text. */
const SHORT_FILLER = /^(?:x+|0+|n\/?a|nil|no|keine?|aucune?|ning[uú]n[oa]?|nessun[oa]?)$/i

/** Nearly no cell begins or contains like this, and one search tells. */
const SUSPECT = /^[#(<\\]|^err:|n[ua][ln]|nat$|none|undefined|\[object|invalid date/i

/** Null and Nan are names of people, in the spelling of names; NULL is one among other capitals. */
const NAME_POINTERS: ReadonlySet<string> = new Set(['/recipient/contact/name', '/recipient/company'])

type Kind = Pick<FileColumn, 'read' | 'required' | 'pointer' | 'code'>

/** Returns whether a cell holds a sign or a word for nothing that is no code, name or place. */
export function isFiller(text: string): boolean {
  return text.length <= 20 && FILLER.test(text)
}

function isShortFiller(text: string): boolean {
  return text.length <= MAX_FILLER_LENGTH && SHORT_FILLER.test(text)
}

/** Returns whether a cell holds what a spreadsheet makes of yes or no. */
export function isTruth(text: string): boolean {
  return TRUTH.test(text)
}

/** Returns whether a cell holds what people and programs write where they have no value of a person. */
export function isNoPersonValue(text: string): boolean {
  return (
    text === '' ||
    isFiller(text) ||
    isShortFiller(text) ||
    (text.length <= MAX_FILLER_LENGTH && NOTHING.test(text))
  )
}

/** Returns whether a cell is to be read as if it were empty: a word for nothing where nothing is needed. */
export function isLikeEmpty(text: string, column: Kind): boolean {
  if (isFree(column) && isFiller(text)) return true
  if (!SUSPECT.test(text)) return false
  if (isContact(column)) return NOTHING.test(text) || describeError(text) !== undefined
  return isFree(column) && NOTHING.test(text) && !isName(text, column)
}

/** Returns why a cell cannot be read, and what to do; undefined for a sound one. Of several cells one may hold a filler. */
export function describeNoValue(text: string, column: Kind, isPart = false): string | undefined {
  if (isContact(column)) return undefined
  const error = SUSPECT.test(text) ? describeError(text) : undefined
  if (error !== undefined) return error
  const remedy = `write the value${column.required ? '' : ', or empty the cell'}.`
  if (TEXTS.has(column.read) && isTruth(text)) return `${text} is a truth value and no text; ${remedy}`
  if (!isPart && isNeededFiller(text, column)) return `This stands for an empty cell; ${remedy}`
  return SUSPECT.test(text) && isNothing(text, column)
    ? `A program wrote this for an empty cell; ${remedy}`
    : undefined
}

/** Returns what to do about a cell that holds a formula instead of its value, as the file has it; undefined for any other. */
export function describeFormula(cell: string): string | undefined {
  return FORMULA.test(cell)
    ? "It is a formula, not a value; save the file with the values, or write ' before it to keep it as text."
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

function isNeededFiller(text: string, { read, required, code }: Kind): boolean {
  if (!TEXTS.has(read)) return false
  return isFiller(text) ? required || code === true : required && code !== true && isShortFiller(text)
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

/** Returns whether its cells are telephone numbers or e-mail addresses, for which no parcel is rejected. */
export function isContact({ read }: Kind): boolean {
  return read === 'phone' || read === 'email'
}

/** Kinds of columns with words in their cells. */
const TEXTS: ReadonlySet<string> = new Set(['text', 'line', 'reference'])
const FREE: ReadonlySet<string> = new Set(['text', 'line', 'place'])

/** A text that may be skipped. `None` is an option of a dish, and a code that is wrong finds another item. */
function isFree({ read, required, pointer, code }: Kind): boolean {
  return FREE.has(read) && !required && code !== true && pointer !== '/modifier_groups'
}
