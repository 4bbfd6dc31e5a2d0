/**
 * Moves the statuses of orders, rides and all other records with a life. A life is declared once, and only this code
 * carries it out: it locks the row, allows only steps that fit, writes the new state, plans the next event, and tells.
 * In the types `R` is the record, `S` its statuses, `B` who acts, and `E` the events that may be planned.
 */
import type { Tx } from '../core/db.ts'
import type { EventTypePrefix } from '../core/event-kinds.ts'
import type { WorldSettings } from '../core/world.ts'
import { appendEvents } from './events.ts'
import { scheduleEvents, type TimelineEvent, type TimelineKind, unscheduleResource } from './timeline.ts'

/** The transaction, the world and the instant in which something changes. */
export type ChangeContext = {
  tx: Tx
  world: WorldSettings
  /** Service time in milliseconds. */
  at: number
  /** The planned event that happens; absent where a caller makes the change. */
  event?: TimelineEvent
}

/** The fields of every record that a life moves. */
type LifecycleRecord<S extends string> = { status: S; updated_at: number }

/** The event that comes next. Without a counterparty it has the one of the record. */
export type NextEvent<E extends string> = { event: E; due_at: number } & Partial<
  Pick<TimelineEvent, 'payload' | 'counterparty_id'>
>

/** The outcome of a step. */
export type Transition<S extends string, B extends string, E extends string> = {
  /** The new status; absent where it stays. */
  to?: S | undefined
  by: B
  reason?: string | undefined
  /** The store's own words about it. */
  note?: string | undefined
  /** The event that comes next, instead of the usual one. */
  next?: NextEvent<E> | undefined
  /** The last word of the type of its event, where that is not the new status. */
  eventName?: string | undefined
}

/** An entry of the history that most records keep. */
export type StatusChange<S extends string, B extends string> = {
  status: S
  at: number
  by: B
  reason: string | null
}

/** A planned step: the states that it fits, and its outcome. Without an outcome the step has written all there is. */
type Step<R, S extends string, M> = {
  from: readonly S[]
  apply: (scene: ChangeContext, record: R) => Promise<M | undefined> | M | undefined
}

/** A step for each event that may be planned. */
export type Steps<R, S extends string, B extends string, E extends string> = Readonly<
  Record<E, Step<R, S, Transition<S, B, E>>>
>

type Definition<R, S extends string, B extends string, E extends string> = {
  kind: TimelineKind
  /** The first word of the types of its events. */
  name: EventTypePrefix
  lock: (tx: Tx, id: string) => Promise<R | undefined>
  lockMany: (tx: Tx, ids: readonly string[], options: { skipLocked: boolean }) => Promise<Set<string>>
  write: (tx: Tx, record: R) => Promise<void>
  /** Its id and its owner's, and who else sees what is planned for it. */
  audience: (
    record: R,
    scene: ChangeContext,
  ) => Pick<TimelineEvent, 'resource_id' | 'owner_id' | 'link_id' | 'counterparty_id'>
  /** True if the table of states has that edge. */
  canMove: (from: S, to: S) => boolean
  steps: Steps<R, S, B, E> | ((event: E) => Step<R, S, Transition<S, B, E>>)
  /** Changes the record, besides its status, for a move that is about to be written. */
  enter?: (
    scene: ChangeContext,
    record: R,
    entry: StatusChange<S, B>,
    move: Transition<S, B, E>,
  ) => Promise<unknown> | void
  /** True if everything that was planned is off in that state. */
  cancelsSchedule?: (status: S) => boolean
  /** The event that follows the state that a record is in since `at`. */
  next: (scene: ChangeContext, record: R) => Promise<NextEvent<E> | undefined> | NextEvent<E> | undefined
  /** Returns the data of its events. */
  data: (record: R) => Record<string, unknown>
  /** Money and holds of others, once a state was entered and told. */
  afterTransition?: Readonly<
    Partial<
      Record<S, (scene: ChangeContext, record: R, move: Transition<S, B, E>) => Promise<unknown> | void>
    >
  >
}

/** One move as it is told. */
type TransitionEvent<S extends string, B extends string> = {
  from: S | null
  by: B
  reason?: string | undefined
  eventName?: string | undefined
  /** In place of the usual data. */
  data?: Record<string, unknown> | undefined
}

export type Lifecycle<R, S extends string, B extends string, E extends string> = {
  /** Those of the records that this transaction may change now, their rows locked in one order. */
  lock: (tx: Tx, ids: readonly string[], options: { skipLocked: boolean }) => Promise<Set<string>>
  /**
   * Applies a planned event at its time, or at `now`. An event that no longer fits is dropped silently.
   */
  apply: (tx: Tx, world: WorldSettings, event: TimelineEvent, now?: number) => Promise<void>
  /** The events that may be planned; none where the steps are no table. */
  events: readonly string[]
  /** Takes a step with a locked record; false when the step does not fit its state. */
  applyStep: (scene: ChangeContext, record: R, step: E) => Promise<boolean>
  /** Writes a move, plans what follows, tells it, and lets money follow. Throws for a move that the table lacks. */
  transition: (scene: ChangeContext, record: R, move: Transition<S, B, E>) => Promise<void>
  /** Writes the record, with the scene's time as that of its last change. */
  touch: (scene: ChangeContext, record: R) => Promise<void>
  /** Puts the next event on the timeline, if one follows. */
  scheduleNext: (scene: ChangeContext, record: R, next?: NextEvent<E>) => Promise<void>
  /** Appends the event that the record has come to its state. */
  emit: (scene: ChangeContext, record: R, told: TransitionEvent<S, B>) => Promise<void>
}

/** Returns the scene, never before the last change of a record. */
export function clampToLastUpdate(
  scene: ChangeContext,
  { updated_at }: { updated_at: number },
): ChangeContext {
  return { ...scene, at: Math.max(scene.at, updated_at) }
}

/** Returns the functions that move one kind of record as its definition says. */
export function defineLifecycle<
  R extends LifecycleRecord<S>,
  S extends string,
  B extends string,
  E extends string,
>(definition: Definition<R, S, B, E>): Lifecycle<R, S, B, E> {
  const {
    kind,
    lock,
    lockMany,
    audience: whose,
    canMove,
    steps,
    cancelsSchedule: unplans,
    afterTransition: follow,
  } = definition
  const writers = makeWriters(definition)
  const { touch, scheduleNext: plan, emit: tell } = writers

  async function take(given: ChangeContext, record: R, name: E): Promise<boolean> {
    const step = typeof steps === 'function' ? steps(name) : steps[name]
    if (!step.from.includes(record.status)) return false
    const scene = clampToLastUpdate(given, record)
    const move = await step.apply(scene, record)
    if (move !== undefined) await enter(scene, record, move)
    return true
  }

  async function enter(scene: ChangeContext, record: R, move: Transition<S, B, E>): Promise<void> {
    const { tx, at } = scene
    const { status: from } = record
    const { to, by, reason = null, next, eventName: told } = move
    if (to !== undefined) {
      if (!canMove(from, to)) throw new Error(`a ${kind} that is ${from} cannot become ${to}`)
      record.status = to
      if (unplans?.(to) === true) await unscheduleResource(tx, whose(record, scene).resource_id)
      await definition.enter?.(scene, record, { status: to, at, by, reason }, move)
    }
    await touch(scene, record)
    await plan(scene, record, next)
    if (to !== undefined || told !== undefined) await tell(scene, record, { from, ...move })
    if (to !== undefined) await follow?.[to]?.(scene, record, move)
  }

  return {
    lock: lockMany,
    async apply(tx, world, event, now = event.due_at) {
      const record = await lock(tx, event.resource_id)
      if (record !== undefined) await take({ tx, world, at: now, event }, record, event.event as E)
    },
    events: typeof steps === 'function' ? [] : Object.keys(steps),
    applyStep: take,
    transition: enter,
    ...writers,
  }
}

function makeWriters<R extends LifecycleRecord<S>, S extends string, B extends string, E extends string>({
  kind,
  name,
  write,
  audience: whose,
  next: follows,
  data: dataOf,
}: Definition<R, S, B, E>): Pick<Lifecycle<R, S, B, E>, 'touch' | 'scheduleNext' | 'emit'> {
  return {
    async touch({ tx, at }, record) {
      record.updated_at = at
      await write(tx, record)
    },
    async scheduleNext(scene, record, given) {
      const next = given ?? (await follows(scene, record))
      if (next === undefined) return
      await scheduleEvents(scene.tx, scene.at, [{ kind, payload: {}, ...whose(record, scene), ...next }])
    },
    async emit(scene, record, { from, by, reason, eventName: told = record.status, data = dataOf(record) }) {
      const { tx, world, at } = scene
      const { resource_id, owner_id } = whose(record, scene)
      await appendEvents(tx, world, at, [
        {
          type: `${name}.${told}`,
          resource_id,
          owner_id,
          occurred_at: at,
          from,
          to: record.status,
          by,
          data: { ...data, ...(reason !== undefined && { reason }) },
        },
      ])
    },
  }
}
