/** Invisible characters of a text: what they hide is read by programs, and not by people. */
import type { ProblemFieldError } from './errors.ts'
import { encodePointerToken } from './pointer.ts'

/** Texts without any: most of them. */
const PLAIN = /^[\t\n\r -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/

/** Letters of the scripts with words that need no joiner. */
const UNJOINED =
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Default_Ignorable_Code_Point}\\u0300-\\u036f]'

/** Hidden characters at places where a script or an emoji needs them; each alone, as a run of them could hold a message. */
const NEEDED = [
  // Joiners and breaks within words, as in Persian, Hindi, Sinhala and Khmer.
  `(?<=[[\\p{L}\\p{M}]--${UNJOINED}])[\\u200b-\\u200d]`,
  // Emoji that are made of several, and their colour.
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  // A place where a long word may be divided.
  '(?<=\\p{L})\\u00ad(?=\\p{L})',
  // Forms of a letter.
  '(?<=[\\p{Script=Han}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])[\\ufe00-\\ufe0f]',
  '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{Script=Mongolian}--\\u180e])[\\u180b-\\u180f]',
  // The flags of England, Scotland and Wales.
  '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
].join('|')

let needed: RegExp | undefined

/** A mark of direction, which a text in both directions may need. */
const MARK = /(?<![\u061c\u200e\u200f])[\u061c\u200e\u200f](?![\u061c\u200e\u200f])/g

/** Returns the first invisible character, as `U+202E`; undefined for a text that shows all it holds. */
export function hiddenIn(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined
  // Sets of scripts take long to make, and few programs see such a text.
  needed ??= new RegExp(NEEDED, 'gv')
  const seen = text.replaceAll(needed, '')
  const rightToLeft =
    /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u
  // Characters that fonts may ignore (marks and overrides of direction, joiners, tags, fillers), marks of annotations, and
  // control characters.
  const hidden = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/u
  const found = hidden.exec(rightToLeft.test(seen) ? seen.replaceAll(MARK, '') : seen)?.[0].codePointAt(0)
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
}

type Schema = {
  type?: string
  form?: string
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: readonly Schema[]
  'x-body-of'?: string
}

/** Control characters as JSON writes them. */
const ESCAPED = /\\[bfu]/

/**
 * Returns a fault for each text of a value with an invisible character. Codes are omitted, because they are cleaned;
 * and so are rows that another schema describes, which are checked one by one.
 */
export function hiddenFaults(schema: Schema, value: unknown): ProblemFieldError[] {
  // Nearly all values are plain, which is seen at once.
  const json = JSON.stringify(value) as string | undefined
  const isPlain = json === undefined || (PLAIN.test(json) && !ESCAPED.test(json))
  return isPlain ? [] : faultsIn(schema, value, '')
}

function faultsIn(schema: Schema, value: unknown, path: string): ProblemFieldError[] {
  if (typeof value === 'string') return schema.form === 'code' ? [] : faultOf(value, path)
  if (typeof value !== 'object' || value === null) return []
  const schemas = [schema, ...(schema.anyOf ?? [])]
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = schemas.map((each) => schemaOf(each, name)).find((each) => each !== undefined)
    return inner === undefined ? [] : faultsIn(inner, member, `${path}/${encodePointerToken(name)}`)
  })
}

/** Returns the schema of a field or an entry; an open object says nothing of its fields. */
function schemaOf(schema: Schema, name: string): Schema | undefined {
  const { type, properties, additionalProperties, items } = schema
  const isOpen = type === 'object' && additionalProperties !== false && schema['x-body-of'] === undefined
  return properties?.[name] ?? items ?? (isOpen ? OPEN : undefined)
}

const OPEN: Schema = { type: 'object' }

function faultOf(text: string, pointer: string): ProblemFieldError[] {
  const found = hiddenIn(text)
  if (found === undefined) return []
  const name = pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? ''
  const detail = `${name.slice(0, 60)} has ${found}, an invisible character; remove it`
  return [{ pointer, code: 'hidden_characters', detail }]
}
