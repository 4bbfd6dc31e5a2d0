/**
 * A simulated machine: its time, its chance and its processes. Each process has one queue of tasks. A step picks a process
 * by the seed, runs one of its tasks, and lets promises go on; so everything that happens follows from the seed.
 */
import type { EventLoop, ScheduledCall } from '../../src/core/event-loop.ts'
import { makeRandom, type Random } from '../adversarial/random.ts'

/** The nature of a seed: its times in milliseconds, and how likely each fault is at each occasion for it. */
export type FaultRates = {
  /** The usual time of a statement. Time must cost, or no two calls ever wait together. */
  statementMs: number
  /** The longest time between two calls of a client. */
  thinkMs: number
  pause: number
  lost: number
  write: number
  commit: number
  rollback: number
  kill: number
  jump: number
}

export type SimulatedMachine = {
  random: Random
  rates: FaultRates
  /** True if a fault may happen; no more at the end of a seed. */
  faulty: boolean
  /** The process whose statement ran last. */
  latest: Process | undefined
  /** Returns the machine's clock, which may jump. */
  now(): number
  elapsed(): number
  /** Returns a number that grows with everything that happens. */
  order(): number
  /** Lets time pass, as a statement does. */
  spend(ms: number): void
  /** Says whether a fault with this rate happens now, and counts it by its name. */
  strikes(rate: number, name: string): boolean
  /** The number of times that each kind of thing happened. */
  counts: Map<string, number>
  count(name: string): void
  /** The story of the seed. One that runs again must note the same. */
  lines: string[]
  note(line: string): void
  /** Starts a process with an empty queue. Some are slower than others. */
  start(name: string): Process
  /** Runs tasks until `done`; throws when that takes too long. */
  run(done: () => boolean): Promise<void>
}

export type Process = {
  name: string
  loop: EventLoop
  isAlive(): boolean
  /** Ends it: nothing of it runs any more. Those who listen are told after this step. */
  kill(why: string): void
  onEnd(listener: () => void): void
}

type Task = { at: number; order: number; job: () => void }
type QueuedProcess = Process & { tasks: Task[]; weight: number; ends: (() => void)[] }
type State = { processes: QueuedProcess[]; time: number; ahead: number; order: number; steps: number }

/** The moment at which every seed begins. */
export const SIMULATION_START_MS = Date.parse('2026-11-20T12:00:00.000Z')
/**
 * A seed takes some seconds. One whose rates let no long transaction pass goes on without faults from here: a service that
 * is sound then answers everybody.
 */
const FAULTS_END_MS = 60_000
/** A call that is not answered by now never will be. */
const MAX_SIMULATED_MS = 120_000
const MAX_SIMULATED_STEPS = 200_000
const JUMPS = [40_000, 400_000, -20_000, -900_000]

/** Makes a machine on which no process runs yet. */
export function makeSimulatedMachine(seed: number): SimulatedMachine {
  const random = makeRandom(seed)
  const state: State = { processes: [], time: 0, ahead: 0, order: 0, steps: 0 }
  const machine: SimulatedMachine = {
    random,
    rates: sampleFaultRates(random),
    faulty: false,
    latest: undefined,
    now: () => SIMULATION_START_MS + Math.floor(state.time) + state.ahead,
    elapsed: () => state.time,
    order: () => ++state.order,
    spend: (ms) => void (state.time += ms),
    strikes(rate, name) {
      if (!machine.faulty || rate === 0 || random.number(1e6) >= rate * 1e6) return false
      machine.count(name)
      return true
    },
    counts: new Map(),
    count: (name) => void machine.counts.set(name, (machine.counts.get(name) ?? 0) + 1),
    lines: [],
    note: (line) => void machine.lines.push(`${state.time.toFixed(3)} ${line}`),
    start: (name) => startProcess(machine, state, name),
    async run(done) {
      while (!done()) {
        if (++state.steps > MAX_SIMULATED_STEPS || state.time > MAX_SIMULATED_MS)
          throw new Error('somebody is never answered')
        if (machine.faulty && state.time > FAULTS_END_MS) {
          machine.faulty = false
          machine.count('faults that had to end')
        }
        pickTask(machine, state)()
        if (machine.strikes(machine.rates.jump, 'clock jump')) jump(machine, state)
        await flushPromises()
        bury(state)
      }
    },
  }
  return machine
}

function startProcess(machine: SimulatedMachine, state: State, name: string): Process {
  let alive = true
  const plan = (job: () => void, ms: number): ScheduledCall => {
    const task = { at: state.time + ms, order: ++state.order, job }
    // A dead process may still plan: its task never runs.
    if (alive) process.tasks.push(task)
    return {
      unref: () => undefined,
      [Symbol.dispose]() {
        process.tasks = process.tasks.filter((each) => each !== task)
      },
    }
  }
  const process: QueuedProcess = {
    name,
    tasks: [],
    ends: [],
    weight: machine.random.pick([1, 1, 2, 6]),
    loop: {
      elapsed: machine.elapsed,
      turn: (job) => plan(job, 0),
      later: plan,
    },
    isAlive: () => alive,
    kill(why) {
      if (!alive) return
      alive = false
      machine.note(`${name} is killed ${why}`)
      machine.count(`kill ${why}`)
    },
    onEnd: (listener) => void process.ends.push(listener),
  }
  state.processes.push(process)
  return process
}

/** Removes the next task of a process that has one, by the seed. Where none has, time goes on to the next task. */
function pickTask({ random }: SimulatedMachine, state: State): () => void {
  let ready = listReady(state)
  if (ready.length === 0) {
    state.time = Math.min(...state.processes.flatMap(({ tasks }) => tasks.map(({ at }) => at)))
    if (state.time === Infinity) throw new Error('everybody waits for nothing')
    ready = listReady(state)
  }
  const process = random.pick(ready.flatMap((each) => Array<QueuedProcess>(each.weight).fill(each)))
  const next = process.tasks.reduce((one, other) => (comesBefore(other, one) ? other : one))
  process.tasks = process.tasks.filter((each) => each !== next)
  return next.job
}

function listReady({ processes, time }: State): QueuedProcess[] {
  return processes.filter(({ tasks }) => tasks.some(({ at }) => at <= time))
}

function comesBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

function jump(machine: SimulatedMachine, state: State): void {
  const by = machine.random.pick(JUMPS)
  state.ahead += by
  machine.note(`the clock jumps by ${by}`)
  machine.count(by > 0 ? 'clock jump ahead' : 'clock jump back')
}

/** Removes the dead with all that they had, and tells those who listen. */
function bury(state: State): void {
  const dead = state.processes.filter(({ isAlive }) => !isAlive())
  if (dead.length === 0) return
  state.processes = state.processes.filter(({ isAlive }) => isAlive())
  for (const { ends } of dead) for (const listener of ends) listener()
}

/** Lets all promises go on as far as they can. */
function flushPromises(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

function sampleFaultRates(random: Random): FaultRates {
  const sometimes = (rate: number): number => (random.number(2) === 0 ? 0 : rate * random.pick([0.3, 1, 3]))
  return {
    statementMs: random.pick([0.02, 0.1, 0.5, 2]),
    thinkMs: random.pick([1, 5, 50]),
    pause: sometimes(0.01),
    lost: sometimes(0.05),
    write: sometimes(0.005),
    commit: sometimes(0.02),
    rollback: sometimes(0.01),
    kill: sometimes(0.0007),
    jump: sometimes(0.001),
  }
}
