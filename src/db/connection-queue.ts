/**
 * Shares the one connection of an SQLite store. Reads that wait at the same time see one snapshot, one after the other.
 * Writes that wait at the same time share one durable transaction, because the sync to the disk costs as much for many
 * writes as for one.
 */
import type { Tx } from '../core/db.ts'
import type { EventLoop, ScheduledCall } from '../core/event-loop.ts'
import { isSqliteBusy, RolledBackError } from './sqlite-errors.ts'

/** A read that waits for its snapshot. */
export type QueuedRead = {
  work: (tx: Tx) => Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** A write that waits for its transaction. */
export type QueuedWrite = QueuedRead & {
  /** It must share no transaction, because one that it shared did not commit. */
  alone: boolean
  /** It runs in a savepoint of its own, because a group had to be undone for one that failed, or one before it. */
  guarded: boolean
}

/** Tells the caller of a write its outcome. */
export type OutcomeCallback = () => void

export type TurnDeps = {
  /** Runs the first reads, at least one, on one snapshot, and removes them with their responses. */
  read(waiting: QueuedRead[], answer: (answer: OutcomeCallback) => void): Promise<void>
  /**
   * Runs the first writes of a group, at least one, in one transaction. Returns their responses, in order, once they are
   * durable. When it throws, none of the group is in the store.
   */
  commit(group: readonly QueuedWrite[]): Promise<OutcomeCallback[]>
  loop: EventLoop
  /** The milliseconds that another process may hold the store before writes that wait for it fail. */
  patience: number
}

export type ConnectionQueue = {
  /** Runs a read when the connection is idle, before the writes that wait. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Returns whether the connection is idle, and no read waits for it. */
  isIdle(): boolean
  /** Removes the reads that wait, and returns them. */
  release(): QueuedRead[]
  /** Runs reads that waited elsewhere, at once if the connection is idle. */
  adopt(reads: readonly QueuedRead[]): void
  /** Runs a job after everything before it, except writes that wait for another process. Returns what it returns. */
  last<T>(job: () => T): Promise<T>
}

/** The most writes of a group: these run again, one by one, when its commit fails. */
const MAX_WRITES_PER_COMMIT = 64
/** The most turns of the event loop for which a group waits while each of them brings another write. */
const MAX_WAIT_TURNS = 4
/** The groups that are guarded after one that had to be undone: where many fail, none should run twice. */
const GUARDED_GROUPS = 32
/** The pauses between two tries while another process writes, in milliseconds. */
const FIRST_PAUSE = 1
const MAX_RETRY_PAUSE_MS = 8
/** A store that was not tried for longer than this may have been free in the meantime. */
const STILL_HELD = 1000

export function makeConnectionQueue(deps: TurnDeps): ConnectionQueue {
  const reads: QueuedRead[] = []
  const ends: (() => void)[] = []
  const writes: QueuedWrite[] = []
  let inUse = false
  /** True if the time of a group came while the connection was in use. */
  let missed = false
  const next = planGroups(writes, deps.loop, () => void use(true))

  async function use(writing: boolean): Promise<void> {
    if (inUse) {
      missed ||= writing
      return
    }
    inUse = true
    // Only the reads that wait now: a stream of reads must not hold back a group.
    if (writing) await runReads(reads, deps)
    missed = false
    if (writing && writes.length > 0) await runGroup(writes, deps, next)
    // Reads keep coming while one of them gives way to the event loop.
    while (!missed && reads.length > 0) await runReads(reads, deps)
    inUse = false
    // A read that comes before the next turn of the event loop would make the group wait again.
    if (missed) return use(true)
    if (writes.length > 0) next.plan()
    if (writes.length === 0 || next.isPaused()) for (const end of ends.splice(0)) end()
  }

  return {
    read: (work) =>
      new Promise((resolve, reject) => {
        reads.push({ work, resolve: resolve as QueuedRead['resolve'], reject })
        if (reads.length > 1) return
        // Requests that arrived together share a snapshot, as writes share a transaction.
        deps.loop.turn(() => void use(false))
      }),
    write: (work) =>
      new Promise((resolve, reject) => {
        writes.push(makeWrite(work, resolve, reject))
        next.plan()
      }),
    isIdle: () => !inUse && reads.length === 0,
    release: () => reads.splice(0),
    adopt(others) {
      reads.push(...others)
      void use(false)
    },
    last: (job) =>
      new Promise((resolve) => {
        ends.push(() => resolve(Promise.try(job)))
        void use(false)
      }),
  }
}

/** The time at which the next group of writes begins. */
type NextGroup = {
  /** Milliseconds to wait before the next group, 0 for none. */
  pause: number
  /** The number of groups to come that run in savepoints from the start. */
  guarded: number
  /** The times at which another process was first and last found to hold the store; undefined after a commit. */
  held: { since: number; last: number } | undefined
  /** Begins a group in one of the next turns of the event loop, or after the pause, unless one is planned. */
  plan(): void
  /** Returns whether the group that is planned waits for its pause. */
  isPaused(): boolean
}

function planGroups(writes: readonly QueuedWrite[], { turn, later }: EventLoop, run: () => void): NextGroup {
  let planned: 'no' | 'next' | 'paused' = 'no'

  function begin(): void {
    planned = 'no'
    run()
  }

  /** Callers who were answered together write again together, but not all of them in one turn of the event loop. */
  function gather(before: number, turns: number): void {
    turn(() => {
      const { length } = writes
      if (length > before && length < MAX_WRITES_PER_COMMIT && turns > 0) gather(length, turns - 1)
      else begin()
    })
  }

  return {
    pause: 0,
    guarded: 0,
    held: undefined,
    plan() {
      if (planned !== 'no') return
      planned = this.pause === 0 ? 'next' : 'paused'
      if (this.pause === 0) gather(0, MAX_WAIT_TURNS)
      else later(begin, this.pause)
    },
    isPaused: () => planned === 'paused',
  }
}

/** Runs and answers the reads that wait now. A snapshot that cannot begin fails them all. */
async function runReads(reads: QueuedRead[], { read, loop }: TurnDeps): Promise<void> {
  if (reads.length === 0) return
  const waiting = reads.splice(0)
  const answers = makeAnswers(loop)
  await read(waiting, answers.add).catch((error: unknown) => {
    for (const { reject } of waiting.splice(0)) answers.add(() => reject(error))
  })
  reads.unshift(...waiting)
  answers.end()
}

/**
 * Collects the responses to reads that share a snapshot. They are given together, because callers who are answered one by one
 * wake one by one; but no later than at the next turn of the event loop, for which a long read gives way.
 */
function makeAnswers({ turn }: EventLoop): { add(answer: OutcomeCallback): void; end(): void } {
  const answers: OutcomeCallback[] = []
  let next: ScheduledCall = turn(giveAndGoOn)
  function give(): void {
    for (const answer of answers.splice(0)) answer()
  }
  function giveAndGoOn(): void {
    give()
    next = turn(giveAndGoOn)
  }
  return {
    add: (answer) => void answers.push(answer),
    end() {
      next[Symbol.dispose]()
      give()
    },
  }
}

/** Runs the group. Before it answers, it sets the pause before the next one. */
async function runGroup(
  writes: QueuedWrite[],
  { commit, loop, patience }: TurnDeps,
  next: NextGroup,
): Promise<void> {
  const group = removeNextGroup(writes)
  if (next.guarded > 0) {
    next.guarded--
    for (const write of group) write.guarded = true
  }
  try {
    const answers = await commit(group)
    next.pause = 0
    next.held = undefined
    writes.unshift(...group.slice(answers.length))
    for (const answer of answers) answer()
  } catch (error) {
    if (error instanceof RolledBackError) next.guarded = GUARDED_GROUPS
    const busy = isSqliteBusy(error)
    next.pause = busy ? Math.min(MAX_RETRY_PAUSE_MS, Math.max(FIRST_PAUSE, next.pause * 2)) : 0
    const isHeldForLong = busy && recordBusy(next, loop.elapsed()) >= patience
    writes.unshift(...group.filter((write) => isRepeated(write, group, error, isHeldForLong)))
  }
}

/** Notes that another process holds the store. Returns for how many milliseconds it has. */
function recordBusy(next: NextGroup, now: number): number {
  const { held } = next
  const since = held !== undefined && now - held.last <= STILL_HELD ? held.since : now
  next.held = { since, last: now }
  return now - since
}

/** Removes the writes of the next group from the queue. Those that must be alone failed, and so are before all others. */
function removeNextGroup(writes: QueuedWrite[]): QueuedWrite[] {
  return writes.splice(0, writes[0]?.alone === true ? 1 : MAX_WRITES_PER_COMMIT)
}

function makeWrite<T>(
  work: (tx: Tx) => Promise<T>,
  resolve: (result: T) => void,
  reject: QueuedWrite['reject'],
): QueuedWrite {
  return { work, alone: false, guarded: false, resolve: resolve as QueuedWrite['resolve'], reject }
}

/** Returns whether a write of a failed group runs again; otherwise answers it. */
function isRepeated(
  write: QueuedWrite,
  { length }: readonly QueuedWrite[],
  error: unknown,
  isHeldForLong: boolean,
): boolean {
  if (isSqliteBusy(error) ? !isHeldForLong : length > 1 || error instanceof RolledBackError) {
    // After one that was undone, the next groups are guarded.
    write.alone ||= !isSqliteBusy(error) && !(error instanceof RolledBackError)
    return true
  }
  write.reject(error)
  return false
}
