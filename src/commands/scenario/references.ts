/** Parses and resolves `${step.field}` in a scenario. */
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

/**
 * Returns root and path of `step.list[0].field`; undefined when it is not a reference. `now` and `now+2h` have no path.
 */
export function readReference(text: string): Reference | undefined {
  if (NOW.test(text)) return isNow(text) ? { root: 'now', path: [], text } : undefined
  const root = /^[a-z][a-z0-9_]*/.exec(text)?.[0]
  if (root === undefined) return undefined
  const rest = text.slice(root.length)
  const parts = [...rest.matchAll(/\.([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]/g)]
  if (parts.map(([part]) => part).join('') !== rest) return undefined
  return { root, path: parts.map(([, name, index]) => name ?? Number(index)), text }
}

/** Replaces every reference in a value; one that is the whole text keeps its type. Throws LostReference. */
export function resolve(value: unknown, known: ReferenceValues): unknown {
  if (typeof value === 'string') return resolveText(value, known)
  if (Array.isArray(value)) return value.map((one) => resolve(one, known))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, known)]))
}

function resolveText(text: string, known: ReferenceValues): unknown {
  const [first] = [...text.matchAll(PLACE)]
  if (first !== undefined && first[0] === text && first[1] === '') return lookUp(first[2] ?? '', known)
  return text.replaceAll(PLACE, (whole: string, escape: string, inner: string) => {
    if (escape !== '') return whole.slice(1)
    const found = lookUp(inner, known)
    if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean')
      return String(found)
    throw new LostReference(`\${${inner}} is no text, so it cannot stand within one`)
  })
}

function lookUp(text: string, { answers, now }: ReferenceValues): unknown {
  const reference = readReference(text)
  if (reference === undefined) throw new LostReference(`\${${text}} is no reference`)
  if (reference.root === 'now') return toTimestamp(now + offsetOf(text))
  if (!answers.has(reference.root))
    throw new LostReference(`\${${text}}: the step ${reference.root} gave no answer`, reference.root)
  let value = answers.get(reference.root)
  for (const part of reference.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) {
      const names = isRecord(value) ? Object.keys(value).slice(0, 30).join(', ') : ''
      throw new LostReference(
        `\${${text}} is not there: there is no ${String(part)}${names === '' ? '' : ` among ${names}`}`,
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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
