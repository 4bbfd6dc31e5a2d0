/** Returns true for loopback names and addresses, with or without the brackets of IPv6. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** Returns a host as it is written in a URL: an IPv6 address is in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** Returns a host without the brackets of IPv6. */
export function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Returns the network of an address, by which requests are counted: an IPv4 address itself, and the first 64 bits of
 * an IPv6 address, which one customer usually owns.
 */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().split('%', 1)[0] ?? ''
  const mapped = /^::ffff:([\d.]+)$/.exec(plain)?.[1]
  if (mapped !== undefined || !plain.includes(':')) return mapped ?? plain
  const [before, after] = plain.split('::', 2).map((part) => (part === '' ? [] : part.split(':')))
  const known = [...(before ?? []), ...(after ?? [])]
  const gap = after === undefined ? 0 : Math.max(0, 8 - known.length)
  return [...(before ?? []), ...Array.from({ length: gap }, () => '0'), ...(after ?? [])]
    .slice(0, 4)
    .join(':')
}

/** Returns true for `postgres://` and `postgresql://` addresses. */
export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location)
}
