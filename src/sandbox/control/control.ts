/**
 * The type of a control call: an operation with `plane: 'sandbox'`, one of the sandbox's own switches
 * (docs/rules/simulation.md#the-sandbox-is-controlled-apart).
 */
import type { TProperties, TSchema } from 'typebox'
import type { Db, Tx } from '../../core/db.ts'
import { pathParametersOf, type SandboxOperation } from '../../core/operation.ts'
import type { StoredWorld } from '../../db/world.ts'

/** The machine's part: its clock, its random source, its environment. */
export type ControlDeps = {
  /** Milliseconds since the epoch. */
  now: () => number
  random: (count: number) => Uint8Array
  env: Readonly<Record<string, string | undefined>>
  /** The requests to the service of this store, oldest first; absent where none are kept. */
  requests?: (() => readonly LoggedControlCall[]) | undefined
}

/** A request to the service of a store. */
export type LoggedControlCall = {
  time: string
  service_time: string | null
  request_id: string
  transport: string | null
  operation: string
  account: string | null
  status: number
  code: string | null
  state: string | null
  duration_ms: number
  replayed: boolean
}

/** A call may need several transactions, so it gets the store and short ways into one. */
export type ControlContext = ControlDeps & {
  db: Db
  read: <T>(work: (tx: Tx, stored: StoredWorld, now: number) => Promise<T>) => Promise<T>
  write: <T>(work: (tx: Tx, stored: StoredWorld, now: number) => Promise<T>) => Promise<T>
}

/** An operation on the plane of the sandbox. */
export type Control<P extends TProperties, O extends TSchema> = SandboxOperation<P, O, ControlContext>

type Optional = 'plane' | 'pathParameters' | 'bodyLimit' | 'errors' | 'example'
type Definition<P extends TProperties, O extends TSchema> = Omit<Control<P, O>, Optional> &
  Partial<Pick<Control<P, O>, Optional>>

const BODY_LIMIT = 65_536

/** Fills in the fields that all control calls share. */
export function defineControl<P extends TProperties, O extends TSchema>(
  definition: Definition<P, O>,
): Control<P, O> {
  return {
    plane: 'sandbox',
    errors: [],
    example: () => ({}),
    bodyLimit: BODY_LIMIT,
    pathParameters: pathParametersOf(definition.path),
    ...definition,
  }
}
