/** How many there may be at a time. Callers share each of them; see `makeShares`. */
export type Capacity = {
  connections: number
  /** Connections with a request under way; beyond that callers wait, so that those inside stay fast. */
  busy: number
  /** How many of the busy connections one caller may have. */
  share: number
  /** Bodies that are not yet whole, of callers with an accepted credential. */
  bodies: number
  /** The same of all other callers. */
  anonymousBodies: number
  /** Requests that wait behind another one on their connection. */
  pipelined: number
  /** Bytes of answers that are not yet read. */
  unread: number
}

export const CAPACITY: Capacity = {
  // Below the 4,096 descriptors that many systems allow a process.
  connections: 3800,
  busy: 512,
  share: 128,
  bodies: 512,
  anonymousBodies: 128,
  pipelined: 8192,
  unread: 128 * 1_048_576,
}
