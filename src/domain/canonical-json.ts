/**
 * RFC 8785 canonical JSON: members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them.
 * Members that are undefined are left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value as Record<string, unknown>)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('JSON has no infinite numbers')
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`JSON has no ${typeof value}`)
  return text
}

function canonicalObject(object: Record<string, unknown>): string {
  let text = ''
  for (const key of Object.keys(object).toSorted()) {
    const value = object[key]
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value)}`
  }
  return `{${text}}`
}
