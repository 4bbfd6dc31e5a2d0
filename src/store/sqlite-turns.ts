/**
 * Shares the one connection of an SQLite store. Reads that wait at the same time see one snapshot, one after the other.
 * Writes that wait at the same time share one durable transaction, because the sync to the disk costs as much for many
 * writes as for one.
 */
import type { Tx } from '../core/db.ts'
import { isBusy } from './sqlite-errors.ts'

/** A read that waits for its snapshot. */
export type Read = {
  work: (tx: Tx) => Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** A write that waits for its transaction. */
export type Write = Read & {
  /** It must share no transaction, because one that it shared did not commit. */
  alone: boolean
  /** When it began to wait, by `elapsed`. */
  since: number
}

/** Tells the caller of a write its outcome. */
export type Answer = () => void

export type TurnDeps = {
  /** Runs the first reads, at least one, on one snapshot, and removes them with their answers. */
  read(waiting: Read[], answer: (answer: Answer) => void): Promise<void>
  /**
   * Runs the first writes of a group, at least one, in one transaction. Returns their answers, in order, once they are
   * durable. When it throws, none of the group is in the store.
   */
  commit(group: readonly Write[]): Promise<Answer[]>
  /** A monotonic clock in milliseconds. */
  elapsed(): number
  /** How long a write waits for another process, in milliseconds. */
  patience: number
}

export type Turns = {
  /** Runs a read when nobody uses the connection, before the writes that wait. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs a job after everything before it, except writes that wait for another process. */
  last(job: () => void): Promise<void>
}

/** The most writes of a group: these run again, one by one, when its commit fails. */
const MOST = 64
/** The pauses between two tries while another process writes, in milliseconds. */
const FIRST_PAUSE = 1
const LONGEST_PAUSE = 8

/** Whether the next group is planned: for the next turn of the event loop, or after a pause. */
type Planned = 'no' | 'next' | 'paused'

export function makeTurns(deps: TurnDeps): Turns {
  const reads: Read[] = []
  const ends: (() => void)[] = []
  const writes: Write[] = []
  let inUse = false
  /** Whether the time of a group came while the connection was in use. */
  let missed = false
  let planned: Planned = 'no'
  let pause = 0

  function plan(): void {
    if (planned !== 'no') return
    planned = pause === 0 ? 'next' : 'paused'
    wake(pause, () => {
      planned = 'no'
      void use(true)
    })
  }

  async function use(writing: boolean): Promise<void> {
    if (inUse) {
      missed ||= writing
      return
    }
    inUse = true
    // Only the reads that wait now: a stream of reads must not hold back a group.
    if (writing) await runReads(reads, deps)
    missed = false
    if (writing && writes.length > 0)
      await runGroup(writes, deps, { before: pause, set: (next) => (pause = next) })
    // Reads keep coming while one of them gives way to the event loop.
    while (!missed && reads.length > 0) await runReads(reads, deps)
    inUse = false
    // A read that comes before the next turn of the event loop would make the group wait again.
    if (missed) return use(true)
    if (writes.length > 0) plan()
    if (writes.length === 0 || planned === 'paused') for (const end of ends.splice(0)) end()
  }

  return {
    read: (work) =>
      new Promise((resolve, reject) => {
        reads.push({ work, resolve: resolve as Read['resolve'], reject })
        if (reads.length > 1) return
        // Requests that arrived together share a snapshot, as writes share a transaction.
        setImmediate(() => void use(false))
      }),
    write: (work) =>
      new Promise((resolve, reject) => {
        writes.push(makeWrite(work, deps.elapsed(), resolve, reject))
        plan()
      }),
    last: (job) =>
      new Promise((resolve) => {
        ends.push(() => resolve(Promise.try(job)))
        void use(false)
      }),
  }
}

/** Runs and answers the reads that wait now. A snapshot that cannot begin fails them all. */
async function runReads(reads: Read[], { read }: TurnDeps): Promise<void> {
  if (reads.length === 0) return
  const waiting = reads.splice(0)
  const answers = makeAnswers()
  await read(waiting, answers.add).catch((error: unknown) => {
    for (const { reject } of waiting.splice(0)) answers.add(() => reject(error))
  })
  reads.unshift(...waiting)
  answers.end()
}

/**
 * Collects the answers to reads that share a snapshot. They are given together, because callers who are answered one by one
 * wake one by one; but no later than at the next turn of the event loop, for which a long read gives way.
 */
function makeAnswers(): { add(answer: Answer): void; end(): void } {
  const answers: Answer[] = []
  let turn = setImmediate(giveAndGoOn)
  function give(): void {
    for (const answer of answers.splice(0)) answer()
  }
  function giveAndGoOn(): void {
    give()
    turn = setImmediate(giveAndGoOn)
  }
  return {
    add: (answer) => void answers.push(answer),
    end() {
      clearImmediate(turn)
      give()
    },
  }
}

/** Runs the next group. Before it answers, it sets the pause before the group after it. */
async function runGroup(
  writes: Write[],
  { commit, elapsed, patience }: TurnDeps,
  pause: { before: number; set(next: number): void },
): Promise<void> {
  const group = takeGroup(writes)
  try {
    const answers = await commit(group)
    pause.set(0)
    writes.unshift(...group.slice(answers.length))
    for (const answer of answers) answer()
  } catch (error) {
    pause.set(isBusy(error) ? Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, pause.before * 2)) : 0)
    writes.unshift(...group.filter((write) => isRepeated(write, group, error, elapsed() - patience)))
  }
}

function wake(pause: number, begin: () => void): void {
  // Requests that arrived together reach the store in one turn of the event loop; the group begins after it.
  if (pause === 0) setImmediate(begin)
  else setTimeout(begin, pause)
}

/** Removes the writes of the next group from the queue. */
function takeGroup(writes: Write[]): Write[] {
  const lonely = writes.slice(0, MOST).findIndex(({ alone }) => alone)
  return writes.splice(0, lonely === -1 ? MOST : Math.max(1, lonely))
}

function makeWrite<T>(
  work: (tx: Tx) => Promise<T>,
  since: number,
  resolve: (result: T) => void,
  reject: Write['reject'],
): Write {
  return { work, alone: false, since, resolve: resolve as Write['resolve'], reject }
}

/** Returns whether a write of a failed group runs again; otherwise answers it. `oldest` has waited long enough. */
function isRepeated(write: Write, { length }: readonly Write[], error: unknown, oldest: number): boolean {
  if (isBusy(error) ? write.since > oldest : length > 1) {
    write.alone ||= !isBusy(error)
    return true
  }
  write.reject(error)
  return false
}
