/**
 * Positions in the events of a store: opaque texts that readers give back. One holds the generation of the store and the event
 * that it follows, so that a position of a store that was replaced is not taken for one of this store.
 */
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { EVENT_POSITION_PATTERN } from '../core/event-position.ts'
import { sha256Hex } from '../core/hash.ts'
import { lastEventSeq } from './events.ts'
import { defineRow } from './table.ts'
import type { StoredWorld } from './world.ts'

/** The event that a position follows; `seq` is 0 before the first event. */
export type EventMark = { seq: number; event_id: string }

const FORM = new RegExp(EVENT_POSITION_PATTERN)

type Generation = Pick<StoredWorld, 'generation'>

const HASH_LENGTH = 12
const BEGINNING: EventMark = { seq: 0, event_id: '' }

const toMark = defineRow<EventMark>({ seq: 'integer', event_id: 'text' })

/** Returns the position after an event. */
export function formatPosition({ generation }: Generation, { seq, event_id }: EventMark): string {
  return `${sha256Hex(`${generation} ${seq} ${event_id}`).slice(0, HASH_LENGTH)}-${seq}`
}

/** Returns the last event of the store. */
export async function findLastEvent(tx: Tx): Promise<EventMark> {
  return findEventUpTo(tx, Number.MAX_SAFE_INTEGER)
}

async function findEventUpTo(tx: Tx, seq: number): Promise<EventMark> {
  const row = await tx.get('select seq, event_id from events where seq <= $1 order by seq desc limit 1', seq)
  return row === undefined ? BEGINNING : toMark(row)
}

/**
 * Returns the event that a position follows. A bare number is a sequence number of this generation. Throws `position_gone`, which
 * says where to begin, for a position of another generation and for one beyond the end.
 */
export async function resolveEventPosition(
  tx: Tx,
  stored: Pick<StoredWorld, 'generation' | 'generationFrom'>,
  given: string,
): Promise<EventMark> {
  const [, hash, digits = ''] = FORM.exec(given) ?? []
  const seq = Number(digits)
  const mark = await findEventUpTo(tx, seq)
  const isKnown =
    hash === undefined
      ? seq === 0 || seq <= (await lastEventSeq(tx))
      : mark.seq === seq && formatPosition(stored, mark) === given
  if (isKnown) return mark
  const first = formatPosition(stored, await findEventUpTo(tx, stored.generationFrom))
  throw new AppError(
    'position_gone',
    'No event of this store has this position: the store was reset, loaded or restored, or is another one.',
    { extra: { first } },
  )
}
