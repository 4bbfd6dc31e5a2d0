import { load } from '../generated/registry.ts'
import type { OperationHints } from './command.ts'

type Schema = {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/**
 * Returns the dotted names of all fields that an operation's response, or each row of its list, may have. An object
 * comes before its members.
 */
export async function declaredFields({ name, list }: OperationHints): Promise<string[]> {
  const output = (await load(name))?.operation.output as Schema | undefined
  const row = list ? output?.properties?.['data']?.items : output
  return row === undefined ? [] : [...new Set(namesOf(row, ''))]
}

function namesOf({ properties = {}, items, anyOf = [] }: Schema, path: string): string[] {
  const own = Object.entries(properties).flatMap(([key, member]) => {
    const name = path === '' ? key : `${path}.${key}`
    return [name, ...namesOf(member, name)]
  })
  const inner = [...(items === undefined ? [] : [items]), ...anyOf]
  return [...own, ...inner.flatMap((schema) => namesOf(schema, path))]
}
