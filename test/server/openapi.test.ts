import { expect, test } from 'vitest'
import { ERRORS } from '../../src/errors.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { openapiDocument, problemCodes } from '../../src/server/openapi.ts'
import { serveStore } from '../support/served.ts'

type Described = {
  operationId: string
  tags: string[]
  security: { bearer: string[] }[]
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean }[]
  requestBody?: {
    content: { 'application/json': { schema: { properties: Record<string, unknown> }; example: unknown } }
  }
  responses: Record<string, { content: Record<string, { examples?: Record<string, unknown> }> }>
  [extension: `x-${string}`]: unknown
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Described>>
  components: Record<string, Record<string, unknown>>
}

const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
const document = openapiDocument(operations, '1.2.3') as unknown as Document

test('describes every operation once, at its path', () => {
  const described = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(described.toSorted()).toEqual([...NAMES].toSorted())
  expect(described.length).toBeGreaterThan(0)
})

test.each(operations)('tells of $name what it needs, what it takes and how it fails', (operation) => {
  const { name, path, method, scope, entitlement, idempotency, createsTransaction, status } = operation
  const described = document.paths[path]?.[method.toLowerCase()]
  expect(described).toMatchObject({
    operationId: name,
    tags: [operation.area],
    security: [{ bearer: [scope] }],
    'x-scope': scope,
    'x-entitlement': entitlement,
    'x-idempotency': idempotency,
    'x-creates-transaction': createsTransaction,
  })
  const names = (described?.parameters ?? []).map(({ name: own, $ref }) => own ?? $ref?.split('/').at(-1))
  const body = Object.keys(described?.requestBody?.content['application/json'].schema.properties ?? {})
  const members = Object.keys(operation.input.properties)
  expect([...names, ...body]).toEqual(expect.arrayContaining(members))
  expect(body.filter((member) => operation.pathParameters.includes(member))).toEqual([])
  expect(names.some((given) => given?.startsWith('IdempotencyKey'))).toBe(idempotency !== 'none')
  expect(described?.responses[status]?.content['application/json']).toBeDefined()
  for (const code of problemCodes(operation)) {
    const answer = described?.responses[String(ERRORS[code].status)]
    expect(Object.keys(answer?.content['application/problem+json']?.examples ?? {})).toContain(code)
  }
})

test('every reference leads somewhere, and everything shared is used', () => {
  const found = new Set(JSON.stringify(document).match(/#\/components\/\w+\/\w+/g))
  const shared = Object.entries(document.components).flatMap(([kind, entries]) =>
    Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
  )
  const usedOtherwise = [
    '#/components/securitySchemes/bearer',
    '#/components/parameters/IdempotencyKeyRequired',
  ]
  expect([...found].filter((reference) => !shared.includes(reference))).toEqual([])
  expect(shared.filter((reference) => !found.has(reference) && !usedOtherwise.includes(reference))).toEqual(
    [],
  )
})

test('documents the rows of a manifest, which the operation itself takes as they come', () => {
  const batch =
    document.paths['/v1/shipments/batch']?.['post']?.requestBody?.content['application/json'].schema
  expect(batch?.properties).toMatchObject({
    shipments: { items: { properties: { recipient: expect.any(Object) } } },
  })
})

test('is the same bytes every time, and plain JSON', () => {
  expect(JSON.stringify(openapiDocument(operations, '1.2.3'))).toBe(JSON.stringify(document))
  expect(JSON.stringify(document)).not.toContain('errorMessage')
})

test('is what a service serves', async () => {
  const served = await serveStore({ registry: { NAMES, load } })
  const answer = await fetch(`${served.url}/openapi.json`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({
    ...document,
    info: { ...(document as unknown as { info: object }).info, version: '0.0.0-test' },
  })
})
