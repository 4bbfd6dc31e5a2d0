/** The first process of a cluster, as one that serves sees it: it carries out attempts to write while it answers. */
import type { ForwardWrite } from '../gateway/forwarded-writes.ts'
import { HEARTBEAT_MS, SILENT_TURNS } from './heartbeat.ts'

/** An attempt to write, with the number that its process gave it and when it was sent, by the machine's monotonic clock. */
export type NumberedAttempt = [id: number, attempt: Parameters<ForwardWrite>[0], sent: number]
/** Its end; null if nothing was done, because the first process had been stopped since it was sent. */
export type NumberedEnd = [id: number, end: Exclude<Awaited<ReturnType<ForwardWrite>>, string> | null]

/** Messages between the processes, besides those that end a process. */
export type FromMember = { problem?: unknown; dray?: unknown; handed?: NumberedAttempt[]; alive?: true }
export type FromFirst = { ended?: NumberedEnd[]; canWrite?: boolean }

/** The link of this process with the first one: it sends messages to it, and hears its messages. */
export type Channel = {
  send(message: FromMember): void
  listen(listener: (message: FromFirst) => void): void
  elapsed(): number
  /** Calls `turn` every `ms` milliseconds, as long as the process lives. */
  every(ms: number, turn: () => void): void
}

export type ClusterPrimary = {
  hand: ForwardWrite
  /** Returns whether the first process can write; undefined while it is silent, when this process writes by itself. */
  canWrite(): boolean | undefined
}

type PendingAttempt = {
  attempt: NumberedAttempt[1]
  resolve: (end: Awaited<ReturnType<ForwardWrite>>) => void
}

export function connectToPrimary({ send, listen, elapsed, every }: Channel): ClusterPrimary {
  const waiting = new Map<number, PendingAttempt>()
  let last = 0
  let turns = 0
  let writable = true
  const sendTogether = collect<NumberedAttempt>((handed) => send({ handed }))
  listen(({ ended = [], canWrite }) => {
    turns = 0
    if (canWrite !== undefined) {
      writable = canWrite
      send({ alive: true })
    }
    for (const [id, end] of ended) {
      const found = waiting.get(id)
      if (found === undefined) continue
      // The first process has done nothing, so the call can be sent again.
      if (end === null) sendTogether([id, found.attempt, elapsed()])
      else {
        waiting.delete(id)
        found.resolve(end)
      }
    }
  })
  every(HEARTBEAT_MS, () => {
    turns += 1
    if (turns < SILENT_TURNS) return
    for (const { resolve } of waiting.values()) resolve('unknown')
    waiting.clear()
  })
  return {
    canWrite: () => (turns < SILENT_TURNS ? writable : undefined),
    hand: (attempt) =>
      new Promise((resolve) => {
        if (turns >= SILENT_TURNS) return resolve('unsent')
        last += 1
        waiting.set(last, { attempt, resolve })
        sendTogether([last, attempt, elapsed()])
      }),
  }
}

/** In a serving process: opens the first process. */
export function openOwnFirst(elapsed: () => number): ClusterPrimary {
  return connectToPrimary({
    elapsed,
    send: (message) => void process.send?.(message, undefined, undefined, () => {}),
    listen: (listener) =>
      void process.on('message', (message: unknown) => listener((message ?? {}) as FromFirst)),
    every: (ms, turn) => void setInterval(turn, ms).unref(),
  })
}

/** Returns a function that collects what is ready at the same time, and passes it on together. */
export function collect<T>(pass: (all: T[]) => void): (one: T) => void {
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
