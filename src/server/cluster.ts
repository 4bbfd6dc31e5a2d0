/**
 * Several processes that serve one address. The first one serves nothing: it starts the others, puts a new one in the
 * place of one that died, changes them one by one, and lets them finish when it is told to stop.
 */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AppError, fromProblem, toProblem } from '../errors.ts'

export type GroupParts = {
  count: number
  /** Where they listen: a number, not 0, so that one that comes later listens there too. */
  port: number
  /** Told what happened to a process, in a sentence. */
  note(what: string): void
  /** Milliseconds since some moment. */
  elapsed(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Group = {
  /** A new process for each, which listens before the old one finishes what it has and ends. */
  restart(): Promise<void>
  /** Lets all finish what they have. */
  close(): Promise<void>
}

type Member = {
  worker: Worker
  since: number
  /** Once it listens; fails when it ends before. */
  up: Promise<void>
  gone: Promise<string>
  state: 'starting' | 'serving' | 'leaving'
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** Who served that long did not die of how it was started. */
const STEADY_MS = 60_000
/** For what a process has under way; it closes by itself long before. */
const LEAVE_MS = 30_000

const DRAIN = { dray: 'drain' } as const

/** Starts the processes. Throws what kept the first of them from listening. */
export async function startGroup(parts: GroupParts): Promise<Group> {
  const { count, port, note, elapsed, sleep } = parts
  const members = new Set<Member>()
  const stopped = new AbortController()
  let failures = 0
  let restarts = Promise.resolve()
  // Each takes its connections itself: one handed to a process that dies just then would hang until its caller gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    args: [...process.argv.slice(2), '--port', String(port)],
    // What they would print, the first one prints.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

  function startMember(): Member {
    const member = fork(elapsed())
    members.add(member)
    void member.gone.then((how) => {
      members.delete(member)
      if (member.state !== 'serving' || stopped.signal.aborted) return
      failures = elapsed() - member.since < STEADY_MS ? failures + 1 : 0
      note(`The process ${member.worker.process.pid} ${how}; another takes its place.`)
      void replace()
    })
    return member
  }

  async function replace(): Promise<void> {
    for (;;) {
      await sleep(waitAfter(failures), stopped.signal)
      if (stopped.signal.aborted) return
      try {
        return await startMember().up
      } catch (error) {
        if (stopped.signal.aborted) return
        failures += 1
        note(`A new process did not come up: ${messageOf(error)}`)
      }
    }
  }

  async function restart(): Promise<void> {
    const before = [...members]
    for (const old of before) {
      if (stopped.signal.aborted) return
      if (old.state !== 'serving') continue
      const next = startMember()
      try {
        await next.up
      } catch (error) {
        if (stopped.signal.aborted) return
        note(`A new process did not come up, the old ones go on: ${messageOf(error)}`)
        return
      }
      // One that died meanwhile has been replaced.
      await leave(members.has(old) ? old : next, sleep)
    }
    note('All processes are new.')
  }

  async function close(): Promise<void> {
    stopped.abort()
    await Promise.all([...members].map((member) => leave(member, sleep)))
  }

  try {
    await Promise.all(Array.from({ length: count }, () => startMember().up))
  } catch (error) {
    await close()
    throw error
  }
  return { restart: () => (restarts = restarts.then(restart)), close }
}

function fork(since: number): Member {
  const worker = cluster.fork()
  let failed: AppError | undefined
  worker.on('message', (message: unknown) => {
    const { problem } = (message ?? {}) as { problem?: unknown }
    if (problem !== undefined) failed = fromProblem(problem)
  })
  const gone = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`))
  })
  const up = new Promise<void>((resolve, reject) => {
    worker.once('listening', () => {
      member.state = 'serving'
      resolve()
    })
    void gone.then((how) =>
      reject(failed ?? new AppError('internal_error', `A process of the service ${how} before it listened.`)),
    )
  })
  const member: Member = { worker, since, up, gone, state: 'starting' }
  // Not everybody waits for it.
  up.catch(() => {})
  return member
}

/** By a message, not by a signal: one that came from elsewhere as well would end it at once. */
async function leave(member: Member, sleep: GroupParts['sleep']): Promise<void> {
  const { worker, gone, state } = member
  const ended = new AbortController()
  member.state = 'leaving'
  if (state === 'starting') worker.process.kill('SIGTERM')
  else if (worker.isConnected()) worker.send(DRAIN, () => {})
  await Promise.race([
    gone.finally(() => ended.abort()),
    sleep(LEAVE_MS, ended.signal).then(() => worker.process.kill('SIGKILL')),
  ])
  await gone
}

function waitAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether this process is one of those that serve. */
export function isMember(): boolean {
  return cluster.isWorker
}

/** In one of those that serve: aborted once it is to finish what it has. */
export function drainSignal(): AbortSignal {
  const told = new AbortController()
  process.on('message', (message: unknown) => {
    if ((message as Partial<typeof DRAIN> | null)?.dray === DRAIN.dray) told.abort()
  })
  return told.signal
}

/** In one of those that serve: hands what it could not do to the first one, which says it once; false for a bug. */
export async function reportFailure(error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || process.send === undefined) return false
  const message = { problem: toProblem(error) }
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve))
  return true
}
