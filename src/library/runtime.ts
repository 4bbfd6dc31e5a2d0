/** The machine, for the library: its clocks and random bytes, by what browsers, Node and programs at the edge have. */
import type { Machine } from '../core/machine.ts'

const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

export const MACHINE: Pick<Machine, 'now' | 'elapsed' | 'random' | 'weakRandomBytes' | 'sleep'> = {
  now: Date.now,
  elapsed: () => performance.now(),
  random,
  weakRandomBytes: random,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    }),
}
