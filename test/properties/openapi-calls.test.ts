/**
 * Every input that the OpenAPI document allows is accepted, every other is rejected, and every response is described.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutNulls } from '../../src/core/nulls.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { normalizeInput } from '../../src/gateway/normalize-input.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import { unique } from '../support/baskets.ts'
import { iterations } from '../support/battery.ts'
import { listCaseProblems, toCaseFile } from '../support/cases.ts'
import { makeCaseExample } from '../support/examples.ts'
import type { JsonSchema } from '../support/json-schema.ts'
import { makeDocumentSender, readDocumentedCalls, listSurprises } from '../support/openapi-calls.ts'
import type { RawHttpResponse, DocumentedCall } from '../support/openapi-calls.ts'
import { applyValueChange, listInvalidCases, listEdgeCases, valuesOf } from '../support/schema-values.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { sandboxOverStore } from '../support/world.ts'
import type { TestSandbox } from '../support/world.ts'

const RUNS = iterations(12, 2000)
const SEED = 20261120
const HOUR = 3_600_000

type Input = Record<string, unknown>
type Problem = { code: string; errors: { pointer?: string; parameter?: string; code: string }[] }

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((make) => make()))

/** Rules of several operations that schemas cannot express: places whose value may be rejected although it fits. */
const RULES: Readonly<Record<string, RegExp>> = {
  'a cursor is that of the page before': /^cursor invalid_format$/,
  'a text holds nothing that nobody sees': /^\S+ hidden_characters$/,
  'a country is one that exists': /country_code invalid_format$/,
  'a tracking number has a check digit, and so does a barcode':
    /^(tracking_number|\/barcode) invalid_format$/,
  'a card comes with a token, and nothing else does':
    /^\/payment\/payment_token (required|mutually_exclusive)$/,
  'delivery has a drop-off, dine-in a table': /^\/(dropoff|table|tip) (required|mutually_exclusive)$/,
  'a place has an address or a location': /^\/(place|pickup|dropoff|stops\/\d+) required$/,
  'a place is a point, a postcode with its country, or in words':
    /^(near|latitude|longitude|postal_code|country_code) (required|mutually_exclusive)$/,
  'what is planned lies ahead, and not too far':
    /^(date|\/(scheduled_for|pickup_ready_at|until|unavailable_until|options\/not_before_date|starts_at|window\S*)) (out_of_range|invalid_format)$/,
  'prices are in the currency of the store, and not too high':
    /^\/(price|cost|modifier_groups\/\S+)\/(amount out_of_range|currency invalid_enum)$/,
  'choices are those of the item, and as many as fit':
    /^\/modifier_groups\/\d+\S* (out_of_range|invalid_enum)$/,
  'what is on sale is not off sale until later': /^\/(unavailable_)?until mutually_exclusive$/,
}

let served: ServedStore
let world: TestSandbox
let sender: ReturnType<typeof makeDocumentSender>
let document: ReturnType<typeof readDocumentedCalls>

beforeAll(async () => {
  // A connection may be idle while a busy machine generates values.
  served = await serveStore({
    registry: { NAMES, load },
    timeouts: { keepAlive: HOUR, idle: HOUR },
  })
  world = sandboxOverStore(served.db)
  sender = makeDocumentSender(served.url, await served.token('everything'))
  document = readDocumentedCalls(await (await fetch(`${served.url}/openapi.json`)).json())
})

afterAll(async () => {
  await sender.close()
  expect(served.bugs).toEqual([])
})

test('every operation can be called', () => {
  // A label is a file, and links are none of the operations.
  const beside = ['get_shipment_label', 'share_link', 'stream_account_events', 'withdraw_links']
  const described = document.calls.map(({ name }) => name)
  expect(
    listCaseProblems([...NAMES, ...beside], described, 'the OpenAPI document of src/server/openapi.ts'),
  ).toEqual([])
})

function callOf(name: string): DocumentedCall {
  const call = document.calls.find((candidate) => candidate.name === name)
  if (call === undefined) throw new Error(`${name} is not in the document`)
  return call
}

/** Sends with a new key, and fails the test when the document does not describe the response. */
async function ask(
  call: DocumentedCall,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<RawHttpResponse> {
  const key = call.keyed === 'none' ? {} : { 'idempotency-key': unique('sent').replace(' ', '-') }
  const answer = await sender.send(call, input, { ...key, ...headers })
  expect(listSurprises(document.reader, call, answer)).toEqual([])
  return answer
}

/** Returns an input that succeeds, with every optional field, so that each place exists. */
async function fullInput(call: DocumentedCall, operation: AnyOperation): Promise<Input> {
  const [any] = fc.sample(valuesOf(document.reader, call.input), { seed: SEED, numRuns: 1 })
  return { ...(any as Input), ...(await makeCaseExample(world, operation)) }
}

/** Checks each of a few values, or a sample of many. */
async function forSome<T>(values: readonly T[], check: (value: T) => Promise<void>): Promise<void> {
  if (values.length <= RUNS) for (const value of values) await check(value)
  else await fc.assert(fc.asyncProperty(fc.constantFrom(...values), check), { seed: SEED, numRuns: RUNS })
}

/** Returns whether the value is in a row of a manifest or a file, which is checked separately. */
function isInRow(
  { resolve }: typeof document.reader,
  given: JsonSchema,
  [name, ...rest]: readonly string[],
): boolean {
  if (name === undefined) return false
  const { properties = {}, items = {} } = resolve(given) as {
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
  }
  return (
    'x-body-of' in items || isInRow({ resolve } as typeof document.reader, properties[name] ?? items, rest)
  )
}

/**
 * Returns whether a bad value is rejected: an unknown id gets 404, and a bad row is a result once its store is known.
 */
function isRefused(call: DocumentedCall, place: readonly string[], status: number, text: string): boolean {
  if (status === 400) return true
  if (isInRow(document.reader, call.input, place)) {
    // A read tells only of the rows that it can read.
    if (call.keyed === 'none') return true
    const { counts } = JSON.parse(text) as { counts?: { created: number; rejected: number } }
    return status === 404 || (counts?.created === 0 && counts.rejected === 1)
  }
  return status === 404 && call.path.includes(`{${place[0] ?? ''}}`)
}

/** Opens the store again: an operation may have closed it, which the next ones buy from. */
async function reopen(): Promise<void> {
  const { dates } = await world.ok('get_store_hours', {})
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  await world.ok('set_store_hours', {
    weekly: days.map((day) => ({ day, opens: '00:00', closes: '00:00' })),
    dates: dates.map(({ date }) => ({ date, spans: null })),
  })
  await world.ok('set_store_busy', { minutes: 0 })
  await world.ok('resume_store', {})
  await world.ok('set_store_settings', { stations: [], auto_accept: null })
}

describe.each(operations)('$name', (operation) => {
  const { name } = operation
  afterAll(reopen)

  async function understands(input: unknown): Promise<void> {
    const call = callOf(name)
    const answer = await ask(call, input)
    if (answer.status !== 400) return
    const { code, errors } = JSON.parse(answer.text) as Problem
    const places = errors.map(({ pointer, parameter, code: what }) => `${pointer ?? parameter} ${what}`)
    const rules = Object.values({ ...RULES, ...OPERATION_CASES[name]?.rules })
    const ruled = places.filter((place) => rules.some((rule) => rule.test(place)))
    const why = `${name} refuses what its schema takes: say so in the schema, or in rules of ${toCaseFile(operation)}`
    expect({ code, places }, why).toEqual({
      code: expect.stringMatching(/^(invalid_request|invalid_cursor|invalid_tracking_number)$/),
      places: ruled,
    })
  }

  /** Returns an input as the service reads it: without nulls that mean nothing, with codes as they are seen. */
  async function asRead(input: Input): Promise<Input> {
    return (await normalizeInput(operation.input, withoutNulls(operation.input, input))).input
  }

  /** Returns whether the service reads an input as one that fits its schema. */
  async function fits(input: Input): Promise<boolean> {
    return document.reader.faultsOf(callOf(name).input, await asRead(input)).length === 0
  }

  test('understands whatever fits its schema', async () => {
    const call = callOf(name)
    const { reader } = document
    const full = await fullInput(call, operation)
    const edges = listEdgeCases(reader, call.input, full).map((change) => applyValueChange(full, change))
    await forSome(
      edges.filter((input) => sender.canSay(call, input) && reader.faultsOf(call.input, input).length === 0),
      understands,
    )
    const any = valuesOf(reader, call.input).filter((input) => sender.canSay(call, input))
    const understandsRead = async (input: unknown): Promise<void> => {
      if (await fits(input as Input)) await understands(input)
    }
    await fc.assert(fc.asyncProperty(any, understandsRead), { seed: SEED, numRuns: RUNS })
  })

  test('refuses whatever does not', async () => {
    const call = callOf(name)
    const { reader } = document
    const full = await fullInput(call, operation)
    const breaks = listInvalidCases(reader, call.input, full)
      .map((change) => ({ change, input: applyValueChange(full, change) }))
      .filter(({ input }) => sender.canSay(call, input) && reader.faultsOf(call.input, input).length > 0)
    await forSome(breaks, async ({ change, input }) => {
      if (await fits(input as Input)) return
      const { status, text } = await ask(call, input)
      expect(isRefused(call, change.place, status, text), text).toBe(true)
    })
  })

  test('refuses what its headers should not say', async () => {
    const call = callOf(name)
    const input = await makeCaseExample(world, operation)
    const refused = async (headers: Record<string, string>): Promise<unknown> => {
      const { text } = await ask(call, input, headers)
      return (JSON.parse(text) as Problem).code
    }
    expect(await refused({ authorization: 'Bearer nobody' })).toBe('invalid_token')
    expect(await refused({ authorization: '' })).toBe('invalid_token')
    expect(await refused({ accept: 'image/png' })).toBe('not_acceptable')
    expect(await refused({ 'sandbox-scenario': 'nonsense' })).toBe('scenario_not_allowed')
  })
})

const bodied = operations.filter(({ method }) => method !== 'GET')
/** One for each method: the type of a body is checked before the operation is known. */
const ofEachMethod = bodied.filter(
  ({ method }, at) => bodied.findIndex((each) => each.method === method) === at,
)

test.each(iterations(ofEachMethod, bodied))('$name refuses a body of another type', async (operation) => {
  const { text } = await ask(callOf(operation.name), await makeCaseExample(world, operation), {
    'content-type': 'text/plain',
  })
  expect(JSON.parse(text)).toMatchObject({ code: 'unsupported_media_type' })
})

const keyed = operations.filter(({ idempotency }) => idempotency !== 'none')

test.each(keyed)('$name refuses a key that is none', async (operation) => {
  const call = callOf(operation.name)
  const input = await makeCaseExample(world, operation)
  for (const key of ['two words', 'k'.repeat(256), '\u00e9']) {
    const { text } = await ask(call, input, { 'idempotency-key': key })
    expect(JSON.parse(text)).toMatchObject({ code: 'idempotency_key_invalid' })
  }
  const without = await sender.send(call, input)
  expect(listSurprises(document.reader, call, without)).toEqual([])
  expect(without.status === 400).toBe(call.keyed === 'required')
})
