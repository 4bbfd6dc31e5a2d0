/**
 * Every error is a problem document with a code that the operation declares, and changes nothing
 * (docs/rules/failure-model.md#input-never-breaks-the-service).
 */
import { isDeepStrictEqual } from 'node:util'
import * as Type from 'typebox'
import { Check, Errors } from 'typebox/value'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ErrorCode, ERRORS } from '../../src/core/errors.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { PROBLEM_MEMBERS } from '../../src/core/problem-members.ts'
import { money } from '../../src/core/schema.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { problemCodes } from '../../src/server/openapi.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import { iterations } from '../support/battery.ts'
import { listCaseProblems, toCaseFile } from '../support/cases.ts'
import { callTestControl } from '../support/control.ts'
import { makeCaseExample } from '../support/examples.ts'
import { HOSTILE } from '../support/hostile.ts'
import { checkInvariants } from '../support/invariants.ts'
import { fc } from '../support/properties.ts'
import { refusalsOf } from '../support/refusals.ts'
import { ENGINES } from '../support/stores.ts'
import { type TestResponse, openTestSandbox, type TestSandbox } from '../support/world.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const named = operations.map((operation) => [operation.name, operation] as const)

/** The fields of a problem document; those of the reference may be added, and no others. */
const PROBLEM = Type.Object(
  {
    type: Type.String({ pattern: '^urn:dray:problem:[a-z_]+$' }),
    title: Type.String({ minLength: 1 }),
    status: Type.Integer({ minimum: 400, maximum: 507 }),
    code: Type.String({ pattern: '^[a-z_]+$' }),
    detail: Type.String({ minLength: 1 }),
    instance: Type.String({ pattern: '^urn:dray:request:req_' }),
    request_id: Type.String({ pattern: '^req_' }),
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
            'hidden_characters',
            'invalid_enum',
            'mutually_exclusive',
            'not_in_menu',
            'min_selections',
            'max_selections',
          ] as const),
          detail: Type.String({ minLength: 1 }),
        },
        { additionalProperties: false },
      ),
    ),
    ...Object.fromEntries(
      Object.entries(PROBLEM_MEMBERS).map(([name, schema]) => [
        name,
        Type.Optional('$ref' in schema ? money : Type.Unsafe(schema)),
      ]),
    ),
  },
  { additionalProperties: false },
)

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

/** Returns every place in a value that can be edited, as a path. */
function placesOf(node: unknown, path: string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [path]
  return [path, ...Object.entries(node).flatMap(([key, member]) => placesOf(member, [...path, key]))].filter(
    ({ length }) => length > 0,
  )
}

/** Returns the input with some places changed or removed. */
function edit(input: Record<string, unknown>, changes: readonly Edit[]): Record<string, unknown> {
  const edited = structuredClone(input)
  for (const { at, value: to } of changes) {
    const places = placesOf(edited)
    const path = places[at % Math.max(1, places.length)] ?? ['x']
    const last = path.at(-1) ?? ''
    let node = edited
    for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>
    if (to !== undefined) node[last] = to
    // JSON lists have no holes.
    else if (Array.isArray(node)) node.splice(Number(last), 1)
    else delete node[last]
  }
  return edited
}

/** Returns why an answer is no problem document, with the places that its schema refuses. */
function noProblem(body: unknown): string {
  const wrong = Errors(PROBLEM, body).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
  return `no problem document, as src/core/problem-members.ts lists its members: ${wrong.join('; ')}: ${JSON.stringify(body)}`
}

/** Returns the faults of an error's document; empty for a success. */
function problemsOf(operation: AnyOperation, answer: TestResponse): string[] {
  const { status, body, headers } = answer
  if (status < 300) return []
  if (!Check(PROBLEM, body)) return [noProblem(body)]
  const { code, title, retryable, type, detail, hint, errors } = body
  const { operations } = answer.body
  const texts = [detail, hint ?? '', ...errors.map((each) => each.detail)].join(' ')
  const inTexts = new Set(texts.split(/\W+/).filter((word) => Object.hasOwn(OPERATIONS, word)))
  const known = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : undefined
  const checks = {
    'its code is not in the table': known !== undefined,
    'its operation does not declare it': problemCodes(operation).includes(code as ErrorCode),
    'its status is another': known?.status === status && body.status === status,
    'it is the fault of the service': status < 500,
    'its title is another': known?.title === title && type === `urn:dray:problem:${code}`,
    'whether it may succeed later is wrong': retryable === (known?.retryable ?? false),
    'its texts name other operations than its member': isDeepStrictEqual(
      inTexts,
      new Set(operations as string[] | undefined),
    ),
    'its type is another': headers['Content-Type'] === 'application/problem+json',
  }
  return Object.entries(checks).flatMap(([what, fine]) => (fine ? [] : [`${code} ${status}: ${what}`]))
}

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
    await world.advance(10 * 86_400_000)
  })

  async function rows(): Promise<unknown> {
    return world.db.read((tx) =>
      // a quote may add a row and an id
      tx.all(`select (select count(*) from shipments) as shipments, (select count(*) from shipment_events) as scans,
        (select count(*) from events) as events, (select count(*) from timeline) as timeline,
        (select sum(last) from ordinals where kind <> 'quo') as ordinals, (select count(*) from orders) as orders,
        (select sum(version) from catalog_items) as items, (select count(*) from categories) as categories,
        (select sum(menu_version) from merchants) as menus, (select count(*) from slot_claims) as slots,
        (select count(*) from rides) as rides, (select count(*) from deliveries) as deliveries,
        (select count(*) from bookings) as bookings, (select count(*) from booked_cells) as cells,
        (select count(*) from tasks) as tasks, (select count(*) from payments) as payments,
        (select count(*) from ledger) as ledger, (select sum(balance) from wallets) as wallets,
        (select count(used_by) from quotes) as used`),
    )
  }

  // What is rejected before the store is asked is rejected on both engines alike.
  test.each(iterations(engine.name === 'SQLite' ? named : [], named))(
    '%s, whatever it is asked',
    async (name, operation) => {
      const hit = new Set<unknown>()
      const example = await makeCaseExample(world, operation)
      await fc.assert(
        fc.asyncProperty(call, async ({ edits: changes, unknown, key, scenario }) => {
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
        { numRuns: engine.name === 'SQLite' ? iterations(25, 250) : iterations(10, 40) },
      )
      expect(hit).toContain('invalid_request')
    },
  )

  test.each(named)(
    '%s refuses in each way that it declares, and changes nothing',
    async (name, operation) => {
      const refusals = refusalsOf(operation)
      const settled = [
        ...refusals.map(([code]) => code),
        ...Object.keys(OPERATION_CASES[name]?.unreachableErrors ?? {}),
      ]
      const where = `refusals of ${toCaseFile(operation)}, or to its never with the reason`
      expect(listCaseProblems(operation.errors, settled, where)).toEqual([])
      const codes: unknown[] = []
      for (const [code, change] of refusals) {
        const given = { world, operation, example: () => makeCaseExample(world, operation) }
        const input =
          typeof change === 'function' ? await change(given) : { ...(await given.example()), ...change }
        // Due events happen first: their changes are not those of the call.
        await world.advance(0)
        const before = await rows()
        const answer = await world.call(name, input, { key: `${name}-${code}` })
        codes.push(answer.body['code'])
        expect(problemsOf(operation, answer), `refusals.${code} of ${toCaseFile(operation)}`).toEqual([])
        expect(await rows(), code).toEqual(before)
      }
      // The error may have needed a scarce supply of workers.
      await callTestControl(world, 'set_supply', { supply: 'normal' })
      expect(codes, `refusals of ${name} in ${toCaseFile(operation)}`).toEqual(refusals.map(([code]) => code))
    },
  )

  test('and after all of it the store is sound', async () => {
    expect(await checkInvariants(world.db)).toEqual([])
  })
})
