/** Tells listeners of the events of a sandbox. */
import { RESOURCES } from '../areas/resources.ts'
import type { Db } from '../core/db.ts'
import { EVENT_KINDS } from '../core/event-kinds.ts'
import { listRecordedTypes } from '../core/event-types.ts'
import { lastEventSeq, listRecordedEvents } from '../db/events.ts'
import { loadWorld } from '../db/world.ts'
import { invalidMemberError } from '../sandbox/control/clock.ts'
import type { EventKind, SandboxEvent } from './testing-types.ts'

const KINDS: readonly EventKind[] = EVENT_KINDS
const TYPES = listRecordedTypes(RESOURCES)

/** The last event that was told, and the generation of the store that it belongs to. */
type EventCursor = { seq: number; generation: string }

type Listener = { fits(type: string): boolean; tell(event: SandboxEvent): unknown }

export type EventDispatcher = {
  /** Listens to a type of events, from now on. Returns a function that ends it. Throws `invalid_request`. */
  on(type: string, tell: Listener['tell']): () => void
  /**
   * Says what happened, one event after another. While a listener runs, others who call this do not wait for it: a listener
   * may make calls.
   */
  tell(): Promise<void>
}

export function makeEventDispatcher(db: Db): EventDispatcher {
  const listeners = new Set<Listener>()
  let seen: Promise<EventCursor> | EventCursor = { seq: 0, generation: '' }
  let telling = false

  /** Reads the event that follows the last one. Events that a new beginning of the sandbox brought along did not happen now. */
  const readNext = (last: EventCursor) =>
    db.read(async (tx) => {
      const { generation, generationFrom } = await loadWorld(tx)
      const after = generation === last.generation ? last.seq : generationFrom
      const [event] = await listRecordedEvents(tx, after, 1)
      return { event, seen: { seq: event?.seq ?? after, generation } }
    })

  async function tellAll(): Promise<void> {
    for (;;) {
      const next = await readNext(await seen)
      seen = next.seen
      const { event } = next
      if (event === undefined) return
      const told = { ...event, data: event.data ?? {} } as SandboxEvent
      for (const { fits, tell } of listeners) if (fits(event.type)) await tell(told)
    }
  }

  return {
    on(type, tell) {
      const listener = { fits: fitting(type), tell }
      listeners.add(listener)
      if (listeners.size === 1)
        seen = db.read(async (tx) => ({
          seq: await lastEventSeq(tx),
          generation: (await loadWorld(tx)).generation,
        }))
      return () => void listeners.delete(listener)
    },
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

/** Returns whether an event has a type that was requested. Throws for one that no event can have. */
function fitting(type: string): (given: string) => boolean {
  const [kind = '', what = ''] = type.split('.')
  if (type === '*') return () => true
  if (!(KINDS as readonly string[]).includes(kind) || what === '')
    throw invalidMemberError(
      'type',
      `must be *, or begin with one of ${KINDS.map((name) => `${name}.`).join(', ')}`,
    )
  if (what === '*') return (given) => given.startsWith(`${kind}.`)
  const words = TYPES.filter((each) => each.startsWith(`${kind}.`))
  if (!words.includes(type)) throw invalidMemberError('type', `must be one of ${kind}.*, ${words.join(', ')}`)
  return (given) => given === type
}
