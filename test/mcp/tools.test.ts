import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { listToolLines } from '../../src/generate/tool-lines.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { OPERATION_CASES } from '../support/all-cases.ts'
import { toCaseFile } from '../support/cases.ts'

const all: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
/** Those that have a tool. */
const operations = all.filter(({ toolset }) => toolset !== null)

test('there is a tool of the same name for each operation that has one, in their order', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(operations.map(({ name }) => name))
  expect(TOOLS.length).toBeGreaterThan(0)
})

test('all four hints of the tool of every operation equal a hand-written table', () => {
  const wrong = all.filter(
    ({ name, toolset }) => (OPERATION_CASES[name]?.tool === undefined) !== (toolset === null),
  )
  expect(
    wrong.map((one) => `${one.name}: add tool to its cases in ${toCaseFile(one)}, or take it out`),
  ).toEqual([])
  for (const { name, listed } of TOOLS)
    // Each may be repeated, and none reaches beyond the sandbox.
    expect({ name, hints: listed.annotations }).toEqual({
      name,
      hints: {
        readOnlyHint: OPERATION_CASES[name]?.tool === 'reads',
        destructiveHint: OPERATION_CASES[name]?.tool === 'removes',
        idempotentHint: true,
        openWorldHint: false,
      },
    })
})

describe('the input of a tool', () => {
  test('is path, query and body of its operation in one closed object, with keywords of JSON Schema only', () => {
    for (const { name, listed } of TOOLS) {
      const { input } = operations.find((operation) => operation.name === name) as AnyOperation
      const { properties, required = [] } = input as { properties: object; required?: string[] | undefined }
      const { idempotency_key: _, ...members } = listed.inputSchema.properties
      expect({ name, members: Object.keys(members) }).toEqual({ name, members: Object.keys(properties) })
      expect(listed.inputSchema.required ?? []).toEqual(required)
      expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(listed.inputSchema)).not.toMatch(
        // A field may have such a name; its schema is an object.
        /"(?:x-[\w-]+|errorMessage|label|meaning|named)":(?!\{)/,
      )
    }
  })

  test('has an optional idempotency key where the operation accepts one', () => {
    const keyed = TOOLS.filter(({ listed }) => 'idempotency_key' in listed.inputSchema.properties)
    expect(keyed.map(({ name }) => name)).toEqual(
      operations.filter(({ idempotency }) => idempotency !== 'none').map(({ name }) => name),
    )
    expect(keyed.length).toBeGreaterThan(0)
    for (const { listed } of keyed) expect(listed.inputSchema.required ?? []).not.toContain('idempotency_key')
  })
})

test('the list equals the reviewed file: each text and each member is a line of it', () => {
  const file = join(import.meta.dirname, '../snapshots/tools.txt')
  expect(listToolLines(all)).toEqual(readFileSync(file, 'utf8').trimEnd().split('\n'))
  const lines = listToolLines(all)
  expect(lines).toContain(
    'adjust_business_order lines[].quantity? integer "Units; all that are left if omitted"',
  )
  for (const { name, listed } of TOOLS) expect(lines).toContain(`${name} text ${listed.description}`)
})
