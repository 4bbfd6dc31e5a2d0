import type { ResultPage } from './context.ts'

/** A value as JSON text that travels as it is. An operation returns it when the text is known already. */
export class JsonText<T> {
  readonly text: string
  declare private readonly value: T

  constructor(text: string) {
    this.text = text
  }
}

/** Writes a value once, for the responses that follow. */
export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}

/** Writes the fields of an object that has some, without braces. */
export function serializeMembers<T extends object>(value: T): string {
  return JSON.stringify(value).slice(1, -1)
}

/** Writes a page of a list with rows that are text already. */
export function toPageText<T>({ data, ...rest }: ResultPage<JsonText<T>>): JsonText<ResultPage<T>> {
  return new JsonText(`{"data":[${data.map(({ text }) => text).join(',')}],${JSON.stringify(rest).slice(1)}`)
}

/**
 * Returns a function that cuts the text of an object before these keys of it. The parts are fields of the object,
 * without braces. It returns undefined unless the keys occur in this order. The first place of a key counts, at any
 * depth: no field before it may have the same key inside. `JSON.stringify` escapes every quote of a string, so that only
 * a key can look like one.
 */
export function makeCut<K extends readonly string[]>(
  ...keys: K
): (text: string) => [string, ...{ [At in keyof K]: string }] | undefined {
  const marks = keys.map((key) => `,"${key}":`)
  return (text) => {
    const parts: string[] = []
    let from = 1
    for (const mark of marks) {
      const at = text.indexOf(mark, from)
      if (at < from) return undefined
      parts.push(text.slice(from, at))
      from = at + 1
    }
    parts.push(text.slice(from, -1))
    return parts as [string, ...{ [At in keyof K]: string }]
  }
}

/** Returns the value of a field that was cut from an object. */
export function valueOf<T>(member: string): T {
  return JSON.parse(member.slice(member.indexOf(':') + 1)) as T
}
