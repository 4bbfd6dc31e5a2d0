/** The fields of an operation's body as files of rows fill them: one line for each, by its pointer. */
import type { AnyOperation } from '../core/operation.ts'
import type { Field } from '../tabular/columns/field.ts'

type Node = Readonly<Record<string, unknown>>

/** Returns the source of `src/generated/fields/<operation>.ts`. */
export function fieldsSource(operation: AnyOperation): string {
  const lines = fieldsOf(operation.input as unknown as Node).map(
    ([pointer, field]) => `  ${JSON.stringify(pointer)}: ${JSON.stringify(field)},`,
  )
  return `import type { Fields } from '../../tabular/columns/field.ts'\n\nexport const FIELDS: Fields = {\n${lines.join('\n')}\n}\n`
}

function fieldsOf(given: Node, pointer = '', isRequired = true): [string, Field][] {
  // A value that may also be null.
  const schema = (given['anyOf'] as readonly Node[] | undefined)?.[0] ?? given
  const { properties, items, required = [], description } = schema as Node & { required?: string[] }
  const field = {
    ...(isRequired && { required: true }),
    ...(typeof description === 'string' && { text: description }),
    ...pick(schema, { maxLength: 'max', maximum: 'max', enum: 'choices' }),
  }
  const below = Object.entries((properties ?? {}) as Readonly<Record<string, Node>>).flatMap(
    ([name, member]) => fieldsOf(member, `${pointer}/${name}`, required.includes(name)),
  )
  const each = items === undefined ? [] : fieldsOf(items as Node, `${pointer}/*`)
  return [[pointer, field as Field], ...below, ...each]
}

function pick(schema: Node, names: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([from, to]) => (schema[from] === undefined ? [] : [[to, schema[from]]])),
  )
}
