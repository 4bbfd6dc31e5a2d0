import { INVISIBLE_CHARACTERS } from './hidden.ts'

/** Returns JSON in which invisible characters are `\u` escapes. It is lossless. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(INVISIBLE_CHARACTERS, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
