/** The limits of what the server handles at a time. Callers share each of them; see `makeFairQuota`. */
export type Capacity = {
  connections: number
  /** Connections with a running request. Beyond that callers wait, so that running requests stay fast. */
  busy: number
  /** The most busy connections of one caller. */
  share: number
  /** Incomplete bodies of callers with an accepted credential. */
  bodies: number
  /** Incomplete bodies of all other callers. */
  anonymousBodies: number
  /** Requests that wait behind another one on the same connection. */
  pipelined: number
  /** Bytes of responses that are not yet read. */
  unread: number
  /** Pages that listen to what happens. */
  streams: number
}

/**
 * Milliseconds that a connection of a trusted proxy may be idle, unless --keep-alive says otherwise. Proxies keep
 * connections to reuse them, nginx for 60 s; the proxy must end them first, or it sends a request into a closed one.
 */
export const POOLED_KEEP_ALIVE_MS = 75_000

export const CAPACITY: Capacity = {
  // Below the 4,096 descriptors that many systems allow a process.
  connections: 3800,
  busy: 512,
  share: 128,
  bodies: 512,
  anonymousBodies: 128,
  pipelined: 8192,
  unread: 128 * 1_048_576,
  // About half of the connections, so that pages leave the others to callers.
  streams: 2000,
}
