/** The turns of the users of a store's one connection, on an event loop that the test turns manually. */
import { describe, expect, test } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import type { ScheduledCall } from '../../src/core/event-loop.ts'
import {
  type OutcomeCallback,
  makeConnectionQueue,
  type QueuedRead,
  type ConnectionQueue,
  type QueuedWrite,
} from '../../src/db/connection-queue.ts'
import { RolledBackError } from '../../src/db/sqlite-errors.ts'

/** The time for which another process may hold the store, in milliseconds. */
const PATIENCE = 50
const BUSY = Object.assign(new Error('locked'), { errcode: 5 })

/** A store that notes who used it, on a loop that stands still until it is turned. */
type Desk = {
  turns: ConnectionQueue
  /** The groups of writes and the snapshots of reads, by the names of their members; `!` marks a guarded one. */
  seen: string[]
  /** The calls that were answered, with their errors. */
  answered: string[]
  /** The milliseconds of each pause. */
  pauses: number[]
  write(...names: string[]): void
  read(...names: string[]): void
  /** The fault of the next group, and of those after it; undefined for a commit. */
  faults: (Error | undefined)[]
  /** The number of a group that commits before it gives way. */
  most: number
  /** Holds the next snapshot after its first read until the returned function is called. */
  hold(): () => void
  /** Runs one turn of the loop. */
  turn(): Promise<void>
  /** Runs turns until nobody waits for one. */
  rest(): Promise<void>
  /** Lets time pass, and runs what was planned for later. */
  pass(ms: number): Promise<void>
}

/** Lets promises go on as far as they can. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

function makeDesk(): Desk {
  let [time, soon, held] = [0, [] as (() => void)[], undefined as Promise<void> | undefined]
  const timers: (() => void)[] = []
  const names = new Map<unknown, string>()
  const nameOf = ({ work, guarded }: QueuedRead & Partial<QueuedWrite>): string =>
    `${names.get(work)}${guarded === true ? '!' : ''}`
  const plan = (job: () => void): ScheduledCall => {
    soon.push(job)
    return {
      unref: () => undefined,
      [Symbol.dispose]: () => {
        soon = soon.filter((each) => each !== job)
      },
    }
  }
  const later = (job: () => void, ms: number): ScheduledCall => {
    desk.pauses.push(ms)
    timers.push(job)
    return { unref: () => undefined, [Symbol.dispose]: () => undefined }
  }
  const note = (name: string, call: Promise<unknown>): void =>
    void call.then(
      () => desk.answered.push(name),
      (error: Error) => desk.answered.push(`${name}: ${error.message}`),
    )
  async function read(waiting: QueuedRead[], answer: (answer: OutcomeCallback) => void): Promise<void> {
    desk.seen.push(`read ${waiting.map(nameOf).join(' ')}`)
    const fault = desk.faults.shift()
    if (fault !== undefined) throw fault
    for (const { resolve } of waiting.splice(0, desk.most)) {
      answer(() => resolve(1))
      await held
    }
  }
  async function commit(group: readonly QueuedWrite[]): Promise<OutcomeCallback[]> {
    desk.seen.push(`write ${group.map(nameOf).join(' ')}`)
    await held
    const fault = desk.faults.shift()
    if (fault !== undefined) throw fault
    return group.slice(0, desk.most).map(
      ({ resolve }) =>
        () =>
          resolve(1),
    )
  }
  /** Makes calls of these names. */
  const callers =
    (how: 'read' | 'write') =>
    (...given: string[]): void => {
      for (const name of given) {
        const work = async (_tx: Tx): Promise<string> => name
        names.set(work, name)
        note(name, desk.turns[how](work))
      }
    }
  const desk: Desk = {
    turns: makeConnectionQueue({
      read,
      commit,
      patience: PATIENCE,
      loop: { elapsed: () => time, turn: plan, later },
    }),
    seen: [],
    answered: [],
    pauses: [],
    faults: [],
    most: Infinity,
    write: callers('write'),
    read: callers('read'),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    async turn() {
      for (const job of soon.splice(0)) job()
      await settle()
    },
    async rest() {
      while (soon.length > 0) await desk.turn()
    },
    async pass(ms) {
      time += ms
      for (const job of timers.splice(0)) job()
      await settle()
      await desk.rest()
    },
  }
  return desk
}

/** Returns as many names. */
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at))

/** Returns how many members each group had. */
const sizes = ({ seen }: Desk): number[] => seen.map((line) => line.split(' ').length - 1)

describe('writes', () => {
  test('that wait together are one group, and are answered in order', async () => {
    const desk = makeDesk()
    desk.write('a', 'b', 'c')
    await desk.turn()
    expect(desk.seen).toEqual([])
    await desk.rest()
    expect(desk.seen).toEqual(['write a b c'])
    expect(desk.answered).toEqual(['a', 'b', 'c'])
    desk.write('d')
    await desk.rest()
    expect(desk.seen).toEqual(['write a b c', 'write d'])
  })

  test('that come one in each turn of the event loop wait for each other, but for five turns at most', async () => {
    const desk = makeDesk()
    for (const name of many(7)) {
      desk.write(name)
      await desk.turn()
    }
    expect(desk.seen).toEqual(['write 0 1 2 3 4'])
    await desk.rest()
    expect(desk.seen).toEqual(['write 0 1 2 3 4', 'write 5 6'])
  })

  test('are sixty-four in a group at most, which then waits for nobody else', async () => {
    const desk = makeDesk()
    desk.write(...many(64))
    await desk.turn()
    expect(sizes(desk)).toEqual([64])
    desk.write(...many(130))
    await desk.rest()
    expect(sizes(desk)).toEqual([64, 64, 64, 2])
    expect(desk.answered).toHaveLength(194)
  })

  test('that a group left out come before those that are newer', async () => {
    const desk = makeDesk()
    desk.most = 2
    desk.write('a', 'b', 'c')
    await desk.turn()
    await desk.turn()
    desk.write('d')
    await desk.rest()
    expect(desk.seen).toEqual(['write a b c', 'write c d'])
    expect(desk.answered).toEqual(['a', 'b', 'c', 'd'])
  })

  test('of a group that did not commit run again, each alone, before others', async () => {
    const desk = makeDesk()
    desk.faults = [new Error('no'), undefined, new Error('never')]
    desk.write('a', 'b')
    await desk.turn()
    await desk.turn()
    desk.write('c', 'd')
    await desk.rest()
    expect(desk.seen).toEqual(['write a b', 'write a', 'write b', 'write c d'])
    expect(desk.answered).toEqual(['a', 'b: never', 'c', 'd'])
    expect(desk.pauses).toEqual([])
  })

  test('that wait before one that must be alone are a group without it', async () => {
    const desk = makeDesk()
    desk.most = 1
    desk.faults = [new Error('no')]
    desk.write('a', 'b')
    await desk.rest()
    expect(desk.seen).toEqual(['write a b', 'write a', 'write b'])
    desk.faults = [undefined, BUSY, new Error('no')]
    desk.write('c', 'd', 'e')
    await desk.rest()
    await desk.pass(1)
    expect(desk.seen.slice(3)).toEqual(['write c d e', 'write d e', 'write d e', 'write d', 'write e'])
  })

  test('of a group that was undone run again in savepoints, and so do the next thirty-two groups', async () => {
    const desk = makeDesk()
    desk.faults = [new RolledBackError(new Error('no'))]
    desk.write('a', 'b')
    await desk.rest()
    expect(desk.seen).toEqual(['write a b', 'write a! b!'])
    for (const name of many(33)) {
      desk.write(name)
      await desk.rest()
    }
    const guarded = desk.seen.slice(2).filter((line) => line.endsWith('!'))
    expect(guarded).toHaveLength(31)
    expect(desk.seen.at(-1)).toBe('write 32')
  })

  test('that is undone alone runs again, too', async () => {
    const desk = makeDesk()
    desk.faults = [new RolledBackError(new Error('no'))]
    desk.write('a')
    await desk.rest()
    expect(desk.seen).toEqual(['write a', 'write a!'])
    expect(desk.answered).toEqual(['a'])
  })
})

describe('writes that another process keeps from the store', () => {
  test('are tried again together after pauses that grow to eight milliseconds', async () => {
    const desk = makeDesk()
    desk.faults = Array.from({ length: 6 }, () => BUSY)
    desk.write('a', 'b')
    await desk.rest()
    for (let tries = 0; tries < 6; tries++) await desk.pass(1)
    expect(desk.pauses).toEqual([1, 2, 4, 8, 8, 8])
    expect(desk.seen).toEqual(Array.from({ length: 7 }, () => 'write a b'))
    expect(desk.answered).toEqual(['a', 'b'])
    desk.faults = [BUSY]
    desk.write('c')
    await desk.rest()
    await desk.pass(1)
    expect(desk.pauses.slice(6)).toEqual([1])
  })

  test('fail with the reason once it has held the store for the whole patience', async () => {
    const desk = makeDesk()
    desk.faults = [BUSY, BUSY, BUSY]
    desk.write('a')
    await desk.rest()
    await desk.pass(PATIENCE - 1)
    expect(desk.answered).toEqual([])
    desk.write('b')
    await desk.pass(1)
    expect(desk.answered).toEqual(['a: locked', 'b: locked'])
  })

  test('do not fail for the times before it let go', async () => {
    const desk = makeDesk()
    desk.faults = [BUSY, undefined, BUSY, undefined]
    desk.write('a')
    await desk.rest()
    await desk.pass(1)
    desk.write('b')
    await desk.pass(PATIENCE)
    await desk.pass(1)
    expect(desk.answered).toEqual(['a', 'b'])
  })

  test.each([
    [1000, ['a: locked', 'b: locked']],
    // The store may have been free in the meantime.
    [1001, ['a: locked', 'b']],
  ])('that come %i ms after the last try have these answers: %o', async (ms, answers) => {
    const desk = makeDesk()
    desk.faults = [BUSY, BUSY, BUSY]
    desk.write('a')
    await desk.rest()
    await desk.pass(PATIENCE)
    expect(desk.answered).toEqual(['a: locked'])
    await desk.pass(ms - 1)
    desk.write('b')
    await desk.pass(1)
    await desk.pass(1)
    expect(desk.answered).toEqual(answers)
  })
})

describe('reads', () => {
  test('that wait together see one snapshot, and are answered when it ends', async () => {
    const desk = makeDesk()
    desk.read('a', 'b')
    expect(desk.seen).toEqual([])
    await desk.turn()
    expect(desk.seen).toEqual(['read a b'])
    expect(desk.answered).toEqual(['a', 'b'])
    await desk.rest()
  })

  test('that one snapshot left out see the next', async () => {
    const desk = makeDesk()
    desk.most = 1
    desk.read('a', 'b', 'c')
    await desk.rest()
    expect(desk.seen).toEqual(['read a b c', 'read b c', 'read c'])
    expect(desk.answered).toEqual(['a', 'b', 'c'])
  })

  test('all fail when their snapshot cannot begin, and the next ones do not', async () => {
    const desk = makeDesk()
    desk.faults = [new Error('no snapshot')]
    desk.read('a', 'b')
    await desk.rest()
    desk.read('c')
    await desk.rest()
    expect(desk.answered).toEqual(['a: no snapshot', 'b: no snapshot', 'c'])
  })

  test('are answered in the next turn of the event loop when another of the snapshot takes long', async () => {
    const desk = makeDesk()
    const go = desk.hold()
    desk.read('quick', 'slow', 'slower')
    await desk.turn()
    expect(desk.answered).toEqual([])
    await desk.turn()
    expect(desk.answered).toEqual(['quick'])
    go()
    await settle()
    expect(desk.answered).toEqual(['quick', 'slow', 'slower'])
    await desk.rest()
    expect(desk.turns.isIdle()).toBe(true)
  })

  test('come before writes that wait, but only those that wait already', async () => {
    const desk = makeDesk()
    desk.write('w')
    await desk.turn()
    desk.read('a')
    const go = desk.hold()
    await desk.turn()
    desk.read('b')
    await desk.turn()
    go()
    await desk.rest()
    expect(desk.seen).toEqual(['read a', 'write w', 'read b'])
  })

  test('that come during a group see the store after it, without another turn', async () => {
    const desk = makeDesk()
    const go = desk.hold()
    desk.write('w')
    await desk.rest()
    desk.read('a')
    await desk.turn()
    expect(desk.seen).toEqual(['write w'])
    go()
    await settle()
    expect(desk.seen).toEqual(['write w', 'read a'])
  })

  test('that keep coming let a group in whose time has come', async () => {
    const desk = makeDesk()
    const go = desk.hold()
    desk.read('a')
    await desk.turn()
    desk.write('w')
    await desk.turn()
    await desk.turn()
    desk.read('b')
    desk.most = 1
    desk.read('c')
    go()
    await settle()
    // The group waits only for the reads that are there when its time comes.
    expect(desk.seen).toEqual(['read a', 'read b c', 'write w', 'read c'])
  })
})

test('a group that came with the one before it is not begun again', async () => {
  const desk = makeDesk()
  const go = desk.hold()
  desk.read('a')
  await desk.turn()
  desk.write('early')
  await desk.turn()
  await desk.turn()
  desk.write('late')
  go()
  await desk.rest()
  expect(desk.seen).toEqual(['read a', 'write early late'])
})

describe('a connection', () => {
  test('is idle while nobody uses it and no read waits', async () => {
    const desk = makeDesk()
    expect(desk.turns.isIdle()).toBe(true)
    desk.read('a')
    expect(desk.turns.isIdle()).toBe(false)
    await desk.rest()
    expect(desk.turns.isIdle()).toBe(true)
    const go = desk.hold()
    desk.write('w')
    await desk.rest()
    expect(desk.turns.isIdle()).toBe(false)
    go()
    await settle()
    expect(desk.turns.isIdle()).toBe(true)
  })

  test('gives its waiting reads to another, which runs them at once', async () => {
    const [desk, other] = [makeDesk(), makeDesk()]
    const go = desk.hold()
    desk.write('w')
    await desk.rest()
    desk.read('a', 'b')
    other.write('later')
    other.turns.adopt(desk.turns.release())
    expect(other.seen).toHaveLength(1)
    await settle()
    expect(desk.answered).toEqual(['a', 'b'])
    // Its writes go on waiting for each other.
    expect(other.seen).toHaveLength(1)
    await other.rest()
    expect(other.seen.slice(1)).toEqual(['write later'])
    go()
    await desk.rest()
    expect(desk.seen).toEqual(['write w'])
  })

  test('closes after all calls that came before', async () => {
    const desk = makeDesk()
    desk.write('w')
    desk.read('a')
    void desk.turns.last(() => desk.answered.push('closed'))
    await desk.rest()
    expect(desk.answered).toEqual(['a', 'w', 'closed'])
    await desk.turns.last(() => desk.answered.push('closed again'))
    expect(desk.answered).toEqual(['a', 'w', 'closed', 'closed again'])
  })

  test('closes before writes that wait for another process', async () => {
    const desk = makeDesk()
    desk.faults = [BUSY]
    desk.write('w')
    await desk.rest()
    await desk.turns.last(() => desk.answered.push('closed'))
    expect(desk.answered).toEqual(['closed'])
  })

  test('tells who closes it that this failed', async () => {
    const { turns } = makeDesk()
    const failed = turns.last(() => {
      throw new Error('cannot close')
    })
    await expect(failed).rejects.toThrow('cannot close')
  })
})
