/**
 * Several processes that serve one address. The first process serves no requests. It starts the others, replaces a
 * process that died, restarts them one by one, and lets them finish their requests when it is stopped. Over SQLite it
 * also carries out what they write.
 */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AppError, fromProblem, toProblem } from '../core/errors.ts'
import type { Hand } from '../gateway/handed.ts'

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
  carry: Hand
}

export type Group = {
  /**
   * Replaces each process. The new one listens before the old one finishes its requests and ends. The old one keeps
   * connections of proxies until their next response: a proxy must never send a request into a closed one.
   */
  restart(): Promise<void>
  /** Has each process open its log file anew. */
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
}

/** An attempt to write, and how it ended, each with the number that its process gave it. */
type NumberedAttempt = [id: number, attempt: Parameters<Hand>[0]]
type NumberedEnd = [id: number, end: Awaited<ReturnType<Hand>>]

/** Messages between the processes, besides `DRAIN` and `RETIRE`. */
type FromMember = { problem?: unknown; dray?: unknown; handed?: NumberedAttempt[] }
type FromFirst = { ended?: NumberedEnd[] }

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** A process that served this long did not die of a bad start. */
const STEADY_MS = 60_000
/** The longest time to finish requests; a process normally closes long before. */
const LEAVE_MS = 30_000

const DRAIN = { dray: 'drain' } as const
const RETIRE = { dray: 'retire' } as const
const REOPEN = { dray: 'reopen' } as const
const FAILING = { dray: 'failing' } as const

/** Starts the processes. Throws the error that prevented the first of them from listening. */
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
  const group: Running = {
    deps,
    members: new Set(),
    stopped: new AbortController(),
    emptied: new AbortController(),
    failures: 0,
  }
  try {
    await Promise.all(Array.from({ length: deps.count }, () => startMember(group).up))
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

/** The state of a service's processes. */
type Running = {
  deps: GroupDeps
  members: Set<Member>
  stopped: AbortController
  /** Aborted when no process serves any more. */
  emptied: AbortController
  /** The number of consecutive processes that ended or failed to start. */
  failures: number
}

function startMember(group: Running): Member {
  const { members, stopped, deps } = group
  const argv = [...process.argv.slice(2), '--port', String(deps.port)]
  const member = fork(argv, deps, () => {
    if (member.state !== 'serving' || stopped.signal.aborted) return
    deps.note(`The process ${member.worker.process.pid} met an unexpected error; another takes its place.`)
    member.state = 'leaving'
    // It serves until the other one does: without a serving process, connections are refused.
    void succeed(group, member).then(() => leave(member, deps.sleep))
  })
  members.add(member)
  void member.gone.then((how) => {
    members.delete(member)
    if (member.state !== 'serving' || stopped.signal.aborted) return
    deps.note(`The process ${member.worker.process.pid} ${how}; another takes its place.`)
    void succeed(group, member)
  })
  return member
}

/**
 * Starts the successor of a process that died, or that will soon end by itself. Resolves when the successor listens.
 */
function succeed(group: Running, member: Member): Promise<void> {
  group.failures = group.deps.elapsed() - member.since < STEADY_MS ? group.failures + 1 : 0
  if (!isServed(group)) group.emptied.abort()
  // A single death is replaced at once.
  return replace(group, Math.max(0, group.failures - 1))
}

function isServed({ members }: Running): boolean {
  return [...members].some(({ state }) => state === 'serving')
}

async function replace(group: Running, before: number): Promise<void> {
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
      deps.note(`A new process did not come up: ${messageOf(error)}`)
      // While no process serves, the retry is delayed only after a failed start.
      if (!isServed(group)) await deps.sleep(FIRST_WAIT_MS, stopped.signal)
    }
  }
}

/** Waits, at most until the last serving process is gone. */
async function pause(group: Running, ms: number): Promise<void> {
  if (group.emptied.signal.aborted) group.emptied = new AbortController()
  await group.deps.sleep(ms, AbortSignal.any([group.stopped.signal, group.emptied.signal]))
}

async function restart(group: Running): Promise<void> {
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
      deps.note(`A new process did not come up, the old ones go on: ${messageOf(error)}`)
      return
    }
    // A process that died meanwhile has already been replaced.
    await leave(members.has(old) ? old : next, deps.sleep, { message: RETIRE, limit: deps.retireMs })
  }
  deps.note('All processes are new.')
}

async function close({ members, stopped, deps }: Running): Promise<void> {
  stopped.abort()
  await Promise.all([...members].map((member) => leave(member, deps.sleep)))
}

/** Starts a process. `onFailing` is called when it reports that it will end by itself. */
function fork(argv: readonly string[], { elapsed, carry }: GroupDeps, onFailing: () => void): Member {
  const since = elapsed()
  const worker = cluster.fork({ DRAY_HANDED_ARGV: JSON.stringify(argv) })
  let failed: AppError | undefined
  const reply = collect<NumberedEnd>((ended) => {
    if (worker.isConnected()) worker.send({ ended } satisfies FromFirst, () => {})
  })
  worker.on('message', (message: unknown) => {
    const { problem, dray, handed = [] } = (message ?? {}) as FromMember
    for (const [id, attempt] of handed) void carry(attempt).then((ended) => reply([id, ended]))
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
    worker.once('listening', () => {
      member.state = 'serving'
      resolve()
    })
    void gone.then((how) =>
      reject(failed ?? new AppError('internal_error', `A process of the service ${how} before it listened.`)),
    )
  })
  const member: Member = { worker, since, up, gone, state: 'starting' }
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
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
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

/** In a serving process: returns a function that has the first process carry out an attempt. */
export function handToFirst(): Hand {
  const waiting = new Map<number, (ended: NumberedEnd[1]) => void>()
  let last = 0
  process.on('message', (message: unknown) => {
    const { ended = [] } = (message ?? {}) as FromFirst
    for (const [id, end] of ended) {
      waiting.get(id)?.(end)
      waiting.delete(id)
    }
  })
  const send = collect<NumberedAttempt>((handed) => {
    process.send?.({ handed } satisfies FromMember, undefined, undefined, () => {})
  })
  return (attempt) =>
    new Promise((resolve) => {
      last += 1
      waiting.set(last, resolve)
      send([last, attempt])
    })
}

/** Returns a function that collects what is ready at the same time, and passes it on together. */
function collect<T>(pass: (all: T[]) => void): (one: T) => void {
  let all: T[] = []
  return (one) => {
    if (all.push(one) > 1) return
    process.nextTick(() => {
      const ready = all
      all = []
      pass(ready)
    })
  }
}
