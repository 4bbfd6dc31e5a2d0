import { HIDDEN } from './hidden.ts'

/** JSON that shows everything and loses nothing: what JSON.stringify leaves invisible is a `\u` escape. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(HIDDEN, (found) =>
    Array.from(
      { length: found.length },
      (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
