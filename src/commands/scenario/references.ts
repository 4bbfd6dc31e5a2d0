/** Parses and resolves `${step.field}` in a scenario. */
import { isRecord } from '../../core/record.ts'
import { parseDuration, toTimestamp } from '../../core/time.ts'

/** The values for references: responses of steps by id, the variables under `var`, and the service's clock. */
export type ReferenceValues = { answers: ReadonlyMap<string, unknown>; now: number }

/** A reference without a value; its message is a sentence. */
export class LostReference extends Error {
  /** The first name of the reference. */
  readonly root: string

  constructor(message: string, root = '') {
    super(message)
    this.root = root
  }
}

export type Reference = { root: string; path: readonly (string | number)[]; text: string }

const PLACE = /(\$?)\$\{([^{}]*)\}/g
const NOW = /^now(?:([+-])([\dsmhd]{1,20}))?$/

/** Returns every reference within a value. */
export function findReferences(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(PLACE)].flatMap(([, escape, inner]) => (escape === '' ? [inner ?? ''] : []))
  if (Array.isArray(value)) return value.flatMap(findReferences)
  return isRecord(value) ? Object.values(value).flatMap(findReferences) : []
}

/** The mark of a step of an included file or of a row, before its id: files cannot contain it. */
const SCOPE = /^~\d+\./

/** Returns the id of a step, or a reference to one, as it is in its file. */
export function asWritten(text: string): string {
  return text.replace(SCOPE, '')
}

/**
 * Returns root and path of `step.list[0].field`; undefined when it is not a reference. `now` and `now+2h` have no path.
 */
export function parseReference(text: string): Reference | undefined {
  if (NOW.test(text)) return isNow(text) ? { root: 'now', path: [], text } : undefined
  const root = /^(?:~\d+\.)?[a-z][a-z0-9_]*/.exec(text)?.[0]
  if (root === undefined) return undefined
  const rest = text.slice(root.length)
  const parts = [...rest.matchAll(/\.([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]/g)]
  if (parts.map(([part]) => part).join('') !== rest) return undefined
  return { root, path: parts.map(([, name, index]) => name ?? Number(index)), text }
}

/** Replaces every reference in a value; one that is the whole text keeps its type. Throws LostReference. */
export function resolve(value: unknown, known: ReferenceValues): unknown {
  return rewrite(
    value,
    (text, isWhole) => {
      const found = resolveReference(text, known)
      if (isWhole || isScalar(found)) return found
      throw new LostReference(`\${${asWritten(text)}} is no text, so it cannot stand within one`)
    },
    (escaped) => escaped.slice(1),
  )
}

/**
 * Replaces every reference in a value by what `to` returns; `isWhole` says that it is the whole text. A field is omitted
 * where that is undefined. `unescape` replaces the characters `$${`.
 */
export function rewrite(
  value: unknown,
  to: (text: string, isWhole: boolean) => unknown,
  unescape: (escaped: string) => string = (escaped) => escaped,
): unknown {
  if (typeof value === 'string') {
    const [first] = [...value.matchAll(PLACE)]
    if (first !== undefined && first[0] === value && first[1] === '') return to(first[2] ?? '', true)
    return value.replaceAll(PLACE, (whole: string, escape: string, inner: string) =>
      escape === '' ? asText(to(inner, false)) : unescape(whole),
    )
  }
  if (Array.isArray(value))
    return value.map((one) => rewrite(one, to, unescape)).filter((one) => one !== undefined)
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(([name, one]) => [name, rewrite(one, to, unescape)] as const)
  return Object.fromEntries(members.filter(([, one]) => one !== undefined))
}

/** Returns a value within a text; no value is no text. */
export function asText(value: unknown): string {
  return isScalar(value) ? String(value) : ''
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function resolveReference(text: string, { answers, now }: ReferenceValues): unknown {
  const reference = parseReference(text)
  const shown = `\${${asWritten(text)}}`
  if (reference === undefined) throw new LostReference(`${shown} is no reference`)
  if (reference.root === 'now') return toTimestamp(now + offsetOf(text))
  if (!answers.has(reference.root))
    throw new LostReference(`${shown}: the step ${asWritten(reference.root)} gave no answer`, reference.root)
  let value = answers.get(reference.root)
  for (const part of reference.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
      const names = isRecord(value) ? Object.keys(value).slice(0, 30).join(', ') : ''
      throw new LostReference(
        `${shown} is not there: there is no ${String(part)}${names === '' ? '' : ` among ${names}`}`,
        reference.root,
      )
    }
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

function isNow(text: string): boolean {
  const [, , span] = NOW.exec(text) ?? []
  return span === undefined || parseDuration(span) !== undefined
}

function offsetOf(text: string): number {
  const [, sign, span] = NOW.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (span === undefined ? 0 : (parseDuration(span) ?? 0))
}
