/** The side of the thread: see `threads.ts`. */
import { parentPort } from 'node:worker_threads'
import { AppError, toProblem } from '../core/errors.ts'
import type { FromThread, ToThread } from './pool.ts'

/** Asks the service a question. */
export type AskParent = (question: unknown) => Promise<unknown>

export type WorkerFunction = (
  input: unknown,
  ask: AskParent,
) => Promise<{ result: unknown; transfer?: ArrayBuffer[] }>

/** Does the jobs that the service sends. An error that is no answer ends the thread. */
export function serveWorkerJobs(works: Readonly<Record<string, WorkerFunction>>): void {
  const port = parentPort
  if (port === null) throw new Error('this is no thread')
  const questions = new Map<number, { resolve(answered: unknown): void; reject(error: unknown): void }>()
  let last = 0
  const send = (message: FromThread, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer)
  const ask: AskParent = (question) =>
    new Promise((resolve, reject) => {
      last += 1
      questions.set(last, { resolve, reject })
      send({ id: last, question })
    })
  async function run(name: string, input: unknown): Promise<void> {
    const work = works[name]
    if (work === undefined) throw new Error(`no work ${name}`)
    try {
      const { result, transfer } = await work(input, ask)
      send({ result }, transfer)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      send({ problem: toProblem(error) })
    }
  }
  port.on('message', (message: ToThread) => {
    if ('work' in message) return void run(message.work, message.input)
    const asked = questions.get(message.id)
    questions.delete(message.id)
    if ('answered' in message) asked?.resolve(message.answered)
    else asked?.reject(new Error(message.failed))
  })
}
