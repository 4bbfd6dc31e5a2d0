/**
 * What an operation is. One file per operation makes one constant with `defineOperation`; the gateway, the HTTP
 * routes, the OpenAPI document, the tools, the command line and the tests are loops over these constants.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Scope } from './account.ts'
import type { Context } from './context.ts'
import type { ErrorCode } from './errors.ts'
import type { Spending } from './spending.ts'

export type Area = 'account' | 'food' | 'rides' | 'delivery' | 'carrier' | 'services' | 'tasks' | 'business'
export type Entitlement = 'none' | 'service_one' | 'carrier_agreement' | 'business_agreement'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How much harm a command can do; decides what it asks before it acts (`cli.md`). */
export type Danger = 'read' | 'write' | 'spend' | 'bulk' | 'destructive'

/** A table column: where the value stands in the answer, and its heading when the field's name will not do. */
export type Column = {
  field: string
  label?: string
  /** Where room is short, columns with a number are left out first, from 1 on; then those at the right. */
  gives?: number
}

/** What the command line needs beyond the schemas. Flags derive from field names; `flags` renames the deep ones. */
export type CommandHints = {
  /** Words after `dray`, e.g. `carrier list`. The command derives from the operation where no file `*.command.ts` has these words. */
  command: string
  danger: Danger
  /** Fields taken as plain arguments, in order. */
  positionals?: readonly string[]
  /** `last` stands for the last one that was made from here; so does saying nothing, for what only reads. */
  last?: true
  /** Flag name (without dashes) by dotted field, for fields whose derived flag would be clumsy. */
  flags?: Readonly<Record<string, string>>
  columns?: readonly Column[]
  /** One sentence after success, `{field}` filled from the answer. */
  done?: string
  /** The next sensible command, `{field}` filled from the answer. */
  next?: string
  examples?: readonly string[]
}

/**
 * Which due events must run before the operation sees its data: those of one resource and what is linked to it, all of an
 * owner's, or all of a counterparty's (the business agreement of a store).
 */
export type Touches = { resource: string } | { owner: string } | { counterparty: string } | undefined

export type Operation<P extends TProperties = TProperties, O extends TSchema = TSchema> = {
  name: string
  area: Area
  summary: string
  description?: string
  method: Method
  /** With `{member}` for each path parameter. */
  path: `/v1/${string}`
  scope: Scope
  entitlement: Entitlement
  createsTransaction: boolean
  /** Reads say nothing; everything else does. */
  spends?: Spending
  idempotency: 'required' | 'supported' | 'none'
  maturity: 'beta'
  /** Where each member of the input travels; every member not named here goes in the body (POST, PUT, DELETE) or the query (GET). */
  pathParameters: readonly string[]
  /** Path, query and body members in one closed object; names never collide. */
  input: TObject<P>
  output: O
  status: 200 | 201
  /** For 201: the path of what was created, `{field}` filled from the answer. */
  location?: string
  /** The codes of its own business rules; those of the gateway are added to every operation. */
  errors: readonly ErrorCode[]
  /** Largest body in bytes. */
  bodyLimit: number
  /** Scenario names this operation understands (`Sandbox-Scenario`). */
  scenarios: readonly string[]
  cli: CommandHints
  /** A complete, valid input for the reference and the tests. */
  example: Record<string, unknown>
  touches(input: Static<TObject<P>>, context: Pick<Context, 'account'>): Touches
  run(context: Context, input: Static<TObject<P>>): Promise<Static<O>>
}

type Optional =
  | 'description'
  | 'spends'
  | 'maturity'
  | 'pathParameters'
  | 'status'
  | 'location'
  | 'bodyLimit'
  | 'scenarios'
  | 'touches'
type Definition<P extends TProperties, O extends TSchema> = Omit<Operation<P, O>, Optional> &
  Partial<Pick<Operation<P, O>, Optional>>

const MEBIBYTE = 1_048_576

/** Fills in what most operations share. An identity function otherwise: an operation is plain data with one function. */
export function defineOperation<P extends TProperties, O extends TSchema>(
  definition: Definition<P, O>,
): Operation<P, O> {
  return {
    maturity: 'beta',
    status: 200,
    bodyLimit: MEBIBYTE,
    scenarios: [],
    pathParameters: [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
    touches: () => undefined,
    ...definition,
  }
}

/** An operation whose exact input and output do not matter to the code at hand. */
// oxlint-disable-next-line typescript/no-explicit-any -- run() is contravariant in its input: only `any` admits all operations
export type AnyOperation = Operation<any, any>

/** Reads change nothing and take no idempotency key: GET, and the POSTs that only quote. */
export function isRead(operation: Pick<Operation, 'method' | 'idempotency'>): boolean {
  return operation.idempotency === 'none'
}
