/**
 * Makes calls for a model and compares each response with the model's expectation. The gateway's checks come from the
 * list of the interface, because the program must not be compared with itself.
 */
import { expect } from 'vitest'
import { findAccount } from '../../src/areas/account/queries/accounts.ts'
import { insertCouriers, listCouriers } from '../../src/areas/couriers/queries/couriers.ts'
import type { CourierRecord } from '../../src/areas/couriers/queries/deliveries.ts'
import { frozenClock } from '../../src/core/clock.ts'
import { type ErrorCode, ERRORS } from '../../src/core/errors.ts'
import { saveClock } from '../../src/db/world.ts'
import INTERFACE from '../operations.json' with { type: 'json' }
import { callTestControl } from './control.ts'
import type { TestResponse, TestSandbox } from './world.ts'

export type Body = Record<string, unknown>

/** An account, by its scopes, agreements and membership. */
export type ModelPerson = {
  handle: string
  customer: boolean
  business: boolean
  carrier: boolean
  /** Has the agreements that its scopes need. */
  agreement: boolean
  member: boolean
}

/** The response of a call with a key, and the input that it answers. */
export type StoredResponse = { print: string; text: string; at: number }

/** The facts that every model knows. */
export type Model<P extends ModelPerson = ModelPerson> = {
  now: number
  people: Map<string, P>
  keys: Map<string, StoredResponse>
  /** The couriers who do not work now: all of them, or none. */
  couriersAway: CourierRecord[]
}

export type ModelRun<M extends Model = Model> = {
  world: TestSandbox
  model: M
  /** The number of times that each `operation code` occurred; `ok` is a code here. */
  heard: Map<string, number>
  /** Calls with a key that succeeded or were finally rejected. */
  keyed: { name: string; call: ModelCall }[]
  /** Returns a number that no run uses twice. */
  serial(): number
  /** Checks a response whose code is as expected. */
  inspect(name: string, answer: TestResponse, said: string): void
}

export type ModelCall = {
  as: string
  input: Body
  key?: string | undefined
  scenario?: string | undefined
  /** Does not fit the schema, or combines fields that exclude each other. */
  malformed?: boolean
  /** Has a cursor that the service did not issue. */
  forged?: boolean
  /** Returns the results that the rules allow; empty when the call must succeed. */
  rule?: () => Result[]
}

export type Result = ErrorCode | 'ok'

const KEY_WINDOW = 24 * 3_600_000

const customer = { customer: true, business: false, carrier: false, agreement: false, member: false }
const PEOPLE: readonly ModelPerson[] = [
  { handle: 'everything', customer: true, business: true, carrier: true, agreement: true, member: true },
  { ...customer, handle: 'member', member: true },
  { ...customer, handle: 'guest' },
  { ...customer, handle: 'lapsed' },
  { handle: 'owner', customer: false, business: true, carrier: false, agreement: true, member: false },
  { handle: 'shipper', customer: false, business: false, carrier: true, agreement: true, member: false },
  { handle: 'without', customer: true, business: true, carrier: true, agreement: false, member: false },
]

/** Returns the part of a model that is the same in every one. */
export async function beginModel(world: TestSandbox): Promise<Model> {
  return {
    now: await world.now(),
    people: new Map(PEOPLE.map((person) => [person.handle, { ...person }])),
    keys: new Map(),
    couriersAway: [],
  }
}

/** Makes the call and compares its response with the model; returns the response of a first success. */
export async function callAndCompare(
  life: ModelRun,
  name: string,
  call: ModelCall,
): Promise<Body | undefined> {
  const { world, model, heard } = life
  const { as, input, key, scenario } = call
  const stored = storedFor(model, name, call)
  const allowed = stored === undefined ? judge(model, name, call) : []
  const answer = await world.call(name, input, {
    as,
    ...(key !== undefined && { key }),
    ...(scenario !== undefined && { scenario }),
  })
  const code = answer.status < 300 ? 'ok' : String(answer.body['code'])
  heard.set(`${name} ${code}`, (heard.get(`${name} ${code}`) ?? 0) + 1)
  const said = `${name} by ${as} of ${JSON.stringify(input).slice(0, 400)}: ${answer.text.slice(0, 600)}`
  if (stored !== undefined) {
    if (stored.print === printOf(input)) expect(answer.text, said).toBe(stored.text)
    else expect(code, said).toBe('idempotency_key_reused')
    return undefined
  }
  expect(allowed.length > 0 ? allowed : ['ok'], said).toContain(code)
  life.inspect(name, answer, said)
  if (remember(model, name, call, answer)) life.keyed.push({ name, call })
  return code === 'ok' ? answer.body : undefined
}

/** Returns the stored response of a key, while it is stored and the caller may make the call at all. */
function storedFor(model: Model, name: string, { as, key }: ModelCall): StoredResponse | undefined {
  if (key === undefined || !mayCall(personOf(model, as), name) || !takesKey(name)) return undefined
  const stored = model.keys.get(keyName(name, as, key))
  return stored !== undefined && model.now < stored.at + KEY_WINDOW ? stored : undefined
}

/** Returns the expected results: the gateway's checks in their order, then the rules. */
function judge(model: Model, name: string, call: ModelCall): Result[] {
  const person = personOf(model, call.as)
  const { idempotency, entitlement } = promisedOf(name)
  if (!mayCall(person, name)) return ['insufficient_scope']
  if (idempotency === 'required' && call.key === undefined) return ['idempotency_key_required']
  if (entitlement === 'service_one' && !person.member) return ['membership_required']
  if (entitlement.endsWith('_agreement') && !person.agreement) return ['agreement_required']
  // Both faults at once: some faults of a request only the store finds.
  const wrong: ErrorCode[] = [
    ...(call.malformed === true ? ['invalid_request' as const] : []),
    ...(call.forged === true ? ['invalid_cursor' as const] : []),
  ]
  return wrong.length > 0 ? wrong : (call.rule?.() ?? [])
}

/** Returns the area of an operation. */
export function areaOf(name: string): string {
  return promisedOf(name).area
}

function promisedOf(name: string): (typeof INTERFACE)[number] {
  const promised = INTERFACE.find(({ operation }) => operation === name)
  if (promised === undefined) throw new Error(`the interface has no ${name}`)
  return promised
}

function personOf({ people }: Model, handle: string): ModelPerson {
  const person = people.get(handle)
  if (person === undefined) throw new Error(`the model knows no ${handle}`)
  return person
}

function mayCall({ customer: isCustomer, business, carrier }: ModelPerson, name: string): boolean {
  const area = areaOf(name)
  if (area === 'account') return true
  if (area === 'business') return business
  return area === 'carrier' ? carrier : isCustomer
}

function takesKey(name: string): boolean {
  return promisedOf(name).idempotency !== 'none'
}

function remember(model: Model, name: string, { as, input, key }: ModelCall, answer: TestResponse): boolean {
  const { status, text, body } = answer
  if (key === undefined || !takesKey(name)) return false
  const entry = status < 300 ? undefined : ERRORS[body['code'] as ErrorCode]
  const final = [402, 404, 409, 422].includes(status) && !(entry !== undefined && 'retryable' in entry)
  if (status >= 300 && !final) return false
  model.keys.set(keyName(name, as, key), { print: printOf(input), text, at: model.now })
  return true
}

/** Repeats an earlier call, or another one with its key, whatever has happened since. */
export async function repeatKeyedCall(
  life: ModelRun,
  { which, other }: { which: number; other: boolean },
): Promise<void> {
  const alive = life.keyed.filter(({ name, call }) => storedFor(life.model, name, call) !== undefined)
  // each operation equally often
  const names = [...new Set(alive.map(({ name }) => name))]
  const own = alive.filter(({ name }) => name === pickAt(names, which))
  const found = pickAt(own, which)
  if (found === undefined) return
  const { name, call } = found
  await callAndCompare(life, name, { ...call, input: other ? { ...call.input, other: 1 } : call.input })
}

function keyName(name: string, as: string, key: string): string {
  return `${as} ${name} ${key}`
}

function printOf(input: Body): string {
  return JSON.stringify(input)
}

/** Returns all pages of a list, and checks that every page except the last is full. */
export async function readAllPages(
  life: ModelRun,
  name: string,
  call: ModelCall,
  first: Body,
  limit: number,
): Promise<Body[]> {
  const data = [...(first['data'] as Body[])]
  let page = first
  while (page['has_more'] === true) {
    expect(page['data']).toHaveLength(limit)
    const cursor = String(page['next_cursor'])
    const { status, body, text } = await life.world.call(name, { ...call.input, cursor }, { as: call.as })
    expect(status, text).toBe(200)
    page = body
    data.push(...(page['data'] as Body[]))
  }
  expect(page['next_cursor']).toBeNull()
  return data
}

/** Starts or ends a membership. */
export async function membership(
  { world, model }: ModelRun,
  { as, to }: { as: string; to: 'active' | 'expired' },
): Promise<void> {
  const person = personOf(model, as)
  if (person.member === (to === 'active')) return
  await callTestControl(world, 'set_membership', { account: as, status: to })
  person.member = to === 'active'
}

/** Sends all couriers away, or brings them back; a delivery under way is finished. */
export async function couriers({ world, model }: ModelRun, { away }: { away: boolean }): Promise<void> {
  if (away === model.couriersAway.length > 0) return
  const back = model.couriersAway
  model.couriersAway = await world.db.write(async (tx) => {
    const gone = await listCouriers(tx)
    await tx.run('delete from couriers')
    await insertCouriers(tx, back)
    return [...gone]
  })
}

/** Advances the program's clock: due events happen at once, or with the next call. The model's clock stays. */
export async function advanceProgramClock(
  { world }: ModelRun,
  until: number,
  lazily: boolean,
): Promise<void> {
  if (lazily) await world.write((tx) => saveClock(tx, frozenClock(until)))
  else await world.advanceTo(until)
}

/** Returns the balance of an account's wallet, as it is stored. */
export async function walletBalance({ db }: TestSandbox, handle: string): Promise<number> {
  return db.read(async (tx) => {
    const account = await findAccount(tx, handle)
    const row = await tx.get('select balance from wallets where account_id = $1', account?.account_id ?? '')
    return Number(row?.['balance'])
  })
}

/** Returns the fields of a page request; a forged cursor fits no list. */
export function paged(cursor: string, limit: number): Body {
  return { limit, ...(cursor === 'forged' && { cursor: 'bm9uZQ' }) }
}

/** Returns the fields with a value. */
export function omitUndefined(members: Body): Body {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Returns the element at an index modulo the length; undefined only for an empty list. */
export function pickAt<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)]
}

export function iso(instant: number): string {
  return new Date(instant).toISOString()
}

/** The part of an id after its prefix, for a resource that does not exist. */
export const UNKNOWN_ID = '00000000000000000000000000'

/** An address whose postcode does not exist. */
export const NOWHERE = {
  address: { line1: '1 Nowhere Lane', city: 'London', postal_code: 'ZZ99 9ZZ', country_code: 'GB' },
}
