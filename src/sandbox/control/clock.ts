/** The parts that the clock calls share. */
import type { Static } from 'typebox'
import { type ClockState, serviceNow } from '../../core/clock.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { parseDuration, parseTimestamp, toTimestamp } from '../../core/time.ts'
import { MAX_DUE_BATCH_EVENTS, findNextDueTime } from '../../db/timeline.ts'
import { loadWorld, lockWorld, type StoredWorld, saveClock } from '../../db/world.ts'
import { runDueEvents } from '../due-events.ts'
import { runDueBatch } from '../tick.ts'
import type { ControlContext } from './control.ts'
import type { clock } from './schema.ts'

export async function serializeClock(
  tx: Tx,
  { clock: state }: StoredWorld,
  now: number,
): Promise<Static<typeof clock>> {
  const next = await findNextDueTime(tx)
  return {
    now: toTimestamp(now),
    mode: state.mode,
    factor: state.factor,
    next_due_at: next === undefined ? null : toTimestamp(next),
  }
}

/**
 * Moves the clock, then lets everything happen that is due by then, in the store's order, a batch to a transaction.
 * A crash in between loses nothing: what is left runs at the next read.
 */
export async function moveClock(
  { db, now: realNow }: Pick<ControlContext, 'db' | 'now'>,
  change: (state: ClockState, realNow: number) => ClockState,
): Promise<number> {
  const target = await db.write(async (tx) => {
    const { clock: before } = await lockWorld(tx)
    const machine = realNow()
    const after = change(before, machine)
    await saveClock(tx, after)
    return serviceNow(after, machine)
  })
  let total = 0
  for (;;) {
    const applied = await db
      .write(async (tx) => {
        const { world } = await loadWorld(tx)
        return runDueEvents({ tx, world, at: target }, {})
      })
      .catch((error: unknown) => {
        throw moved(error, target)
      })
    total += applied
    if (applied < MAX_DUE_BATCH_EVENTS) return total
  }
}

/** The failure of a call whose clock moved: a caller who repeats it would move the clock twice. */
function moved(error: unknown, target: number): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, errors, extra } = error
  return new AppError(
    code,
    `${message} The clock moved all the same, to ${toTimestamp(target)}: do not move it again.`,
    { errors, extra, cause: error, hint: 'Events due by then take place with the next call that succeeds.' },
  )
}

/** The time that a call that looks at the whole world lets it catch up first. */
const CATCH_UP_MS = 50

/** Applies due events of a served sandbox, every second: without it they would wait for the next read. */
export async function runDueUntil({ db, now }: Pick<ControlContext, 'db' | 'now'>): Promise<void> {
  const until = now() + CATCH_UP_MS
  while ((await runDueBatch(db, now)) && now() < until) continue
}

export function parseInstantField(text: string, member: string): number {
  const at = parseTimestamp(text)
  if (at !== undefined) return at
  throw invalidMemberError(member, 'must be a time with its UTC offset, such as 2026-11-21T09:00:00Z')
}

/** Returns a duration in milliseconds. Throws `invalid_request`. */
export function readSpan(text: string, member: string): number {
  const span = parseDuration(text)
  if (span !== undefined) return span
  throw invalidMemberError(member, 'must be a duration such as 90s, 2h, 3d or P1DT2H')
}

export function invalidMemberError(member: string, problem: string): AppError {
  const detail = `${member} ${problem}`
  return new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: `/${member}`, code: 'invalid_format', detail }],
  })
}
