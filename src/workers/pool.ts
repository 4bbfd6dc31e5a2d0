/**
 * Work that would hold the event loop of a service for long, in threads beside it: drawing paper, reading files of rows.
 * Each thread does one job at a time, so its end concerns the caller of that job alone.
 */
import { extname, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { AppError, fromProblem } from '../core/errors.ts'

export type WorkerJob = {
  /** The name of the work, as `thread.ts` lists it. */
  work: string
  input: unknown
  /** A caller has one job done at a time, so that others need not wait for the rest. */
  caller: unknown
  /** Answers a question that the work asks while it runs. */
  answer?: (question: unknown) => Promise<unknown>
}

/** Messages to a thread, and from it. A question has a number, which its answer repeats. */
export type ToThread =
  | { work: string; input: unknown }
  | { id: number; answered: unknown }
  | { id: number; failed: string }
export type FromThread = { id: number; question: unknown } | { result: unknown } | { problem: unknown }

/** More would take the processors from the service itself. */
const MAX_THREADS = 2
const MAX_WAITING_JOBS = 64
/** The rest of the places stays for others. */
const MAX_JOBS_PER_CALLER = 48
/** The largest job draws 500 labels, or reads 5,000 lines. */
const MAX_HEAP_MB = 512
/** The longest time of a job, in milliseconds. */
const MAX_JOB_MS = 60_000
/** The longest time that a job waits for a thread, in milliseconds: who calls learns in seconds that both are held. */
const MAX_WAITING_MS = 10_000
/** A thread without a job ends after this time, in milliseconds. */
const MAX_IDLE_MS = 30_000

type QueuedJob = WorkerJob & {
  timer: NodeJS.Timeout
  resolve(result: unknown): void
  reject(error: unknown): void
}

const waiting: QueuedJob[] = []
const callers = new Set<unknown>()
const idle: { thread: Worker; timer: NodeJS.Timeout }[] = []
let busy = 0

/** Has a job done by a thread. Returns its result; throws what it throws, and `service_unavailable` under too much work. */
export function runInWorker(job: WorkerJob): Promise<unknown> {
  const others = waiting.filter(({ caller }) => caller === job.caller)
  if (waiting.length >= MAX_WAITING_JOBS || others.length >= MAX_JOBS_PER_CALLER)
    return Promise.reject(tooMuch())
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(own), 1)
    reject(tooMuch())
  }, MAX_WAITING_MS)
  const own: QueuedJob = { ...job, timer, resolve, reject }
  waiting.push(own)
  next()
  return promise
}

/** Begins the first job of a caller without one, if a thread is free. */
function next(): void {
  if (busy >= MAX_THREADS) return
  const at = waiting.findIndex(({ caller }) => !callers.has(caller))
  const [job] = at === -1 ? [] : waiting.splice(at, 1)
  if (job === undefined) return
  clearTimeout(job.timer)
  busy += 1
  callers.add(job.caller)
  void run(job)
    .then(job.resolve, job.reject)
    .finally(() => {
      busy -= 1
      callers.delete(job.caller)
      next()
    })
  next()
}

async function run(job: WorkerJob): Promise<unknown> {
  const thread = removeIdleThread() ?? (await startThread())
  const message = await converse(thread, job)
  addIdleThread(thread)
  if ('result' in message) return message.result
  throw fromProblem(message.problem) ?? new Error('Cannot read the response of the thread.')
}

/** Returns the last message of a thread about a job. A thread that ends, fails or takes too long does no other job. */
async function converse(
  thread: Worker,
  { work, input, answer }: WorkerJob,
): Promise<Exclude<FromThread, { id: number }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Exclude<FromThread, { id: number }>>()
  // A message that cannot be copied to the thread throws.
  const send = (message: ToThread): void => thread.postMessage(message)
  const timer = setTimeout(() => reject(tooMuch()), MAX_JOB_MS)
  thread.removeAllListeners()
  thread.on('message', (message: FromThread) => {
    if (!('question' in message)) {
      resolve(message)
      return
    }
    const { id, question } = message
    void answer?.(question)
      .then(
        (answered) => send({ id, answered }),
        (error: unknown) => send({ id, failed: String(error) }),
      )
      .catch(reject)
  })
  // An error that no code caught ends the thread.
  thread.once('error', reject)
  thread.once('exit', () => reject(new Error('The thread ended without a response.')))
  Promise.try(send, { work, input }).catch(reject)
  try {
    return await promise
  } catch (error) {
    void thread.terminate()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function startThread(): Promise<Worker> {
  const { Worker } = await import('node:worker_threads')
  // One folder up from `src/workers/` and from `dist/chunks/`.
  const entry = join(import.meta.dirname, `../thread${extname(import.meta.filename)}`)
  const thread = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } })
  // The caller that waits for its job keeps the process alive.
  thread.unref()
  return thread
}

function removeIdleThread(): Worker | undefined {
  const found = idle.pop()
  clearTimeout(found?.timer)
  return found?.thread
}

function addIdleThread(thread: Worker): void {
  const forget = (): void => {
    const at = idle.findIndex((one) => one.thread === thread)
    if (at !== -1) clearTimeout(idle.splice(at, 1)[0]?.timer)
  }
  const end = (): void => {
    forget()
    void thread.terminate()
  }
  thread.removeAllListeners()
  thread.once('error', forget).once('exit', forget)
  idle.push({ thread, timer: setTimeout(end, MAX_IDLE_MS).unref() })
}

function tooMuch(): AppError {
  return new AppError('service_unavailable', 'The service has more to do than it can; try again in a moment.')
}
