/**
 * Several processes that serve one address. The first process serves no requests. It starts the others, replaces a
 * process that died, restarts them one by one, and lets them finish their requests when it is stopped. Over SQLite it
 * also carries out what they write.
 */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AppError, fromProblem, toProblem } from '../core/errors.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { collect, type FromFirst, type FromMember, type NumberedEnd } from './cluster-primary.ts'
import { HEARTBEAT_MS, LOST_TURNS, type Heartbeat } from './heartbeat.ts'

export type GroupDeps = {
  count: number
  /** The port that they listen on. It is never 0, so that later processes listen on the same one. */
  port: number
  /** Milliseconds that a process may take to end after another one has taken over. */
  retireMs: number
  /** Called with a sentence about a process. */
  note(what: string): void
  /** A monotonic clock in milliseconds. */
  elapsed(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Carries out the attempts to write of the serving processes. */
  carry: Gateway['carry']
  pulse: Heartbeat
  /** Returns whether the store takes a change now; within a few seconds. */
  canWrite(): Promise<boolean>
}

export type Group = {
  /**
   * Replaces each process. The new one listens before the old one finishes its requests and ends. The old one keeps
   * connections of proxies until their next response: a proxy must never send a request into a closed one.
   */
  restart(): Promise<void>
  /** Has each process open its log file again. */
  reopenLogs(): void
  /** Lets all processes finish their requests. */
  close(): Promise<void>
}

type Member = {
  worker: Worker
  since: number
  /** Resolves once it listens; rejects when it ends before. */
  up: Promise<void>
  gone: Promise<string>
  state: 'starting' | 'serving' | 'leaving'
  /** The number of beats since its last response. */
  silent: number
}

/** The error of a process that ended without one. */
class ProcessDiedError extends AppError {}

const FIRST_WAIT_MS = 250
const MAX_RESTART_WAIT_MS = 30_000
/** A process that served this long did not die of a bad start. */
const STEADY_MS = 60_000
/** The longest time to start: a store of a million parcels is migrated before, by the first process. */
const START_MS = 60_000
/** The processes that may die before each has listened once. One at a time is often an accident, more are none. */
const MAX_START_DEATHS = 5
/** The longest time to finish requests; a process normally closes long before. */
const LEAVE_MS = 30_000

const DRAIN = { dray: 'drain' } as const
const RETIRE = { dray: 'retire' } as const
const REOPEN = { dray: 'reopen' } as const
const FAILING = { dray: 'failing' } as const

/** Starts the processes. Throws the error that prevented one of them from listening. */
export async function startGroup(deps: GroupDeps): Promise<Group> {
  // Each process accepts its own connections. A connection handed to a dying process would hang until its caller
  // gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    // The launcher reads the arguments from the environment, because one of them may hold a password.
    args: ['serve'],
    // The first process prints their output.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const group: ClusterState = {
    deps,
    members: new Set(),
    stopped: new AbortController(),
    emptied: new AbortController(),
    failures: 0,
  }
  beat(group)
  try {
    let deaths = 0
    const startOne = async (): Promise<void> => {
      try {
        await startMember(group).up
      } catch (error) {
        // A store in use or a wrong flag would stop the next one too.
        if (
          !(error instanceof ProcessDiedError) ||
          ++deaths > MAX_START_DEATHS ||
          group.stopped.signal.aborted
        )
          throw error
        deps.note(`${error.message} A new process replaces it.`)
        await startOne()
      }
    }
    await Promise.all(Array.from({ length: deps.count }, startOne))
  } catch (error) {
    await close(group)
    throw error
  }
  let restarts = Promise.resolve()
  return {
    restart: () => (restarts = restarts.then(() => restart(group))),
    reopenLogs() {
      for (const { worker } of group.members) if (worker.isConnected()) worker.send(REOPEN, () => {})
    },
    close: () => close(group),
  }
}

/**
 * Tells the processes twice a second that this one runs, and whether it can write. Ends one that does not answer: its
 * callers would wait, and all others too if it was stopped while it wrote.
 */
function beat({ members, deps, stopped }: ClusterState): void {
  let canWrite = true
  let asked = false
  const timer = setInterval(() => {
    deps.pulse.feel()
    // The store is about to be closed.
    if (stopped.signal.aborted && members.size === 0) return clearInterval(timer)
    if (!asked) {
      asked = true
      void deps.canWrite().then((can) => {
        canWrite = can
        asked = false
      })
    }
    for (const member of members) {
      const { worker, state } = member
      if (state === 'starting') continue
      if (worker.isConnected()) worker.send({ canWrite } satisfies FromFirst, () => {})
      member.silent += 1
      if (member.silent !== LOST_TURNS) continue
      deps.note(
        `The process ${worker.process.pid} has not responded for ${(LOST_TURNS * HEARTBEAT_MS) / 1000} s.`,
      )
      worker.process.kill('SIGKILL')
    }
  }, HEARTBEAT_MS)
}

/** The state of a service's processes. */
type ClusterState = {
  deps: GroupDeps
  members: Set<Member>
  stopped: AbortController
  /** Aborted when no process serves any more. */
  emptied: AbortController
  /** The number of consecutive processes that ended or failed to start. */
  failures: number
}

function startMember(group: ClusterState): Member {
  const { members, stopped, deps } = group
  const argv = [...process.argv.slice(2), '--port', String(deps.port)]
  const member = fork(argv, deps, () => {
    if (member.state !== 'serving' || stopped.signal.aborted) return
    deps.note(`The process ${member.worker.process.pid} had an unexpected error; a new process replaces it.`)
    member.state = 'leaving'
    // It serves until the other one does: without a serving process, connections are refused.
    void succeed(group, member).then(() => leave(member, deps.sleep))
  })
  members.add(member)
  void member.gone.then((how) => {
    members.delete(member)
    if (member.state !== 'serving' || stopped.signal.aborted) return
    deps.note(`The process ${member.worker.process.pid} ${how}; a new process replaces it.`)
    void succeed(group, member)
  })
  return member
}

/**
 * Starts the successor of a process that died, or that will soon end by itself. Resolves when the successor listens.
 */
function succeed(group: ClusterState, member: Member): Promise<void> {
  group.failures = group.deps.elapsed() - member.since < STEADY_MS ? group.failures + 1 : 0
  if (!isServed(group)) group.emptied.abort()
  // A single death is replaced at once.
  return replace(group, Math.max(0, group.failures - 1))
}

function isServed({ members }: ClusterState): boolean {
  return [...members].some(({ state }) => state === 'serving')
}

async function replace(group: ClusterState, before: number): Promise<void> {
  const { stopped, deps } = group
  for (let failed = before; ; failed = group.failures) {
    // Waits only while other processes keep the service up.
    if (isServed(group)) await pause(group, waitAfter(failed))
    if (stopped.signal.aborted) return
    try {
      return await startMember(group).up
    } catch (error) {
      if (stopped.signal.aborted) return
      group.failures += 1
      deps.note(`A new process did not start: ${messageOf(error)}`)
      // While no process serves, the retry is delayed only after a failed start.
      if (!isServed(group)) await deps.sleep(FIRST_WAIT_MS, stopped.signal)
    }
  }
}

/** Waits, at most until the last serving process is gone. */
async function pause(group: ClusterState, ms: number): Promise<void> {
  if (group.emptied.signal.aborted) group.emptied = new AbortController()
  await group.deps.sleep(ms, AbortSignal.any([group.stopped.signal, group.emptied.signal]))
}

async function restart(group: ClusterState): Promise<void> {
  const { members, stopped, deps } = group
  const before = [...members]
  for (const old of before) {
    if (stopped.signal.aborted) return
    if (old.state !== 'serving') continue
    const next = startMember(group)
    try {
      await next.up
    } catch (error) {
      if (stopped.signal.aborted) return
      deps.note(`A new process did not start; the old ones keep running: ${messageOf(error)}`)
      return
    }
    // A process that died in the meantime has already been replaced.
    await leave(members.has(old) ? old : next, deps.sleep, { message: RETIRE, limit: deps.retireMs })
  }
  deps.note('All processes are new.')
}

async function close({ members, stopped, deps }: ClusterState): Promise<void> {
  stopped.abort()
  await Promise.all([...members].map((member) => leave(member, deps.sleep)))
}

/** Starts a process. `onFailing` is called when it reports that it will end by itself. */
function fork(argv: readonly string[], deps: GroupDeps, onFailing: () => void): Member {
  const since = deps.elapsed()
  const worker = cluster.fork({ DRAY_HANDED_ARGV: JSON.stringify(argv) })
  let failed: AppError | undefined
  const reply = collect<NumberedEnd>((ended) => {
    if (worker.isConnected()) worker.send({ ended } satisfies FromFirst, () => {})
  })
  worker.on('message', (message: unknown) => {
    const { problem, dray, handed = [] } = (message ?? {}) as FromMember
    member.silent = 0
    for (const [id, attempt, sent] of handed) {
      const carried = deps.carry(attempt, () => deps.pulse.assertSince(sent))
      void carried.then((ended) => reply([id, ended ?? null]))
    }
    if (problem !== undefined) failed = fromProblem(problem)
    if (dray === FAILING.dray) onFailing()
  })
  const gone = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`))
    // A message to a process that just died also emits an error; without a listener it would end this process too.
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) resolve(`could not be started: ${message}`)
    })
  })
  const up = new Promise<void>((resolve, reject) => {
    const started = new AbortController()
    worker.once('listening', () => {
      member.state = 'serving'
      started.abort()
      resolve()
    })
    void deps.sleep(START_MS, started.signal).then(() => {
      if (member.state === 'starting') worker.process.kill('SIGKILL')
    })
    void gone.then((how) => {
      started.abort()
      reject(
        failed ??
          new ProcessDiedError('internal_error', `A process of the service ${how} before it listened.`),
      )
    })
  })
  const member: Member = { worker, since, up, gone, state: 'starting', silent: 0 }
  // Some callers do not wait for it, so a rejection must not count as unhandled.
  up.catch(() => {})
  return member
}

/** Asks by a message and not by a signal, because a second signal from elsewhere would end the process at once. */
async function leave(
  member: Member,
  sleep: GroupDeps['sleep'],
  { message, limit }: { message: typeof DRAIN | typeof RETIRE; limit: number } = {
    message: DRAIN,
    limit: LEAVE_MS,
  },
): Promise<void> {
  const { worker, gone, state } = member
  const ended = new AbortController()
  member.state = 'leaving'
  if (state === 'starting') worker.process.kill('SIGTERM')
  else if (worker.isConnected()) worker.send(message, () => {})
  await Promise.race([
    gone.finally(() => ended.abort()),
    sleep(limit, ended.signal).then(() => worker.process.kill('SIGKILL')),
  ])
  await gone
}

function waitAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(MAX_RESTART_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns whether this process is one of those that serve. */
export function isMember(): boolean {
  return cluster.isWorker
}

/**
 * In a serving process: returns a signal that aborts when it must finish its requests, and one that aborts when another
 * process has taken over.
 */
export function leaveSignals(): { drained: AbortSignal; retired: AbortSignal } {
  const [drain, retire] = [new AbortController(), new AbortController()]
  process.on('message', (message: unknown) => {
    const dray = (message as Partial<typeof DRAIN | typeof RETIRE | typeof REOPEN> | null)?.dray
    if (dray === DRAIN.dray) drain.abort()
    if (dray === RETIRE.dray) retire.abort()
    if (dray === REOPEN.dray) process.emit('SIGHUP')
  })
  return { drained: drain.signal, retired: retire.signal }
}

/** In a serving process: asks the first process to start a replacement. */
export function reportFailing(): void {
  process.send?.(FAILING, undefined, undefined, () => {})
}

/** In a serving process: sends its error to the first process, which prints it once. Returns false for a bug. */
export async function reportFailure(error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || process.send === undefined) return false
  const message = { problem: toProblem(error) }
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve))
  return true
}
