/** The tools as lines for reviewers: every model that uses dray reads these texts. */
import type { AnyOperation } from '../core/operation.ts'
import { isExtension } from '../core/operation.ts'
import { INSTRUCTIONS } from '../mcp/instructions.ts'
import { toOutputSchema } from '../mcp/schemas.ts'
import type { Tool } from '../mcp/tools.ts'
import type { JsonNode } from '../server/openapi-schemas.ts'
import { toTools } from './tools.ts'
import { listMembers, makeTypeReader, type TypeReader } from './type-text.ts'

/**
 * Returns the lines of all tools, those of the interface first. A token is estimated as four bytes, which gives more tokens
 * than real tokenizers count.
 */
export function listToolLines(operations: readonly AnyOperation[]): string[] {
  const tools = toTools(operations)
  const listed = tools.filter(({ toolset }) => toolset === undefined).map((tool) => tool.listed)
  const outputs = operations.filter((operation) => !isExtension(operation)).map(toOutputSchema)
  return [
    `tokens ${countTokens(listed)}`,
    `tokens with output schemas ${countTokens([...listed, ...outputs])}`,
    ...INSTRUCTIONS.split('\n').map((line) => `instructions ${line}`),
    ...tools.flatMap(listLinesOf),
  ]
}

function listLinesOf({ toolset, listed }: Tool): string[] {
  const { name, title, description, annotations, inputSchema } = listed
  const hints = Object.entries(annotations)
    .filter(([, value]) => value === true)
    .map(([hint]) => hint)
  const marks = [...(toolset === undefined ? [] : [`toolset=${toolset}`]), `hints=${hints.join(',')}`]
  const schema = inputSchema as unknown as JsonNode
  const types = makeTypeReader(schema)
  return [
    `${name} ${marks.join(' ')} title=${title}`,
    `${name} text ${description}`,
    ...listMemberLines(name, schema, types),
    ...types
      .sharedNames()
      .flatMap((shared) => listMemberLines(`${name} ${shared}`, types.schemaOf(shared), types)),
  ]
}

function listMemberLines(owner: string, schema: JsonNode, types: TypeReader): string[] {
  return listMembers(schema, types).map(({ path, optional, schema: member }) => {
    const { description } = member
    const own = `${owner} ${path}${optional ? '?' : ''} ${types.textOf(member)}`
    return typeof description === 'string' ? `${own} "${description}"` : own
  })
}

function countTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4)
}
