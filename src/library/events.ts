/** Tells listeners of the events of a sandbox. */
import { RESOURCES } from '../areas/resources.ts'
import type { Db } from '../core/db.ts'
import { EVENT_KINDS } from '../core/event-kinds.ts'
import { listRecordedTypes } from '../core/event-types.ts'
import { wrong } from '../sandbox/control/clock.ts'
import { lastEventSeq, listEvents } from '../store/events.ts'
import type { EventKind, SandboxEvent } from './testing-types.ts'

const KINDS: readonly EventKind[] = EVENT_KINDS
const TYPES = listRecordedTypes(RESOURCES)

type Listener = { fits(type: string): boolean; tell(event: SandboxEvent): unknown }

export type Teller = {
  /** Listens to a type of events, from now on. Returns a function that ends it. Throws `invalid_request`. */
  on(type: string, tell: Listener['tell']): () => void
  /** Leaves out the events so far: those that a snapshot brought did not happen now. */
  skip(): void
  /**
   * Tells what happened, one event after another. While a listener runs, others who call this do not wait for it: a listener
   * may make calls.
   */
  tell(): Promise<void>
}

export function makeTeller(db: Db): Teller {
  const listeners = new Set<Listener>()
  let seen: Promise<number> | number = 0
  let telling = false

  const skip = (): void => {
    if (listeners.size > 0) seen = db.read(lastEventSeq)
  }

  async function tellAll(): Promise<void> {
    for (;;) {
      const after = await seen
      const [event] = await db.read((tx) => listEvents(tx, after, 1))
      if (event === undefined) return
      seen = event.seq
      const told = { ...event, data: event.data ?? {} } as SandboxEvent
      for (const { fits, tell } of listeners) if (fits(event.type)) await tell(told)
    }
  }

  return {
    on(type, tell) {
      const listener = { fits: fitting(type), tell }
      listeners.add(listener)
      if (listeners.size === 1) skip()
      return () => void listeners.delete(listener)
    },
    skip,
    async tell() {
      if (listeners.size === 0 || telling) return
      telling = true
      try {
        await tellAll()
      } finally {
        telling = false
      }
    },
  }
}

/** Returns whether an event has a type that was asked for. Throws for one that no event can have. */
function fitting(type: string): (given: string) => boolean {
  const [kind = '', what = ''] = type.split('.')
  if (type === '*') return () => true
  if (!(KINDS as readonly string[]).includes(kind) || what === '')
    throw wrong('type', `must be *, or begin with one of ${KINDS.map((name) => `${name}.`).join(', ')}`)
  if (what === '*') return (given) => given.startsWith(`${kind}.`)
  const words = TYPES.filter((each) => each.startsWith(`${kind}.`))
  if (!words.includes(type)) throw wrong('type', `must be one of ${kind}.*, ${words.join(', ')}`)
  return (given) => given === type
}
