/** P16: whatever is sent, a refusal is a problem of the table that the operation declares, and changes nothing. */
import fc from 'fast-check'
import * as Type from 'typebox'
import { Check } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../src/errors.ts'
import { type AnyOperation, isRead } from '../../src/operation.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { problemCodes } from '../../src/server/openapi.ts'
import { HOSTILE } from '../support/hostile.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { ENGINES } from '../support/stores.ts'
import { type Answer, openWorld, type TestWorld } from '../support/world.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const named = operations.map((operation) => [operation.name, operation] as const)

/** `contract.md` A9. */
const PROBLEM = Type.Object({
  type: Type.String({ pattern: '^urn:dray:problem:[a-z_]+$' }),
  title: Type.String({ minLength: 1 }),
  status: Type.Integer({ minimum: 400, maximum: 507 }),
  code: Type.String({ pattern: '^[a-z_]+$' }),
  detail: Type.String({ minLength: 1 }),
  instance: Type.Optional(Type.String({ pattern: '^urn:dray:request:req_' })),
  request_id: Type.Optional(Type.String({ pattern: '^req_' })),
  retryable: Type.Boolean(),
  hint: Type.Optional(Type.String({ minLength: 1 })),
  errors: Type.Array(
    Type.Object(
      {
        pointer: Type.Optional(Type.String()),
        parameter: Type.Optional(Type.String()),
        header: Type.Optional(Type.String()),
        code: Type.Enum([
          'required',
          'unknown_member',
          'wrong_type',
          'out_of_range',
          'too_long',
          'too_many',
          'invalid_format',
          'invalid_enum',
          'mutually_exclusive',
        ] as const),
        detail: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
})

type Edit = { at: number; value: unknown }

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...HOSTILE.slice(0, 40),
    '',
    ' ',
    '\0',
    '-1',
    0,
    -1,
    1e21,
    2 ** 53,
    0.1,
    null,
    true,
    [],
    {},
    '2026-02-30',
    'GB',
    'ZC968043370GB',
    '__proto__',
    '%',
    "'; drop table shipments",
  ),
)
const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({ at: fc.nat(200), value: fc.option(value, { nil: undefined }) }),
  { minLength: 1, maxLength: 3 },
)
const call = fc.record({
  edits,
  unknown: fc.option(
    fc.constantFrom('price', '__proto__', 'constructor', 'customer_id', 'limit', 'cursor', 'x'.repeat(300)),
    { nil: undefined },
  ),
  key: fc.option(fc.constantFrom('k', 'k2', '', 'two words', 'ü', 'k'.repeat(256), '"quoted"'), {
    nil: undefined,
  }),
  scenario: fc.option(fc.constantFrom('happy', 'lost', 'nonsense', 'delayed;hours=0', ';', '='), {
    nil: undefined,
  }),
})

/** Every place in a value that can be edited, as a path. */
function placesOf(node: unknown, path: string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [path]
  return [path, ...Object.entries(node).flatMap(([key, member]) => placesOf(member, [...path, key]))].filter(
    ({ length }) => length > 0,
  )
}

/** The input with some of its places set to something else, or removed. */
function edit(input: Record<string, unknown>, changes: readonly Edit[]): Record<string, unknown> {
  const edited = structuredClone(input)
  for (const { at, value: to } of changes) {
    const places = placesOf(edited)
    const path = places[at % Math.max(1, places.length)] ?? ['x']
    const last = path.at(-1) ?? ''
    let node = edited
    for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>
    if (to === undefined) delete node[last]
    else node[last] = to
  }
  return edited
}

/** For every refusal of its own that an operation declares, an input that it refuses so. */
const REFUSALS: Readonly<
  Record<string, Readonly<Record<string, (delivered: string) => Record<string, unknown>>>>
> = {
  quote_rates: {
    hub_not_found: () => ({ ...RATE, from_hub_id: 'NOPE' }),
    destination_not_covered: () => ({ ...RATE, to_country_code: 'FR' }),
    parcel_limits_exceeded: () => ({ ...RATE, weight_grams: 30_001 }),
    currency_mismatch: () => ({ ...RATE, declared_value_amount: 1, declared_value_currency: 'EUR' }),
  },
  create_shipment: {
    hub_not_found: () => makeParcel({ hub_id: 'NOPE' }),
    duplicate_reference: () => makeParcel({ reference: 'TAKEN' }),
    destination_not_covered: () => makeParcel({}, { country_code: 'FR', postal_code: '75001' }),
    service_level_not_available: () => makeParcel({ service_level: 'same_day' }, { postal_code: 'M1 4EU' }),
    parcel_limits_exceeded: () =>
      makeParcel({ parcel: { weight_grams: 1, length_mm: 1201, width_mm: 1, height_mm: 1 } }),
    address_unresolvable: () => makeParcel({}, { postal_code: 'ZZ99 9ZZ' }),
    currency_mismatch: () => makeParcel({ options: { cash_on_delivery: { amount: 1, currency: 'EUR' } } }),
  },
  create_shipments_batch: { manifest_too_large: () => ({ shipments: makeRows(501) }) },
  get_shipment: {
    invalid_tracking_number: () => ({ tracking_number: 'ZC968043371GB' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
  },
  list_shipments: { invalid_cursor: () => ({ cursor: 'bm9uZQ' }) },
  cancel_shipment: {
    invalid_tracking_number: () => ({ tracking_number: '' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
    not_cancellable: (delivered) => ({ tracking_number: delivered }),
  },
  list_shipment_events: {
    invalid_tracking_number: () => ({ tracking_number: 'ZC000000000GB' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
    invalid_cursor: (delivered) => ({ tracking_number: delivered, cursor: '%' }),
  },
  list_hubs: {
    invalid_cursor: () => ({ cursor: 'bm9uZQ' }),
    address_unresolvable: () => ({ postal_code: 'ZZ99 9ZZ', country_code: 'GB' }),
  },
}
const RATE = {
  to_postal_code: 'RG1 1AA',
  to_country_code: 'GB',
  weight_grams: 1400,
  length_mm: 300,
  width_mm: 200,
  height_mm: 100,
}

/** What is wrong with an answer, if it refuses. */
function problemsOf(operation: AnyOperation, { status, body, headers }: Answer): string[] {
  if (status < 300) return []
  if (!Check(PROBLEM, body)) return [`no problem document: ${JSON.stringify(body)}`]
  const { code, title, retryable, type } = body
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined
  const checks = {
    'its code is not in the table': known !== undefined,
    'its operation does not declare it': problemCodes(operation).includes(code as ErrorCode),
    'its status is another': known?.status === status && body.status === status,
    'it is the fault of the service': status < 500,
    'its title is another': known?.title === title && type === `urn:dray:problem:${code}`,
    'whether it may succeed later is wrong': retryable === (known?.retryable ?? false),
    'its type is another': headers['Content-Type'] === 'application/problem+json',
  }
  return Object.entries(checks).flatMap(([what, fine]) => (fine ? [] : [`${code} ${status}: ${what}`]))
}

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestWorld
  let number: string
  let delivered: string

  beforeAll(async () => {
    world = await openWorld({ engine })
    delivered = (await world.ok('create_shipment', makeParcel({ reference: 'TAKEN' }))).tracking_number
    await world.advance(10 * 86_400_000)
    number = (await world.ok('create_shipment', makeParcel())).tracking_number
  })

  async function rows(): Promise<unknown> {
    return world.db.read((tx) =>
      tx.all(`select (select count(*) from shipments) as shipments, (select count(*) from shipment_events) as scans,
        (select count(*) from events) as events, (select count(*) from timeline) as timeline, (select sum(last) from ordinals) as ordinals`),
    )
  }

  test.each(named)('%s, whatever it is asked', async (name, operation) => {
    const hit = new Set<unknown>()
    await fc.assert(
      fc.asyncProperty(call, async ({ edits: changes, unknown, key, scenario }) => {
        const example = {
          ...operation.example,
          ...('tracking_number' in operation.example && { tracking_number: number }),
        }
        const input = { ...edit(example, changes), ...(unknown !== undefined && { [unknown]: 1 }) }
        const before = await rows()
        const answer = await world.call(name, input, {
          ...(key !== undefined && { key }),
          ...(scenario !== undefined && { scenario }),
        })
        hit.add(answer.body['code'])
        expect(problemsOf(operation, answer)).toEqual([])
        const mayChange = answer.status < 300 && !isRead(operation)
        expect(mayChange ? before : await rows()).toEqual(before)
      }),
      { numRuns: engine.name === 'SQLite' ? 250 : 40 },
    )
    expect(hit).toContain('invalid_request')
  })

  test.each(named)(
    '%s refuses in each way that it declares, and changes nothing',
    async (name, operation) => {
      const before = await rows()
      const codes: unknown[] = []
      for (const make of Object.values(REFUSALS[name] ?? {})) {
        const answer = await world.call(name, make(delivered))
        codes.push(answer.body['code'])
        expect(problemsOf(operation, answer)).toEqual([])
      }
      expect(codes).toEqual(Object.keys(REFUSALS[name] ?? {}))
      expect(new Set(codes)).toEqual(new Set(operation.errors))
      expect(await rows()).toEqual(before)
    },
  )

  test('and after all of it the store is sound', async () => {
    expect(await checkInvariants(world.db)).toEqual([])
  })
})
