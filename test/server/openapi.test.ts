import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { SCOPES } from '../../src/core/account.ts'
import { ERRORS } from '../../src/core/errors.ts'
import { type AnyOperation, isExtension } from '../../src/core/operation.ts'
import { listSteps } from '../../src/generate/examples.ts'
import { CONTROL_EXAMPLES } from '../../src/generated/control-examples.ts'
import { EXAMPLES } from '../../src/generated/examples.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { EXAMPLES_ACCOUNT, EXAMPLES_TIME } from '../../src/server/docs/example.ts'
import { sandboxDocument } from '../../src/server/openapi-sandbox.ts'
import { openapiDocument, problemCodes } from '../../src/server/openapi.ts'
import { callTestControl } from '../support/control.ts'
import { makeSchemaReader, type JsonSchema } from '../support/json-schema.ts'
import { serveStore } from '../support/served.ts'
import { openTestSandbox } from '../support/world.ts'

type DescribedOperation = {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { $ref?: string; name?: string; description?: string; example?: unknown }[]
  requestBody?: {
    content: {
      'application/json': {
        schema: JsonSchema
        example?: unknown
        examples?: Record<string, { value: unknown }>
      }
    }
  }
  responses: Record<string, DescribedResponse | { $ref: string }>
  [extension: `x-${string}`]: unknown
}
type DescribedResponse = {
  content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, DescribedOperation>>
  components: Record<string, Record<string, unknown>>
}

type DeclaredOperation = Pick<AnyOperation, 'name' | 'input' | 'output'>

const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
const document = openapiDocument(operations, '1.2.3', EXAMPLES) as unknown as Document

const controls = await listControls()
const sandbox = sandboxDocument(controls, {
  version: '1.2.3',
  examples: CONTROL_EXAMPLES,
}) as unknown as Document
/** Both documents, each with the calls that it describes. */
const DOCUMENTS: [name: string, document: Document, calls: readonly DeclaredOperation[]][] = [
  ['interface', document, operations],
  ['sandbox', sandbox, controls],
]

const { resolve } = makeSchemaReader(document)

/** The schema of an operation's body. */
function bodyOf(described: DescribedOperation | undefined): { properties: Record<string, unknown> } {
  const body = resolve(described?.requestBody?.content['application/json'].schema ?? {})
  return { properties: {}, ...body }
}

function answerOf(
  described: DescribedOperation | undefined,
  status: number | null,
): DescribedResponse | undefined {
  const given = described?.responses[String(status)]
  if (given === undefined || !('$ref' in given)) return given
  return document.components['responses']?.[given.$ref.split('/').at(-1) ?? ''] as
    | DescribedResponse
    | undefined
}

test('describes every operation once, at its path', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/') ? Object.values(methods).map(({ operationId }) => operationId) : [],
  )
  expect(described.toSorted()).toEqual(
    [...NAMES, 'get_shipment_label', 'share_link', 'stream_account_events', 'withdraw_links'].toSorted(),
  )
  expect(described.length).toBeGreaterThan(0)
})

/** Returns what the document says of an operation, and which of its members and errors it leaves out. */
function describedFacts(operation: AnyOperation): unknown {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
  const names = (described?.parameters ?? []).map(({ name: own, $ref }) => own ?? $ref?.split('/').at(-1))
  const body = Object.keys(bodyOf(described).properties)
  const isExplained = (code: keyof typeof ERRORS): boolean => {
    const { examples } = answerOf(described, ERRORS[code].status)?.content['application/problem+json'] ?? {}
    return Object.hasOwn(examples ?? {}, code)
  }
  return {
    operationId: described?.operationId,
    tags: described?.tags,
    security: described?.security,
    'x-scope': described?.['x-scope'],
    'x-entitlement': described?.['x-entitlement'],
    'x-idempotency': described?.['x-idempotency'],
    'x-creates-transaction': described?.['x-creates-transaction'],
    'x-spends': described?.['x-spends'],
    takesKey: names.some((given) => given?.startsWith('IdempotencyKey')),
    hasAnswer: answerOf(described, operation.status)?.content['application/json'] !== undefined,
    missingMembers: Object.keys(operation.input.properties).filter(
      (member) => ![...names, ...body].includes(member),
    ),
    membersTwice: body.filter((member) => operation.pathParameters.includes(member)),
    missingErrors: problemCodes(operation).filter((code) => !isExplained(code)),
  }
}

function declaredFacts(operation: AnyOperation): unknown {
  const { name, scope, entitlement, idempotency, createsTransaction, spends } = operation
  return {
    operationId: name,
    tags: [isExtension(operation) ? 'beside the interface' : operation.area],
    security: [{ bearer: [scope] }, { oauth2: [scope] }],
    'x-scope': scope,
    'x-entitlement': entitlement,
    'x-idempotency': idempotency,
    'x-creates-transaction': createsTransaction,
    'x-spends': spends ?? { how: 'nothing' },
    takesKey: idempotency !== 'none',
    hasAnswer: true,
    missingMembers: [],
    membersTwice: [],
    missingErrors: [],
  }
}

test('describes the scope, the input and the errors of every operation', () => {
  expect(operations.map(describedFacts)).toEqual(operations.map(declaredFacts))
})

test.each(DOCUMENTS)('%s: every reference resolves, and every shared schema is used', (_, document) => {
  const found = new Set(JSON.stringify(document).match(/#\/components\/\w+\/\w+/g))
  const shared = Object.entries(document.components).flatMap(([kind, entries]) =>
    Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...found].filter((reference) => !shared.includes(reference))).toEqual([])
  expect(
    shared.filter(
      (reference) => !found.has(reference) && !reference.startsWith('#/components/securitySchemes/'),
    ),
  ).toEqual([])
})

/** The declared objects by their names in documents: each object is the one that holds the fields. */
function namedIn(schema: unknown): [name: string, fields: unknown][] {
  if (typeof schema !== 'object' || schema === null) return []
  const { named, properties } = schema as { named?: string; properties?: object }
  return [
    ...(typeof named === 'string' ? [[named, properties] as [string, unknown]] : []),
    ...Object.values(schema).flatMap(namedIn),
  ]
}

test.each(DOCUMENTS)('%s: a name in the document belongs to one declaration', (_, document, calls) => {
  const named = calls.flatMap(({ input, output }) => [...namedIn(input), ...namedIn(output)])
  const declared = new Set(named.map(([, fields]) => fields))
  expect(declared.size).toBe(new Set(named.map(([name]) => name)).size)
  expect(Object.keys(document.components['schemas'] ?? {})).toEqual(
    expect.arrayContaining(named.map(([name]) => name)),
  )
})

/** Returns the places in a document where a whole body, answer, error or list of words has no name. */
function namelessIn(node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const {
    content,
    enum: words,
    ...rest
  } = node as {
    content?: Record<string, { schema: JsonSchema }>
    enum?: string[]
  }
  const isNamed = /^\/components\/schemas\/\w+$/.test(place)
  return [
    // Files and streams are texts, and an error narrows the codes of a problem.
    ...Object.entries(content ?? {}).flatMap(([type, { schema }]) =>
      '$ref' in schema || schema['type'] === 'string' ? [] : [`${place} ${type}`],
    ),
    ...(words !== undefined && words.length > 1 && !isNamed && !/\/(code|headers\/\w+\/schema)$/.test(place)
      ? [place]
      : []),
    ...Object.entries(rest).flatMap(([key, member]) =>
      /^(examples?|value|x-.*)$/.test(key) ? [] : namelessIn(member, `${place}/${key}`),
    ),
  ]
}

test.each(DOCUMENTS)(
  '%s: names every body, answer, refusal and list of words, each with title and sentence',
  (_, document) => {
    expect(namelessIn(document, '')).toEqual([])
    const schemas = Object.entries(document.components['schemas'] as Record<string, JsonSchema>)
    const texts = schemas.map(([name, { title, description }]) => [name, title, description])
    expect(texts).toEqual(
      texts.map(([name]) => [name, expect.stringMatching(/^[A-Z]/), expect.stringMatching(/^\S.*\.$/s)]),
    )
  },
)

test('names a schema after its operation, its rows or its field', () => {
  const nameOf = (schema: unknown): string | undefined =>
    (schema as { $ref?: string } | undefined)?.$ref?.split('/').at(-1)
  const given = (path: string, method: string, status = 200): unknown[] => {
    const described = document.paths[path]?.[method]
    const answer = answerOf(described, status)?.content['application/json'] as { schema?: JsonSchema }
    return [described?.requestBody?.content['application/json'].schema, answer.schema].map(nameOf)
  }
  expect(given('/v1/food/orders', 'post', 201)).toEqual(['PlaceFoodOrderRequest', 'FoodOrder'])
  expect(given('/v1/food/orders', 'get')).toEqual([undefined, 'FoodOrderPage'])
  expect(given('/v1/rides/quote', 'post')).toEqual(['QuoteRideRequest', 'QuoteRideAnswer'])
  expect(given('/v1/rates', 'get')).toEqual([undefined, 'QuoteRatesPage'])
  const order = resolve({ $ref: '#/components/schemas/FoodOrder' })['properties'] as Record<
    string,
    JsonSchema
  >
  expect([nameOf(order['status']), nameOf(order['fulfillment_type'])]).toEqual([
    'FoodOrderStatus',
    'FulfillmentType',
  ])
  const { parameters = [] } = document.paths['/v1/food/orders']?.['get'] ?? {}
  const status = parameters.find(({ name }) => name === 'status') as { schema?: { items?: JsonSchema } }
  expect(nameOf(status.schema?.items ?? status.schema)).toBe('FoodOrderStatus')
})

test('documents the rows of a manifest, which the operation itself takes as they come', () => {
  const batch = document.paths['/v1/shipments/batch']?.['post']
  expect(bodyOf(batch).properties).toMatchObject({
    shipments: { items: { properties: { recipient: expect.any(Object) } } },
  })
})

test('lets a row of a menu leave out its category, which default_category may give', () => {
  const batch = document.paths['/v1/business/catalog/items/batch']?.['post']
  expect(bodyOf(batch).properties).toMatchObject({
    items: { items: { required: ['name', 'price'] } },
  })
})

/** The examples of one side of a call, by their names; one without a name is `example`. */
function examplesIn(content: { example?: unknown; examples?: Record<string, { value: unknown }> } = {}) {
  const { example, examples } = content
  if (examples === undefined) return new Map(example === undefined ? [] : [['example', example]])
  return new Map(Object.entries(examples).map(([name, { value }]) => [name, value]))
}

test('the request examples succeed in their order on a new sandbox, each with the answer beside it', async () => {
  const world = await openTestSandbox({ at: Date.parse(EXAMPLES_TIME) })
  const calls = Object.values(document.paths).flatMap((path) => Object.values(path))
  const scenarios = new Map(listSteps(operations).map(({ name, scenario }) => [name, scenario]))
  const made = new Set<string>()
  for (const { operationId, parameters = [], requestBody, responses } of calls) {
    const operation = operations.find(({ name }) => name === operationId)
    if (operation === undefined) continue
    const inUrl = Object.fromEntries(
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    ) as Record<string, unknown>
    const bodies = examplesIn(requestBody?.content['application/json'])
    const answers = examplesIn((responses[operation.status] as DescribedResponse).content['application/json'])
    // A call without a body has its examples beside its responses alone.
    const described = bodies.size > 0 ? bodies : answers
    for (const name of described.size > 0 ? described.keys() : ['example']) {
      // The document has one path of each operation; further examples of it may be about another resource.
      const known = EXAMPLES.find((example) => example.name === (name === 'example' ? operationId : name))
      for (const by of known?.advanced ?? []) await callTestControl(world, 'advance_clock', { by })
      const input = { ...inUrl, ...(bodies.get(name) as object | undefined), ...known?.input }
      const scenario = scenarios.get(known?.name ?? '')
      const answer = await world.call(operationId, input, {
        as: EXAMPLES_ACCOUNT,
        key: `${operationId}-${name}`,
        ...(scenario !== undefined && { scenario }),
      })
      expect([operationId, answer.status, withoutCursor(answer.body)]).toEqual([
        operationId,
        operation.status,
        withoutCursor(answers.get(name)),
      ])
      made.add(operationId)
    }
  }
  expect(made).toEqual(new Set(NAMES))
})

/** Every sandbox signs cursors, and makes the secrets of webhooks, with another key, and has other positions of events. */
function withoutCursor(body: unknown): unknown {
  const { next_cursor: cursor, secret, ...rest } = body as Record<string, unknown>
  const same = { ...rest, ...(cursor !== undefined && { next_cursor: typeof cursor }), secret: typeof secret }
  return JSON.parse(JSON.stringify(same).replaceAll(/"[0-9a-f]{12}-\d+"/g, '"a position"'))
}

/** Returns every field of the document's inputs and outputs, as `where.name`. */
function fieldsOf(node: unknown, where: string): { field: string; name: string; described: boolean }[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, member]: [string, unknown]) => {
    if (key !== 'properties') return fieldsOf(member, `${where}/${key}`)
    return Object.entries(member as Record<string, { description?: string }>).flatMap(([name, schema]) => [
      { field: `${where}.${name}`, name, described: schema.description !== undefined },
      ...fieldsOf(schema, `${where}.${name}`),
    ])
  })
}

test.each(DOCUMENTS)('%s: explains every field and parameter', (_, document) => {
  const fields = [...fieldsOf(document.paths, ''), ...fieldsOf(document.components['schemas'], '')]
  // Problem documents narrow fields that are described at their definition.
  const own = fields.filter(({ field }) => !/problem\+json|^\/\w*Refused/.test(field))
  expect(own.length).toBeGreaterThan(150)
  expect(own.filter(({ described }) => !described).map(({ field }) => field)).toEqual([])
  const parameters = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .flatMap((described) => described.parameters ?? [])
  expect(
    parameters.filter(({ $ref, description }) => $ref === undefined && description === undefined),
  ).toEqual([])
})

/** Returns the fields of a schema that have two texts. The document shows one of them. */
function doubtfulFields(schema: unknown, where: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { meaning, description, errorMessage = '' } = schema as Record<string, unknown>
  const spoken = description !== undefined || String(errorMessage).startsWith('must be a')
  return [
    ...(meaning !== undefined && spoken ? [where] : []),
    ...Object.entries(schema).flatMap(([key, member]) => doubtfulFields(member, `${where}.${key}`)),
  ]
}

test.each(DOCUMENTS)('%s: has no meaning that a description hides', (_name, _document, calls) => {
  const doubtful = calls.flatMap(({ name, input, output }) => [
    ...doubtfulFields(input, `${name}.input`),
    ...doubtfulFields(output, `${name}.output`),
  ])
  expect(doubtful).toEqual([])
})

test('explains every scope', () => {
  const { oauth2 } = document.components['securitySchemes'] as {
    oauth2: { flows: { clientCredentials: { scopes: Record<string, string> } } }
  }
  const { scopes } = oauth2.flows.clientCredentials
  expect(Object.keys(scopes)).toEqual(SCOPES)
  expect(Object.values(scopes).filter((description) => description === '')).toEqual([])
})

test.each(DOCUMENTS)('%s: passes a strict linter', async (_, document) => {
  const file = join(mkdtempSync(join(tmpdir(), 'dray-openapi-')), 'openapi.json')
  const lint = (text: string) => {
    writeFileSync(file, text)
    return execa('redocly', ['lint', '--extends', 'recommended-strict', '--format', 'json', file], {
      preferLocal: true,
      reject: false,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
  }
  const clean = await lint(JSON.stringify(document))
  expect(JSON.parse(clean.stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } })
  expect(clean.exitCode).toBe(0)
  // The linter reports an example that does not fit its schema.
  const refused = await lint(JSON.stringify(document).replace(/"(supply|fulfillment_type)":"\w+"/, '"$1":7'))
  expect(refused.exitCode).not.toBe(0)
  expect(refused.stdout).toContain('no-invalid-media-type-examples')
})

test('both are the same bytes every time, and plain JSON', () => {
  expect(JSON.stringify(openapiDocument(operations, '1.2.3', EXAMPLES))).toBe(JSON.stringify(document))
  expect(JSON.stringify(sandboxDocument(controls, { version: '1.2.3', examples: CONTROL_EXAMPLES }))).toBe(
    JSON.stringify(sandbox),
  )
  expect(JSON.stringify([document, sandbox])).not.toContain('errorMessage')
})

test('both equal the documents that a service serves', async () => {
  const served = await serveStore({ registry: { NAMES, load } })
  const paths = { '/openapi.json': document, '/sandbox/openapi.json': sandbox }
  for (const [path, own] of Object.entries(paths)) {
    const answer = await fetch(`${served.url}${path}`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual({
      ...own,
      info: { ...(own as unknown as { info: object }).info, version: '0.0.0-test' },
    })
  }
})
