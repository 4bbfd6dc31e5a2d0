/** The public interface as a reviewer reads it: what changes in a call is a line that changes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { listInterfaceLines } from '../../src/generate/interface-lines.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { sandboxDocument } from '../../src/server/openapi-sandbox.ts'
import type { Json, JsonNode } from '../../src/server/openapi-schemas.ts'
import { openapiDocument } from '../../src/server/openapi.ts'
import { ROOT } from '../support/sources.ts'

const operations = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const document = openapiDocument(operations, '1.2.3')
const sandbox = sandboxDocument(await listControls(), { version: '1.2.3' })
const lines = listInterfaceLines(document)

const readReviewed = (file: string): string[] =>
  readFileSync(join(ROOT, 'test/snapshots', file), 'utf8')
    .trimEnd()
    .split('\n')

test('the documents of the service and of its sandbox are what was reviewed, line by line', () => {
  expect(lines).toEqual(readReviewed('interface.txt'))
  expect(listInterfaceLines(sandbox)).toEqual(readReviewed('sandbox.txt'))
})

test('a reviewer reads the address, the members, the answer and the refusals of a call', () => {
  expect(lines.filter((line) => line.startsWith('get_ride '))).toEqual([
    'get_ride GET /v1/rides/{ride_id} scope=rides.read entitlement=none idempotency=none creates-transaction=false spends=how:nothing maturity=beta',
    'get_ride path ride_id string 1..60 chars',
    'get_ride query fields? string 1..1000 chars /\\S/',
    'get_ride 200 Ride',
    'get_ride refuses 404 route_not_found, 404 ride_not_found, 422 unknown_field',
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      'place_food_order body quote_id string 1..60 chars',
      'place_food_order 201 FoodOrder',
      'place_food_order 201 headers Location, Idempotent-Replayed',
      'FoodOrder refund Refund | null',
      'FulfillmentType delivery|pickup|dine_in',
    ]),
  )
})

test('every call, and every member of what it takes and answers, has its line', () => {
  const names = operations.map(({ name }) => name)
  expect(new Set(names.filter((name) => !lines.some((line) => line.startsWith(`${name} `))))).toEqual(
    new Set(),
  )
  const members = new Set(
    lines.flatMap((line) => line.split(' ').slice(1, 4)).flatMap((word) => word.split(/[.?[\]]+/)),
  )
  expect([...membersIn(document)].filter((member) => !members.has(member))).toEqual([])
})

/** Returns the names of all fields of the schemas, except those of problem documents. */
function membersIn(node: Json, names = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return names
  if (Array.isArray(node)) node.forEach((member) => membersIn(member, names))
  else {
    if (node['allOf'] !== undefined) return names
    const { properties = {} } = node
    for (const name of Object.keys(properties as JsonNode)) names.add(name)
    Object.values(node).forEach((member) => membersIn(member, names))
  }
  return names
}

/** A document of few calls, which have each keyword. */
const FEW = [
  'place_food_order',
  'cancel_ride',
  'create_shipment',
  'list_shipments',
  'create_webhook_endpoint',
  'quote_task',
]
const few = openapiDocument(
  operations.filter(({ name }) => FEW.includes(name)),
  '1.2.3',
)
const fewLines = listInterfaceLines(few)

/** What a schema may say besides texts, and the rest of a call. */
const CHANGES: Record<string, (before: Json) => Json> = {
  type: (before) => (before === 'string' ? 'integer' : 'string'),
  enum: (before) => (before as Json[]).slice(1),
  const: () => 'another',
  format: () => 'uuid',
  pattern: (before) => `${before as string}x`,
  required: (before) => (Array.isArray(before) ? before.slice(1) : before === false),
  anyOf: (before) => (before as Json[]).slice(0, 1),
  default: () => 'another',
  minimum: (before) => Number(before) + 1,
  maximum: (before) => Number(before) + 1,
  minLength: (before) => Number(before) + 1,
  maxLength: (before) => Number(before) + 1,
  minItems: (before) => Number(before) + 1,
  maxItems: (before) => Number(before) + 1,
  maxProperties: (before) => Number(before) + 1,
  uniqueItems: () => false,
  'x-scope': () => 'another',
  'x-idempotency': () => 'another',
  'x-entitlement': () => 'another',
  'x-spends': () => 'another',
}

test.each(Object.keys(CHANGES))('a changed %s is a changed line', (keyword) => {
  const places = [...placesOf(keyword, few, [])]
  const chosen = new Set([places[0], places[Math.floor(places.length / 2)], places.at(-1)])
  const unseen = [...chosen].filter((place = []) => {
    const holder = place.slice(0, -1).reduce((at, key) => at[key] as JsonNode, few)
    const before = holder[keyword] as Json
    holder[keyword] = CHANGES[keyword]?.(before) as Json
    const after = listInterfaceLines(few)
    holder[keyword] = before
    return isDeepStrictEqual(after, fewLines)
  })
  expect(places.length).toBeGreaterThan(0)
  expect(unseen).toEqual([])
})

/** Yields the places of a keyword in the bodies, answers and parameters of calls. */
function* placesOf(keyword: string, node: JsonNode, path: string[]): Generator<string[]> {
  for (const [key, member] of Object.entries(node)) {
    const place = [...path, key]
    // The words of a list say its type.
    const isSaid = key === 'type' && node['enum'] !== undefined
    if (key === keyword && path.at(-1) !== 'properties' && !isSaid) yield place
    if (typeof member !== 'object' || member === null || key === 'allOf' || key.startsWith('x-')) continue
    if (
      path[0] === 'components' &&
      /^(?:headers|examples|responses|securitySchemes)$|Refused|^Problem$/.test(key)
    )
      continue
    yield* placesOf(keyword, member as JsonNode, place)
  }
}

test('a member that many calls answer changes one line', () => {
  const changed = structuredClone(document) as {
    components: { schemas: { FoodOrder: { properties: Record<string, JsonNode> } } }
  }
  changed.components.schemas.FoodOrder.properties['refund'] = { type: 'string' }
  const after = listInterfaceLines(changed as unknown as JsonNode)
  expect(after.filter((line, index) => line !== lines[index])).toEqual(['FoodOrder refund string'])
  expect(after).toHaveLength(lines.length)
})
