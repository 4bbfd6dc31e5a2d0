/**
 * Returns a key as it was sent, or unquoted from the structured-field string of the draft; undefined for a text
 * that is not 1 to 255 visible ASCII characters (docs/rules/idempotency.md#a-key-is-visible-ascii).
 */
export function parseIdempotencyKey(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? text
  return /^[\x21-\x7e]{1,255}$/.test(key) ? key : undefined
}
