/** Returns a name as a part of a JSON pointer (RFC 6901). */
export function encodePointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the name that a part of a JSON pointer stands for. */
export function decodePointerToken(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
