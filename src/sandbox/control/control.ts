/** What a control call is: the sandbox's own switches, outside of the interface's operations. */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Db, Tx } from '../../core/db.ts'
import type { StoredWorld } from '../../store/world.ts'

/** What the machine gives: its clock, its random source, its environment. */
export type ControlParts = {
  /** Milliseconds since the epoch. */
  now: () => number
  random: (count: number) => Uint8Array
  env: Readonly<Record<string, string | undefined>>
  /** What the service of this store was asked, oldest first; absent where nothing is kept. */
  requests?: (() => readonly LoggedCall[]) | undefined
}

/** One line of what a store's service was asked. */
export type LoggedCall = {
  time: string
  service_time: string | null
  request_id: string
  transport: string | null
  operation: string
  account: string | null
  status: number
  code: string | null
  duration_ms: number
  replayed: boolean
}

/** A call may need several transactions, so it gets the store and short ways into one. */
export type ControlContext = ControlParts & {
  db: Db
  read: <T>(work: (tx: Tx, stored: StoredWorld, now: number) => Promise<T>) => Promise<T>
  write: <T>(work: (tx: Tx, stored: StoredWorld, now: number) => Promise<T>) => Promise<T>
}

export type Control<P extends TProperties = TProperties, O extends TSchema = TSchema> = {
  name: string
  method: 'GET' | 'PUT' | 'POST'
  /** With `{member}` for each path parameter. */
  path: `/sandbox/${string}`
  pathParameters: readonly string[]
  summary: string
  input: TObject<P>
  output: O
  /** Largest body in bytes. */
  bodyLimit: number
  run(context: ControlContext, input: Static<TObject<P>>): Promise<Static<O>>
}

type Definition<P extends TProperties, O extends TSchema> = Omit<
  Control<P, O>,
  'pathParameters' | 'bodyLimit'
>

const BODY_LIMIT = 65_536

export function defineControl<P extends TProperties, O extends TSchema>(
  definition: Definition<P, O>,
): Control<P, O> {
  return {
    bodyLimit: BODY_LIMIT,
    pathParameters: [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    ...definition,
  }
}

/** A control call whose exact input and output do not matter to the code at hand. */
// oxlint-disable-next-line typescript/no-explicit-any -- run is contravariant in its input: only `any` admits all calls
export type AnyControl = Control<any, any>
