/**
 * The type of an operation. One file per operation makes one constant with `defineOperation`; the gateway, the HTTP
 * routes, the OpenAPI document, the tools, the command line and the tests are loops over these constants.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Scope } from './account.ts'
import type { Area } from './areas.ts'
import type { OperationContext } from './context.ts'
import type { ErrorCode } from './errors.ts'
import type { JsonText } from './json-text.ts'
import { type Repetition, repetitionOf } from './repetition.ts'
import type { Spending } from './spending.ts'
import { FIELDS } from './views.ts'

export type Entitlement = 'none' | 'service_one' | 'carrier_agreement' | 'business_agreement'
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The possible harm of a command. It decides which question the command asks first. */
export type Danger = 'read' | 'write' | 'spend' | 'bulk' | 'destructive'

/**
 * A table column: the field's path in the response. A `label` is its heading where a screen says something else than the
 * field's schema, and in rows that a command makes itself, which have no schema.
 */
export type Column = {
  field: string
  label?: string
  /** The order in which columns are omitted from a narrow table: from 1 on, then the columns at the right. */
  dropOrder?: number
}

/** The differences of a flag from the one that its field gives. */
export type FlagHint = {
  /** The name, without the dashes. */
  flag?: string
  /** The placeholder of the value in help. */
  value?: string
  /** Takes any text: the service rejects the values that it does not know. */
  kind?: 'text'
  /** The text of help, where the command makes more of the value than the service does. */
  description?: string
  /** Needed although each field may be omitted, because there are two ways to give it. */
  required?: true
  /** The field that may be given in its place: one of both is needed, and a person is asked for this one. */
  unless?: string
}

/**
 * The settings of the command line beyond the schemas. Flags derive from field names; `flags` renames the nested
 * ones.
 */
export type CommandHints = {
  /** Words after `dray`, e.g. `carrier list`. The command derives from the operation where no file `*.command.ts` has these words. */
  command: string
  danger: Danger
  /** Fields taken as plain arguments, in order; `q...` takes all words that are left, as one text. */
  positionals?: readonly string[]
  /**
   * The word `last` means the last resource created on this machine. A command that only reads also uses it without
   * an argument.
   */
  last?: true
  /** Flag name (without dashes) or hint by dotted field, for fields whose derived flag would be clumsy. */
  flags?: Readonly<Record<string, string | FlagHint>>
  /** A name alone stands for the column under the label that the field has in the schema of the response. */
  columns?: readonly (string | Column)[]
  /** The columns of a command that is hand-written, where it shows others than `dray api` does. */
  details?: readonly (string | Column)[]
  /** One sentence for a list without rows. */
  empty?: string
  /** One sentence after success, `{field}` filled from the response. */
  done?: string
  /** The next sensible command, `{field}` filled from the response. */
  next?: string
  /** The flag that gives rows where the command gave none, by the reason in `empty`; `{next}` is filled from there. */
  instead?: Readonly<Record<string, string>>
  examples?: readonly string[]
}

/**
 * The due events that must run before the operation reads data: those of one resource and its linked resources, of an
 * owner, of a counterparty (a store's business agreement), or with `{}` those of the whole store.
 */
export type DueEventScope =
  | { resource: string }
  | { owner: string }
  | { counterparty: string }
  | Record<string, never>
  | undefined

/** The way in which a tool shortens a response. */
export type ResponseLimits = {
  /** The fields that it gives unless the call says otherwise: those that a user chooses by. */
  usual?: string
  /** The input that gives less, for a response that is longer than a tool may give. */
  long?: { fields?: string; results?: 'problems'; view?: 'days' }
  /** The way to the rest of a response that is too long. */
  rest?: string
  /** The field with the rows of its pages, where that is not `data`. */
  rows?: 'lines'
}

export type ExampleInput = Record<string, unknown>

/** The responses of the examples that were run so far, by operation, or by the name of a call that an example needs. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of all shapes; an example that reads one wrongly is rejected at once
export type ExampleResults = Readonly<Record<string, any>>

/** A call of an operation for the example of another. It takes the operation's own example unless `input` says otherwise. */
export type ExampleCall = {
  operation: string
  name: string
  /** The scenario that the sandbox plays for it. */
  scenario?: string
  input?(done: ExampleResults): ExampleInput
}

/** Time that passes by the sandbox clock right before an example: `1h`, `3d`. Later examples run by the advanced clock, too. */
export type ExampleAdvance = { advance: string }

/** The fields of every operation, on both planes. Each plane gives `run` a context of its own. */
type CommonDefinition<P extends TProperties, O extends TSchema, C, R = Static<O>> = {
  name: string
  summary: string
  /** More than the summary says, as far as it helps to choose and make the call: every agent reads it before. */
  description?: string
  /** The sentences after the description, for help and the reference alone: an agent has them from a response or an error. */
  details?: string
  /** The fields that travel in the path. All others go in the body (POST, PUT, DELETE) or the query (GET). */
  pathParameters: readonly string[]
  /** Path, query and body fields in one closed object; names never collide. */
  input: TObject<P>
  output: O
  /** Largest body in bytes. */
  bodyLimit: number
  cli: CommandHints
  run(context: C, input: Static<TObject<P>>): Promise<R>
}

/** A control call: it controls the sandbox, needs the control token, and is on no list of the interface. */
export type SandboxOperation<P extends TProperties, O extends TSchema, C> = CommonDefinition<P, O, C> & {
  plane: 'sandbox'
  method: Exclude<HttpMethod, 'DELETE'>
  /** With `{member}` for each path parameter. */
  path: `/sandbox/${string}`
  /** The codes of its own rules; those of the checks of every control call are added. */
  errors: readonly ErrorCode[]
  /** The input of its example in the reference, which is really run, after the calls of `src/generate/control-examples.ts`. */
  example(done: ExampleResults): ExampleInput
}

/** An operation of the interface. */
export type Operation<P extends TProperties = TProperties, O extends TSchema = TSchema> = CommonDefinition<
  P,
  O,
  OperationContext,
  Static<O> | JsonText<Static<O>>
> & {
  plane: 'interface'
  area: Area
  /**
   * Only of a call outside the core interface: the toolset of its tool, which is listed only when it is named, or null for a call
   * without a tool. A tool of the interface is in the toolset of its area.
   */
  toolset?: string | null
  method: HttpMethod
  /** With `{member}` for each path parameter. */
  path: `/v1/${string}`
  scope: Scope
  entitlement: Entitlement
  createsTransaction: boolean
  /** True if it locks several resources before the world's row. What is due for them then runs in a transaction before. */
  locksSeveral?: true
  /** True if nothing takes it back, although it neither deletes nor pays out: `dray mcp --confirm` asks a person first. */
  final?: true
  /** The effect on money. Every operation has it, except reads. */
  spends?: Spending
  idempotency: 'required' | 'supported' | 'none'
  /** The meaning of the same call of its tool once more. Every operation has it, except reads. */
  repetition?: Repetition
  /** The input that adds to a state instead of setting it: a call with it is carried out once, as if it made a thing. */
  adds?: string
  maturity: 'beta'
  status: 200 | 201
  /** For 201: the path of the created resource, `{field}` filled from the response. */
  location?: string
  brief?: ResponseLimits
  /** The codes of its own business rules; those of the gateway are added to every operation. */
  errors: readonly ErrorCode[]
  /** Scenario names this operation understands (`Sandbox-Scenario`). */
  scenarios: readonly string[]
  /** The input of its example in the reference, which is really run: after those whose answers it reads. */
  example(done: ExampleResults): ExampleInput
  /** Calls of other operations that its example needs, beside their own examples, and time that has to pass. */
  exampleNeeds?: readonly (ExampleCall | ExampleAdvance)[]
  touches(input: Static<TObject<P>>, context: Pick<OperationContext, 'account'>): DueEventScope
}

type Optional =
  | 'plane'
  | 'description'
  | 'details'
  | 'spends'
  | 'maturity'
  | 'pathParameters'
  | 'status'
  | 'location'
  | 'bodyLimit'
  | 'scenarios'
  | 'touches'
/** An operation as its file says it. */
export type OperationDefinition<P extends TProperties, O extends TSchema> = Omit<Operation<P, O>, Optional> &
  Partial<Pick<Operation<P, O>, Optional>>

const MEBIBYTE = 1_048_576

/**
 * Fills in the defaults of an operation, and the input `fields` of one that only reads. Otherwise it is an identity
 * function: an operation is plain data with one function.
 */
export function defineOperation<P extends TProperties, O extends TSchema>(
  definition: OperationDefinition<P, O>,
): Operation<P, O> {
  return {
    plane: 'interface',
    maturity: 'beta',
    status: 200,
    bodyLimit: MEBIBYTE,
    scenarios: [],
    pathParameters: pathParametersOf(definition.path),
    touches: () => undefined,
    ...definition,
    ...(isRead(definition)
      ? { input: withFields(definition.input) }
      : { repetition: repetitionOf(definition) }),
  }
}

function withFields<P extends TProperties>(input: TObject<P>): TObject<P> {
  return { ...input, properties: { ...input.properties, fields: FIELDS } }
}

/** Returns description and details as one text; undefined for an operation that has neither. */
export function joinDescription({
  description,
  details,
}: {
  description?: string
  details?: string
}): string | undefined {
  return [description, details].filter((text) => text !== undefined).join(' ') || undefined
}

/** Returns the fields that are in a path as `{member}`. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** An operation of any input and output. */
// oxlint-disable-next-line typescript/no-explicit-any -- run() is contravariant in its input: only `any` admits all operations
export type AnyOperation = Operation<any, any>

/** A control call of any input and output. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type AnySandboxOperation = SandboxOperation<any, any, any>

/** Returns whether the call stands outside the core interface. */
export function isExtension({ toolset }: Pick<AnyOperation, 'toolset'>): boolean {
  return toolset !== undefined
}

/**
 * Returns whether the operation only reads and takes no idempotency key: GET, and the POSTs that only quote. Control
 * calls take no key; the GETs among them only read.
 */
export function isRead({
  method,
  idempotency = method === 'GET' ? 'none' : 'supported',
}: Pick<Operation, 'method'> & Partial<Pick<Operation, 'idempotency'>>): boolean {
  return idempotency === 'none'
}
