/**
 * The operations on a resource of the caller's own. The resource is described once: its path, scopes, errors, lock and answer
 * then hold for every operation that shows it, lists it or acts on it, and the file of each says only what is its own.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Scope } from './account.ts'
import type { OperationContext } from './context.ts'
import type { Tx } from './db.ts'
import { AppError, type ErrorCode } from './errors.ts'
import {
  type CommandHints,
  defineOperation,
  type DueEventScope,
  type Entitlement,
  type Operation,
  type OperationDefinition,
} from './operation.ts'
import type { Resource } from './resource.ts'
import { paginated, paginationParams, strictObject } from './schema.ts'
import { type ListPosition, type Slice, sliceByCreation } from './slice.ts'
import type { WorldSettings } from './world.ts'

type Caller = Pick<OperationContext, 'account'>

/** The owner of a resource: the caller's account, or an agreement of it. */
export type ResourceOwner = {
  entitlement: Entitlement
  /** Throws `agreement_required` for an account without that agreement. */
  idOf(caller: Caller): string
  /** The due events of all its resources. */
  touches(input: unknown, caller: Caller): DueEventScope
}

/** The owner of what an account bought. */
export const ACCOUNT: ResourceOwner = {
  entitlement: 'none',
  idOf: ({ account }) => account.account_id,
  touches: (_input, { account }) => ({ owner: account.account_id }),
}

/** A resource of one owner. `Row` is its record, `I` the schema of its id, `O` that of its response. */
type OwnedResource<R extends Resource, Row, I extends TSchema, O extends TSchema> = {
  owner: ResourceOwner
  resource: R
  /** The path of the list: each resource is below it, under its id. */
  path: `/v1/${string}`
  scopes: { read: Scope; act: Scope }
  id: I
  /** Present where people type ids. `assert` throws `error` for a text that can be none. */
  typed?: { normalize(text: string): string; assert(text: string): void; error: ErrorCode }
  output: O
  find(tx: Tx, id: string): Promise<Row | undefined>
  lock(tx: Tx, id: string): Promise<Row | undefined>
  ownerOf(row: Row): string | null
  /** Where the caller sees its own. */
  hint?: string
  serialize(context: OperationContext, row: Row): Promise<Static<O>>
}

/** The input that names one resource. */
type IdInput<R extends Resource, I extends TSchema> = { [Member in R['id']]: I }

/** The fields that follow from the resource. */
type DerivedMember =
  | 'area'
  | 'method'
  | 'path'
  | 'scope'
  | 'entitlement'
  | 'createsTransaction'
  | 'idempotency'
  | 'input'
  | 'output'
  | 'errors'
  | 'touches'
  | 'cli'
  | 'run'

/** The fields that an operation says itself, whatever it does. */
type Particulars<P extends TProperties, O extends TSchema> = Omit<
  OperationDefinition<P, O>,
  DerivedMember | 'name'
>
type ReadHints = Omit<CommandHints, 'danger'>
type WriteHints = ReadHints & { danger?: 'destructive' | 'spend' }

type ShowParticulars<R extends Resource, I extends TSchema, O extends TSchema> = Particulars<
  IdInput<R, I>,
  O
> & {
  /** As the row of the resource has it. */
  name: R['show'] & string
  cli: ReadHints
}

/** The response for one resource of a list, by its schema. */
type ListItem<S extends TSchema> = Static<ReturnType<typeof paginated<S>>>['data'][number]

type ListParticulars<R extends Resource, Row, F extends TProperties, S extends TSchema> = Particulars<
  F & typeof paginationParams,
  ReturnType<typeof paginated<S>>
> & {
  /** As the row of the resource has it. */
  name: R['list'] & string
  cli: ReadHints
  filters: F
  /** The response for one resource. */
  item: S
  /** The errors of the list besides that of a cursor. */
  errors?: readonly ErrorCode[]
  /** Returns the caller's own that fit, newest first. */
  read(context: OperationContext, filters: Static<TObject<F>>, slice: Slice): Promise<(Row & ListPosition)[]>
  /** Looks up what the rows need; returns a function that shows each of them, as of `now`. */
  makeSerializer(tx: Tx, rows: readonly Row[], now: number): Promise<(row: Row) => ListItem<S>>
}

type ActionParticulars<
  R extends Resource,
  Row,
  I extends TSchema,
  P extends TProperties,
  O extends TSchema,
> = Particulars<IdInput<R, I> & P, O> & {
  name: string
  cli: WriteHints
  method?: 'PUT'
  /** Unless it is that of every action. */
  scope?: Scope
  /** Its path below that of the resource. */
  below: `/${string}`
  /** Unless a key is only supported. */
  idempotency?: 'required'
  /** Its input besides the id. */
  input: P
  /** The errors of the call besides that of a resource that is not the caller's. */
  errors: readonly ErrorCode[]
  /** Changes the resource under the lock of its row. */
  act(
    scene: { tx: Tx; world: WorldSettings; at: number },
    row: Row,
    input: Static<TObject<P>>,
    context: OperationContext,
  ): Promise<unknown>
}

/**
 * Describes a resource of one owner. `show`, `list` and `action` define its operations; `load` and `act` serve those that
 * `defineOperation` defines.
 */
export function ownedBy<const R extends Resource, Row, I extends TSchema, O extends TSchema>(
  owner: ResourceOwner,
  description: Omit<OwnedResource<R, Row, I, O>, 'owner'>,
) {
  const own: OwnedResource<R, Row, I, O> = { ...description, owner }
  return {
    /** Loads the caller's own; with `lock`, for a change. Throws as if that of another did not exist. */
    load: (context: OperationContext, id: string, options?: { lock: boolean }) =>
      loadOwned(own, context, id, options),
    /** Changes the caller's own under the lock of its row; returns it as it then is. */
    act: (context: OperationContext, id: string, change: (row: Row) => Promise<unknown>) =>
      changeOwned(own, context, id, change),
    show: (particulars: ShowParticulars<R, I, O>) => defineShow(own, particulars),
    list: <F extends TProperties, S extends TSchema>(particulars: ListParticulars<R, Row, F, S>) =>
      defineList(own, particulars),
    action: <P extends TProperties>(particulars: ActionParticulars<R, Row, I, P, O>) =>
      defineAction(own, particulars),
  }
}

async function loadOwned<R extends Resource, Row, I extends TSchema, O extends TSchema>(
  own: OwnedResource<R, Row, I, O>,
  context: OperationContext,
  text: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<Row> {
  const { resource, typed, owner, hint } = own
  typed?.assert(text)
  const id = typed?.normalize(text) ?? text
  const row = await (lock ? own.lock : own.find)(context.tx, id)
  if (row !== undefined && own.ownerOf(row) === owner.idOf(context)) return row
  throw new AppError(
    resource.notFound,
    `No ${resource.noun} ${id}.`,
    hint === undefined ? undefined : { hint },
  )
}

async function changeOwned<R extends Resource, Row, I extends TSchema, O extends TSchema>(
  own: OwnedResource<R, Row, I, O>,
  context: OperationContext,
  id: string,
  change: (row: Row) => Promise<unknown>,
): Promise<Static<O>> {
  const row = await loadOwned(own, context, id, { lock: true })
  await change(row)
  return own.serialize(context, row)
}

function defineShow<R extends Resource, Row, I extends TSchema, O extends TSchema>(
  own: OwnedResource<R, Row, I, O>,
  { cli, ...particulars }: ShowParticulars<R, I, O>,
): Operation<IdInput<R, I>, O> {
  const { path, key, errors, ...members } = membersOfOne(own)
  return defineOperation({
    ...particulars,
    ...members,
    method: 'GET',
    path,
    scope: own.scopes.read,
    idempotency: 'none',
    input: strictObject(key),
    errors,
    cli: { ...cli, danger: 'read' },
    run: async (context, input) =>
      own.serialize(context, await loadOwned(own, context, textIn(own.resource, input))),
  })
}

function defineList<
  R extends Resource,
  Row,
  I extends TSchema,
  O extends TSchema,
  F extends TProperties,
  S extends TSchema,
>(
  { resource, owner, path, scopes }: OwnedResource<R, Row, I, O>,
  particulars: ListParticulars<R, Row, F, S>,
): Operation<F & typeof paginationParams, ReturnType<typeof paginated<S>>> {
  const { cli, filters, item, errors = [], read, makeSerializer, ...others } = particulars
  return defineOperation({
    ...others,
    area: resource.area,
    method: 'GET',
    path,
    scope: scopes.read,
    entitlement: owner.entitlement,
    createsTransaction: false,
    idempotency: 'none',
    input: strictObject({ ...filters, ...paginationParams }),
    output: paginated(item),
    errors: ['invalid_cursor', ...errors],
    cli: { ...cli, danger: 'read' },
    touches: owner.touches,
    async run(context, input) {
      const { tx, now, cursor } = context
      const rows = await read(context, input as Static<TObject<F>>, sliceByCreation(cursor))
      const serialize = await makeSerializer(tx, rows, now)
      return cursor.page(rows, ({ created_at, seq }) => [created_at, seq], serialize)
    },
  })
}

function defineAction<R extends Resource, Row, I extends TSchema, O extends TSchema, P extends TProperties>(
  own: OwnedResource<R, Row, I, O>,
  particulars: ActionParticulars<R, Row, I, P, O>,
): Operation<IdInput<R, I> & P, O> {
  const {
    cli,
    method = 'POST',
    scope = own.scopes.act,
    below,
    idempotency = 'supported',
    ...rest
  } = particulars
  const { input, errors: refusals, act, ...others } = rest
  const { path, key, errors, ...members } = membersOfOne(own)
  return defineOperation({
    ...others,
    ...members,
    method,
    path: `${path}${below}`,
    scope,
    idempotency,
    input: strictObject({ ...key, ...input }),
    errors: [...errors, ...refusals],
    cli: { positionals: [own.resource.id], danger: 'write', ...cli },
    run(context, given) {
      const { tx, world, now: at } = context
      const { [own.resource.id]: id, ...wish } = given as Record<string, unknown>
      return changeOwned(own, context, String(id), (row) =>
        act({ tx, world, at }, row, wish as Static<TObject<P>>, context),
      )
    },
  })
}

/** Returns what the operations on one of the resources have in common. */
function membersOfOne<R extends Resource, Row, I extends TSchema, O extends TSchema>({
  resource,
  owner,
  path,
  id,
  typed,
  output,
}: OwnedResource<R, Row, I, O>) {
  return {
    area: resource.area,
    path: `${path}/{${resource.id}}` as const,
    entitlement: owner.entitlement,
    createsTransaction: false,
    key: { [resource.id]: id } as IdInput<R, I>,
    output,
    errors: [...(typed === undefined ? [] : [typed.error]), resource.notFound],
    touches(input: object): DueEventScope {
      const text = textIn(resource, input)
      return { resource: typed?.normalize(text) ?? text }
    },
  }
}

/** Returns the id as it was typed. */
function textIn({ id }: Resource, input: object): string {
  return String((input as Record<string, unknown>)[id])
}
