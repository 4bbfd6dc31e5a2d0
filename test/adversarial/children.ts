/** The processes of a siege, and their use of the system. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttackOrder } from './attacker.ts'
import type { PoliteCallResults, PoliteOrder } from './polite.ts'
import type { ConnectionTally } from './sockets.ts'

export type Attacker = {
  /** Resolves when its bytes are sent. */
  sent: Promise<void>
  /** Closes its connections; returns their results. */
  release(): Promise<ConnectionTally>
}

export type PoliteCaller = {
  /** Returns the results of its next calls. */
  hear(calls: number): Promise<PoliteCallResults>
  end(): void
}

export function startAttacker(order: AttackOrder): Attacker {
  const child = startFile('attacker.ts', order)
  const sent = told(child)
  sent.catch(() => {})
  return {
    sent: sent.then(() => {}),
    async release() {
      await sent
      const tally = told(child)
      child.send('release')
      return (await tally) as ConnectionTally
    },
  }
}

export function startCaller(order: PoliteOrder): PoliteCaller {
  const child = startFile('polite.ts', order)
  return {
    async hear(calls) {
      const heard = told(child)
      child.send(calls)
      return (await heard) as PoliteCallResults
    },
    end: () => void child.kill(),
  }
}

function startFile(file: string, order: object): ChildProcess {
  // Without the loaders of the test's own process.
  return fork(join(import.meta.dirname, file), [JSON.stringify(order)], { execArgv: [] })
}

/** Returns the next message of a child. Throws when the child ends first. */
async function told(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  const exit = once(child, 'exit', { signal: ended.signal }).then(([code, signal]): never => {
    throw new Error(`A process of the siege ended with ${code ?? signal}`)
  })
  exit.catch(() => {})
  try {
    const [message] = (await Promise.race([once(child, 'message'), exit])) as unknown[]
    return message
  } finally {
    ended.abort()
  }
}

/** Returns a process and all its descendants. */
export function listProcesses(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [pid, ...children.flatMap(listProcesses)]
}

/** Returns the open descriptors of processes, and their memory in mebibytes. */
export function measure(pids: readonly number[]): { descriptors: number; mebibytes: number } {
  const descriptors = pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length)
  const kibibytes = pids.map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  )
  return { descriptors: sum(descriptors), mebibytes: Math.round(sum(kibibytes) / 1024) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
