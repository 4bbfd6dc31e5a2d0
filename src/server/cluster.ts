/**
 * Several processes that serve one address. The first one serves nothing: it starts the others, puts a new one in the
 * place of one that died, changes them one by one, and lets them finish when it is told to stop.
 */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AppError, fromProblem, toProblem } from '../core/errors.ts'

export type GroupDeps = {
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
const FAILING = { dray: 'failing' } as const

/** Starts the processes. Throws what kept the first of them from listening. */
export async function startGroup(deps: GroupDeps): Promise<Group> {
  // Each takes its connections itself: one handed to a process that dies just then would hang until its caller gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    // The launcher takes the arguments from the environment: one of them may hold a password.
    args: ['serve'],
    // What they would print, the first one prints.
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
    close: () => close(group),
  }
}

/** The processes of a service, as they are now. */
type Running = {
  deps: GroupDeps
  members: Set<Member>
  stopped: AbortController
  /** Aborted when no process serves any more. */
  emptied: AbortController
  /** How many processes ended or failed to start, one after the other. */
  failures: number
}

function startMember(group: Running): Member {
  const { members, stopped, deps } = group
  const argv = [...process.argv.slice(2), '--port', String(deps.port)]
  const member = fork(argv, deps.elapsed(), () => {
    if (member.state !== 'serving' || stopped.signal.aborted) return
    deps.note(`The process ${member.worker.process.pid} met an unexpected error; another takes its place.`)
    member.state = 'leaving'
    // It serves until the other one does: without any, connections are refused.
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

/** Starts the successor of a process that died, or that will end by itself; resolves when it listens. */
function succeed(group: Running, member: Member): Promise<void> {
  group.failures = group.deps.elapsed() - member.since < STEADY_MS ? group.failures + 1 : 0
  if (!isServed(group)) group.emptied.abort()
  // One that dies alone is replaced at once.
  return replace(group, Math.max(0, group.failures - 1))
}

function isServed({ members }: Running): boolean {
  return [...members].some(({ state }) => state === 'serving')
}

async function replace(group: Running, before: number): Promise<void> {
  const { stopped, deps } = group
  for (let failed = before; ; failed = group.failures) {
    // Waiting is for a service that others keep up meanwhile.
    if (isServed(group)) await pause(group, waitAfter(failed))
    if (stopped.signal.aborted) return
    try {
      return await startMember(group).up
    } catch (error) {
      if (stopped.signal.aborted) return
      group.failures += 1
      deps.note(`A new process did not come up: ${messageOf(error)}`)
      // Where none serves, only a start that keeps failing is slowed down.
      if (!isServed(group)) await deps.sleep(FIRST_WAIT_MS, stopped.signal)
    }
  }
}

/** Waits; no longer than until the last process that serves has gone. */
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
    // One that died meanwhile has been replaced.
    await leave(members.has(old) ? old : next, deps.sleep)
  }
  deps.note('All processes are new.')
}

async function close({ members, stopped, deps }: Running): Promise<void> {
  stopped.abort()
  await Promise.all([...members].map((member) => leave(member, deps.sleep)))
}

/** Starts a process; `onFailing` is called when it says that it will end by itself. */
function fork(argv: readonly string[], since: number, onFailing: () => void): Member {
  const worker = cluster.fork({ DRAY_HANDED_ARGV: JSON.stringify(argv) })
  let failed: AppError | undefined
  worker.on('message', (message: unknown) => {
    const { problem, dray } = (message ?? {}) as { problem?: unknown; dray?: unknown }
    if (problem !== undefined) failed = fromProblem(problem)
    if (dray === FAILING.dray) onFailing()
  })
  const gone = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with ${code}`))
    // Also a message to a process that died just then; without a listener it would end this process too.
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
  // Not everybody waits for it.
  up.catch(() => {})
  return member
}

/** By a message, not by a signal: one that came from elsewhere as well would end it at once. */
async function leave(member: Member, sleep: GroupDeps['sleep']): Promise<void> {
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

/** In one of those that serve: tells the first one to start another in this one's place. */
export function reportFailing(): void {
  process.send?.(FAILING, undefined, undefined, () => {})
}

/** In one of those that serve: hands what it could not do to the first one, which says it once; false for a bug. */
export async function reportFailure(error: unknown): Promise<boolean> {
  if (!(error instanceof AppError) || process.send === undefined) return false
  const message = { problem: toProblem(error) }
  await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve))
  return true
}
