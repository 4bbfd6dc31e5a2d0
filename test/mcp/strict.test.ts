import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { mcpToFunctionTool, setTracingDisabled } from '@openai/agents-core'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { TASK_TYPES } from '../../src/areas/tasks/seed/task-types.ts'
import { withoutNulls } from '../../src/core/nulls.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import type { Tool } from '../../src/mcp/tools.ts'

type Node = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, Node>>

const LISTED = TOOLS.map(({ listed }) => listed)

/** Returns every schema within a schema, itself first. */
function nodesOf(schema: Node): Node[] {
  const {
    properties = {},
    $defs = {},
    items,
    anyOf = [],
  } = schema as { properties?: Members; $defs?: Members; items?: Node; anyOf?: Node[] }
  const within = [
    ...Object.values(properties),
    ...Object.values($defs),
    ...(items === undefined ? [] : [items]),
    ...anyOf,
  ]
  return [schema, ...within.flatMap(nodesOf)]
}

/** Returns the names of the tools that have such a schema in their input. */
function toolsWith(has: (node: Node) => boolean): string[] {
  return LISTED.filter(({ inputSchema }) => nodesOf(inputSchema).some(has)).map(({ name }) => name)
}

describe('strict mode takes all tools', () => {
  test('of the agents of OpenAI, with a converter that falls back where it cannot convert', () => {
    setTracingDisabled(true)
    const server = { name: 'dray' } as Parameters<typeof mcpToFunctionTool>[1]
    const strict = LISTED.filter((tool) => {
      const mcpTool = structuredClone(tool) as unknown as Parameters<typeof mcpToFunctionTool>[0]
      return mcpToFunctionTool(mcpTool, server, true).strict
    })
    expect(strict.map(({ name }) => name)).toEqual(LISTED.map(({ name }) => name))
    expect(strict.length).toBeGreaterThanOrEqual(50)
  })

  test('of Anthropic, with nothing left over that its converter would tell in words', () => {
    for (const { name, inputSchema } of LISTED) {
      const told = nodesOf(transformJSONSchema(structuredClone(inputSchema)) as Node).filter(
        ({ description }) => typeof description === 'string' && /\{(?!"?default)\w+: /.test(description),
      )
      expect({ name, told }).toEqual({ name, told: [] })
    }
  })
})

test('no tool has a form that the interface of a vendor rejects', () => {
  expect(toolsWith((node) => Array.isArray(node['enum']) && node['type'] !== 'string')).toEqual([])
  expect(toolsWith(({ format }) => format !== undefined && format !== 'date-time')).toEqual([])
  expect(toolsWith((node) => node['anyOf'] !== undefined && Object.keys(node).length > 1)).toEqual([])
  expect(toolsWith((node) => node['$ref'] !== undefined && Object.keys(node).length > 1)).toEqual([])
  const isObject = ({ type }: Node): boolean => [type].flat().includes('object')
  expect(toolsWith((node) => isObject(node) && node['additionalProperties'] !== false)).toEqual([])
  expect(toolsWith((node) => isObject(node) && Object.keys(node['properties'] ?? {}).length === 0)).toEqual(
    [],
  )
})

test('null for an optional argument of any tool means that it is absent, unless the argument takes null', () => {
  const kept = TOOLS.flatMap(({ name, input: { properties = {}, required = [] }, input }) => {
    const optional = Object.keys(properties).filter((member) => !required.includes(member))
    const nulls = Object.fromEntries(optional.map((member) => [member, null]))
    return Object.keys(withoutNulls(input, nulls)).map((member) => `${name} ${member}`)
  })
  expect(kept).toEqual([
    'create_catalog_item description',
    'update_catalog_item description',
    'set_store_settings auto_accept',
    'set_item_stock stock',
  ])
})

test('the requirements of a task are closed: the members of all task types, each of which may be null', () => {
  const members = TASK_TYPES.flatMap(({ requirements_schema: { properties } }) =>
    Object.keys(properties as object),
  )
  for (const name of ['quote_task', 'create_task']) {
    const tool = TOOLS.find((one) => one.name === name) as Tool
    const { properties } = tool.listed.inputSchema.properties['requirements'] as unknown as {
      properties: Members
    }
    expect(Object.keys(properties).toSorted()).toEqual([...new Set(members)].toSorted())
    const nullable = Object.values(properties).filter((member) => JSON.stringify(member).includes('"null"'))
    expect(nullable).toHaveLength(Object.keys(properties).length)
    expect(withoutNulls(tool.input, { requirements: { meter: 'gas', access: null } })).toEqual({
      requirements: { meter: 'gas' },
    })
  }
})

test('a row of a batch names every member that the tool of one row takes', () => {
  for (const [batch, rows, one] of [
    ['create_shipments_batch', 'shipments', 'create_shipment'],
    ['import_catalog_items', 'items', 'create_catalog_item'],
  ] as const) {
    const inputOf = (name: string): Members =>
      TOOLS.find((tool) => tool.name === name)?.listed.inputSchema.properties as Members
    const { items } = inputOf(batch)[rows] as unknown as { items: { properties: object } }
    const { idempotency_key: _, ...members } = inputOf(one)
    expect(Object.keys(items.properties)).toEqual(Object.keys(members))
  }
})

test('the default list is 15,000 tokens at most, and no description begins with its title', () => {
  const usual = TOOLS.filter(({ toolset }) => toolset === undefined).map(({ listed }) => listed)
  expect(countTokens(JSON.stringify({ tools: usual }))).toBeLessThanOrEqual(15_000)
  expect(LISTED.filter(({ title, description }) => description.startsWith(title))).toEqual([])
})
