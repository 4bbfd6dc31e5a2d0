/** The types of `dray/testing`, as the package has them. */
import type { ControlMethods, Controls, EventType } from '../generated/calls.ts'
import type { Calls } from './client-types.ts'

export type { EventType }

export type {
  Answer,
  Calls,
  CallOptions,
  Controls,
  ErrorCode,
  FieldError,
  Input,
  OperationName,
  Operations,
} from './client-types.ts'

export { DrayError } from './client-types.ts'

export type SandboxOptions = {
  /** A whole number, or a text that is hashed, such as the name of a test. The same seed makes the same world. */
  seed?: number | bigint | string
  /** The time at which the clock stands: a time with its UTC offset. By default 2026-11-20T09:00:00Z, a Friday. */
  now?: string | Date
  /** The number of people who drive, bring and visit. */
  supply?: 'normal' | 'scarce' | 'unlimited'
  /** Serves the sandbox over HTTP, too, at a free port of this machine. */
  http?: boolean
}

/** The first words of the types of events. */
export type EventKind =
  | 'catalog_item'
  | 'delivery'
  | 'food_order'
  | 'membership'
  | 'payment'
  | 'ride'
  | 'service_booking'
  | 'shipment'
  | 'store'
  | 'table_check'
  | 'task'

type Money = { amount: number; currency: string }

/** The fields of `data`, by the first word of the type. Those of other kinds are the ids of what belongs to the resource. */
export type EventData = {
  catalog_item: { merchant_id: string; version: number }
  membership: { plan_code: string | null }
  payment: {
    /** The order, ride, delivery, booking or task that is paid. */
    resource_id: string
    amount: Money
    /** Present where the event is a refund. */
    refund_id?: string
    refunded?: Money
  }
  table_check: { order_id: string; merchant_id: string }
}

/** The types that `on` listens to: one, those of a kind, or all. */
export type EventPattern = '*' | `${EventKind}.*` | EventType

type KindOf<T extends EventType> = T extends `${infer K}.${string}` ? K : never

/** A change of state, such as `ride.completed`. */
export type SandboxEvent<T extends EventType = EventType> = Omit<
  Controls['list_events']['answer']['data'][number],
  'type' | 'data'
> & { type: T; data: KindOf<T> extends keyof EventData ? EventData[KindOf<T>] : Record<string, unknown> }

/** The events that a listener of a pattern is told of. */
export type EventOf<P extends EventPattern> = P extends EventType
  ? SandboxEvent<P>
  : P extends `${infer K}.*`
    ? SandboxEvent<Extract<EventType, `${K}.${string}`>>
    : SandboxEvent

/** A call that the sandbox answered. */
export type LoggedCall = {
  /** The short name of the account; null for a caller without a valid credential. */
  account: string | null
  operation: string
  /** The input as it was sent, without what the transport adds. */
  input: Record<string, unknown>
  status: number
  /** The code of an error. */
  code: string | null
  /** True if the response is that of an earlier call with the same key. */
  replayed: boolean
  transport: 'embedded' | 'http'
  service_time: string | null
  request_id: string
}

/** A resource, as a call answered it, or its id. */
export type ResourceLike = string | Readonly<Record<string, unknown>>

/** The control calls of the sandbox, with methods: `sandbox.control.addServedAccount({…})`. */
export type ControlCalls = ControlMethods<never> & {
  call<N extends keyof Controls>(name: N, input: Controls[N]['input']): Promise<Controls[N]['answer']>
}

export type SandboxClock = {
  /** Returns the time of the sandbox, as its responses write it. */
  now(): Promise<string>
  /** Moves the clock by a span, such as `90s`, `1h` or `3d`, and lets everything happen that is due by then. */
  advance(by: string): Promise<Controls['advance_clock']['answer']>
  /** Moves the clock to a later instant, and lets everything happen that is due by then. */
  to(instant: string | Date): Promise<Controls['advance_clock']['answer']>
  /**
   * Moves the clock until a resource comes to a status, and returns the event by which it did. Returns at once where it has
   * that status. Throws DrayError `invalid_state` when it ends otherwise, or has not come there within `within`, 30d by default.
   */
  until(resource: ResourceLike, status: string, options?: { within?: string }): Promise<SandboxEvent>
}

/** The whole sandbox at one time, as `dray sandbox snapshot save` writes it. The same seed and calls make the same bytes. */
export type Snapshot = Uint8Array & {
  /** SHA-256 of the bytes: `expect(one.digest).toBe(other.digest)` takes no time, and `sandbox.diff` says what differs. */
  readonly digest: string
}

/** How two snapshots differ, as `dray sandbox diff --json` has it. */
export type SnapshotComparison = {
  same: boolean
  /** The resources of each kind, and how many of them differ. */
  kinds: { kind: string; old: number; new: number; changed: number; added: number; removed: number }[]
  /** One field that differs, or one resource that was added or removed. */
  data: {
    kind: string
    /** Kind, name and owner in words. */
    resource: string
    change: 'changed' | 'added' | 'removed'
    field: string | null
    old: unknown
    new: unknown
    old_id: string | null
    new_id: string | null
  }[]
}

export type DiffOptions = {
  /** The fields that do not count: by path (`recipient.contact`), or by name at any depth; `*` stands for any letters. */
  ignore?: readonly string[]
  /** True if a time or date does not count where both have one. */
  ignoreTimes?: boolean
}

/** A sandbox in this process: a store in memory, a clock that stands, and accounts. */
export type Sandbox = AsyncDisposable & {
  /** The seed, as `DRAY_SEED` takes it. */
  readonly seed: string
  /** The address of the service; undefined without `http`. */
  readonly url: string | undefined
  /** Returns the calls of an account, by its short name or id: everything, member, guest, owner, shipper and others. */
  as(account: string): Calls
  /** Returns a new access token of an account, for calls over HTTP. */
  token(account: string): Promise<string>
  /** The token of the control calls over HTTP; undefined without `http`. */
  readonly controlToken: string | undefined
  readonly control: ControlCalls
  readonly clock: SandboxClock
  /**
   * Makes calls fail from now on, by the seed: `fault({ operation: 'place_food_order', after_commit: true, times: 1 })`. It ends with
   * `control.clearFaults()`. For one call alone there is the option `fault` of a call.
   */
  fault(order: Controls['add_fault']['input']): Promise<Controls['add_fault']['answer']>
  /**
   * Calls the listener with each event of a type from now on: `ride.completed`, `ride.*` or `*`. Listeners are called one after
   * another before the call returns that made the event; what one of them throws, that call throws. Returns a function that ends it.
   */
  on<P extends EventPattern>(type: P, listener: (event: EventOf<P>) => unknown): () => void
  /** Returns the calls so far, oldest first; with a filter only those that fit it. */
  calls(
    filter?: Partial<Pick<LoggedCall, 'account' | 'operation' | 'status' | 'transport'>>,
  ): Promise<LoggedCall[]>
  /** Returns the whole sandbox as it is now. */
  snapshot(): Promise<Snapshot>
  /** Brings the sandbox back to a snapshot, of this sandbox or another. Tokens of accounts that exist then stay valid. */
  restore(snapshot: Uint8Array): Promise<void>
  /** Returns how two snapshots differ by meaning; without a second one, how the sandbox as it is now differs from the first. */
  diff(before: Uint8Array, after?: Uint8Array, options?: DiffOptions): Promise<SnapshotComparison>
  /** Returns which operations, errors and states the calls so far have seen, and which never. */
  coverage(filter?: Controls['get_coverage']['input']): Promise<Controls['get_coverage']['answer']>
  /** Ends the sandbox. Every later call is rejected. Throws what a listener threw during a call over HTTP. */
  close(): Promise<void>
}

/** A sandbox that is served over HTTP. */
export type HttpSandbox = Sandbox & { readonly url: string; readonly controlToken: string }

/** The sandbox that options make. */
export type SandboxOf<O extends SandboxOptions> = O extends { http: true } ? HttpSandbox : Sandbox

/** Starts a sandbox. Any number may live beside each other. Throws DrayError for options that fit no sandbox. */
export declare function startSandbox<const O extends SandboxOptions>(options?: O): Promise<SandboxOf<O>>

/**
 * Runs work in a sandbox that ends with it. It is quicker than a new one: a world is kept for the next work with the same seed,
 * time and supply, which rolls back what the last work did. Work that runs beside other work gets a new one.
 */
export declare function withSandbox<T, const O extends SandboxOptions>(
  options: O,
  work: (sandbox: SandboxOf<O>) => T | Promise<T>,
): Promise<T>

/**
 * Returns a `test` whose tests each get a sandbox, made of that of vitest, jest or node:test: `const it = sandboxTest(test, { seed: 7 })`.
 * Further arguments of a test, such as its context or a timeout, are handed on.
 */
export declare function sandboxTest<C extends unknown[], R, const O extends SandboxOptions>(
  test: (name: string, run: (...context: C) => Promise<void>, ...rest: never[]) => R,
  options?: O,
): (name: string, work: (sandbox: SandboxOf<O>, ...context: C) => unknown, timeout?: number) => R
