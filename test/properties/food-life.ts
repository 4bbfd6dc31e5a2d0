/** Makes one call and compares its response with the model's expectation. */
import { expect } from 'vitest'
import { findAccount } from '../../src/areas/account/store.ts'
import { OPERATIONS } from '../../src/areas/index.ts'
import { type ErrorCode, ERRORS } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import type { Answer, TestWorld } from '../support/world.ts'
import { type FoodModel, type ModelItem, type ModelOrder, storedFor } from './food-model.ts'
import { expectBusinessOrder, expectFoodOrder, expectMenu, expectNothingPrivate } from './food-views.ts'

type Body = Record<string, unknown>

export const operations: ReadonlyMap<string, AnyOperation> = new Map(
  await Promise.all(
    Object.values(OPERATIONS).map(async (load): Promise<[string, AnyOperation]> => {
      const operation = await load()
      return [operation.name, operation]
    }),
  ),
)

export type Life = {
  world: TestWorld
  model: FoodModel
  /** How often each `operation code` occurred; `ok` is a code here. */
  heard: Map<string, number>
  /** Calls with a key that succeeded or were finally refused. */
  keyed: { name: string; call: Call }[]
  /** Returns a number that no run uses twice. */
  serial(): number
}

export type Call = {
  as: string
  input: Body
  key?: string | undefined
  /** Does not fit the schema. */
  malformed?: boolean
  /** Has a cursor that the service did not issue. */
  forged?: boolean
  /** Returns the errors that the rules allow; empty when the call must succeed. */
  rule?: () => ErrorCode[]
}

/** Makes the call and compares its response with the model; returns the response of a first success. */
export async function act(life: Life, name: string, call: Call): Promise<Body | undefined> {
  const { world, model, heard } = life
  const { as, input, key } = call
  const stored = judgeKey(model, name, call)
  const refusals = typeof stored === 'object' ? [] : judge(model, name, call)
  const answer = await world.call(name, input, { as, ...(key !== undefined && { key }) })
  const code = answer.status < 300 ? 'ok' : String(answer.body['code'])
  heard.set(`${name} ${code}`, (heard.get(`${name} ${code}`) ?? 0) + 1)
  const said = `${name} by ${as}: ${answer.text.slice(0, 600)}`
  if (typeof stored === 'object') {
    if (stored.print === printOf(input)) expect(answer.text, said).toBe(stored.text)
    else expect(code, said).toBe('idempotency_key_reused')
    return undefined
  }
  if (refusals.length === 0) expect(code, said).toBe('ok')
  else expect(refusals, said).toContain(code)
  if (operations.get(name)?.area === 'food') expectNothingPrivate(answer.text)
  if (remember(model, name, call, answer)) life.keyed.push({ name, call })
  return code === 'ok' ? answer.body : undefined
}

/** Returns the stored response of a key; `refused` when the caller may not make the call at all. */
function judgeKey(model: FoodModel, name: string, { as, key }: Call) {
  if (!mayCall(model, name, as)) return 'refused'
  if (key === undefined || operations.get(name)?.idempotency === 'none') return undefined
  return storedFor(model, keyName(name, as, key))
}

/** Returns the expected errors: the gateway's checks in their order (A1), then the rules. */
function judge(model: FoodModel, name: string, call: Call): ErrorCode[] {
  const operation = operations.get(name)
  const person = model.people.get(call.as)
  if (operation === undefined || person === undefined) throw new Error(`${name} by ${call.as}`)
  if (!mayCall(model, name, call.as)) return ['insufficient_scope']
  if (operation.idempotency === 'required' && call.key === undefined) return ['idempotency_key_required']
  if (operation.entitlement === 'service_one' && !person.member) return ['membership_required']
  if (operation.entitlement === 'business_agreement' && !person.agreement) return ['agreement_required']
  // Both faults at once: some faults of a request only the store finds.
  const wrong: ErrorCode[] = [
    ...(call.malformed === true ? ['invalid_request' as const] : []),
    ...(call.forged === true ? ['invalid_cursor' as const] : []),
  ]
  return wrong.length > 0 ? wrong : (call.rule?.() ?? [])
}

function mayCall(model: FoodModel, name: string, as: string): boolean {
  const person = model.people.get(as)
  return operations.get(name)?.area === 'food' ? person?.customer === true : person?.business === true
}

function remember(
  model: FoodModel,
  name: string,
  { as, input, key }: Call,
  { status, text, body }: Answer,
): boolean {
  if (key === undefined || operations.get(name)?.idempotency === 'none') return false
  const entry = status < 300 ? undefined : ERRORS[body['code'] as ErrorCode]
  const final = [402, 404, 409, 422].includes(status) && !(entry !== undefined && 'retryable' in entry)
  if (status >= 300 && !final) return false
  model.keys.set(keyName(name, as, key), { print: printOf(input), text, status, at: model.now })
  return true
}

/** P6: repeats an earlier call, or another one with its key, whatever has happened since. */
export async function again(life: Life, { which, other }: { which: number; other: boolean }): Promise<void> {
  const known = life.keyed.filter(({ name, call }) => typeof judgeKey(life.model, name, call) === 'object')
  // each operation equally often
  const names = [...new Set(known.map(({ name }) => name))]
  const own = known.filter(({ name }) => name === names[which % Math.max(1, names.length)])
  const found = own[which % Math.max(1, own.length)]
  if (found === undefined) return
  const { name, call } = found
  await act(life, name, { ...call, input: other ? { ...call.input, other: 1 } : call.input })
}

function keyName(name: string, as: string, key: string): string {
  return `${as} ${name} ${key}`
}

function printOf(input: Body): string {
  return JSON.stringify(input)
}

/** Compares both views of an order, its store's list, and the customer's wallet with the model. */
export async function checkOrder(life: Life, order: ModelOrder): Promise<void> {
  const { world, model } = life
  const seen = await world.call('get_food_order', { order_id: order.id }, { as: order.account })
  expect(seen.status, seen.text).toBe(200)
  expectNothingPrivate(seen.text)
  expectFoodOrder(seen.body, order)
  const { owner } = order.quote.store
  const store = await world.call('get_business_order', { order_id: order.id }, { as: owner })
  expect(store.status, store.text).toBe(200)
  expectBusinessOrder(store.body, order, model)
  expect(await walletOf(world, order.account)).toBe(model.people.get(order.account)?.wallet)
}

async function walletOf({ db }: TestWorld, handle: string): Promise<number> {
  return db.read(async (tx) => {
    const account = await findAccount(tx, handle)
    const row = await tx.get('select balance from wallets where account_id = $1', account?.account_id ?? '')
    return Number(row?.['balance'])
  })
}

/** Checks that the menu is newer and matches the catalogue after an item changed. */
export async function checkMenu(life: Life, { store }: Pick<ModelItem, 'store'>): Promise<void> {
  const { world, model } = life
  const { status, body, text } = await world.call(
    'get_restaurant_menu',
    { merchant_id: store.id },
    { as: 'guest' },
  )
  expect(status, text).toBe(200)
  expectNothingPrivate(text)
  expectMenu(body, store, model.now)
  const version = Number(body['menu_version'])
  expect(version).toBeGreaterThan(store.menuVersion)
  store.menuVersion = version
}

/** Returns all pages of a list, and checks that every page except the last is full. */
export async function walk(
  life: Life,
  name: string,
  call: Call,
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

/** Returns the members of a page request; a forged cursor fits no list. */
export function paged(cursor: string, limit: number): Body {
  return { limit, ...(cursor === 'forged' && { cursor: 'bm9uZQ' }) }
}

/** Returns the members with a value. */
export function known(members: Body): Body {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Returns the element at an index modulo the length; undefined only for an empty list. */
export function at<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)]
}

/** The part of an id after its prefix, for a resource that does not exist. */
export const UNKNOWN_ID = '00000000000000000000000000'
