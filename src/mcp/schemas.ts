import type { JSONObject } from '@modelcontextprotocol/server'
import { rowOperation, takesNull } from '../core/nulls.ts'
import type { AnyOperation } from '../core/operation.ts'
import { OWN_WORDS } from '../core/schema.ts'
import { TEST_CARD_NOTE, TEST_CARDS_NOTE } from '../core/test-cards.ts'
import {
  bare,
  isShort,
  mapValues,
  namedOnce,
  type InputSchema,
  makeNullable,
  shortened,
  mapSchema,
} from './shorten-schema.ts'

/** The JSON Schema of an object, as clients receive it. */
export type ObjectSchema = {
  type: 'object'
  properties: Record<string, JSONObject>
  required?: string[]
  additionalProperties?: boolean
  $defs?: Record<string, JSONObject>
}

/** The facts that the schema of a tool takes from elsewhere than its operation. */
export type Elsewhere = {
  /** Returns the input of another operation, of which each row of a batch is one. */
  inputOf(name: string): InputSchema
  /** The fields of every task type's requirements, by name; the operation leaves the object open. */
  requirements: Readonly<Record<string, InputSchema>>
}

const IDEMPOTENCY_KEY = { type: 'string', description: 'Only to repeat a call on purpose' }

/**
 * The keywords of a tool's input, in order. The others are limits: each error names its own, and every model would read
 * all of them before its first call.
 */
const SHOWN = ['type', 'const', 'enum', 'format', 'default', 'description', 'named', 'echoed'] as const

/**
 * Returns path, query and body fields in one object, with the idempotency key where it is supported. It has only the
 * forms that every vendor's strict mode takes: `type` beside each `enum`, no format but `date-time`, nothing beside
 * `anyOf`, and every object closed. Converters add null to what is optional.
 */
export function toInput(
  { input, idempotency }: Pick<AnyOperation, 'input' | 'idempotency'>,
  elsewhere: Elsewhere,
): InputSchema {
  const { properties, ...schema } = toStrict(input as InputSchema, elsewhere)
  return {
    ...schema,
    properties: { ...properties, ...(idempotency !== 'none' && { idempotency_key: IDEMPOTENCY_KEY }) },
  }
}

/** Returns the input as it is listed, with every object and text once, and without what a request only sends back. */
export function toInputSchema(input: InputSchema): ObjectSchema {
  return shortened(namedOnce(input)) as ObjectSchema
}

/**
 * Returns the schema of a success, without our messages for people. An answer that may have only some fields requires none,
 * and a short one those that it never omits; programs would reject it otherwise. The fields around the rows of a
 * list are always there, and so is all of a batch.
 */
export function toOutputSchema({ input, output }: AnyOperation): ObjectSchema {
  const hasFields = 'fields' in input.properties
  const isBatch = rowOperation(input) !== undefined
  const whole = JSON.parse(JSON.stringify(output)) as InputSchema
  const schema = mapSchema(whole, ({ required = [], properties = {}, ...node }) => {
    const kept = required.filter((name) => isBatch || (!hasFields && isKept(properties[name] ?? {})))
    const told = Object.entries(node).filter(([word]) => !OWN_WORDS.has(word))
    return {
      ...Object.fromEntries(told),
      ...(kept.length > 0 && { required: kept }),
      ...(node.type === 'object' && { properties }),
    }
  })
  return {
    ...schema,
    ...(whole.properties?.['has_more'] !== undefined && { required: whole.required }),
  } as ObjectSchema
}

/** Returns whether short responses always have a required field: it is neither marked nor ever null or an empty object. */
function isKept(member: InputSchema): boolean {
  if (member.aside !== undefined || takesNull(member)) return false
  const { required = [], properties = {} } = member
  return member.type !== 'object' || required.some((name) => isKept(properties[name] ?? {}))
}

function toStrict(node: InputSchema, elsewhere: Elsewhere): InputSchema {
  const { 'x-body-of': rowsOf, 'x-optional': optional = [], anyOf, items, properties, required } = node
  if (rowsOf !== undefined) {
    // The tool of one row describes them.
    return bare(toStrict(rowOf(elsewhere.inputOf(rowsOf), optional), elsewhere))
  }
  if (anyOf !== undefined) return toUnion(node, anyOf, elsewhere)
  if (node.type === 'object' && properties === undefined) {
    // The type of the task decides which of them are needed, and says what they mean.
    const members = mapValues(elsewhere.requirements, (member) => bare(toStrict(member, elsewhere)))
    return { ...toStrict({ ...node, properties: members }, elsewhere), listsNull: true }
  }
  const shown = SHOWN.flatMap((key) => (node[key] === undefined ? [] : [[key, node[key]] as const]))
  return {
    ...typeOf(node),
    ...inWords(node, Object.fromEntries(shown)),
    ...(items !== undefined && { items: toStrict(items, elsewhere) }),
    ...(properties !== undefined && {
      ...(required !== undefined && { required }),
      properties: mapValues(properties, (member) => toStrict(member, elsewhere)),
      additionalProperties: false,
    }),
  }
}

/** Returns the input of a row: one that its batch has a default for is not required. */
function rowOf(input: InputSchema, optional: readonly string[]): InputSchema {
  return { ...input, required: (input.required ?? []).filter((name) => !optional.includes(name)) }
}

/** Returns the type of the words of an `enum` or of a constant, which stands beside them. */
function typeOf({ type, enum: words, const: constant }: InputSchema): Pick<InputSchema, 'type'> {
  if (type !== undefined || (words === undefined && constant === undefined)) return {}
  return { type: typeof (words?.[0] ?? constant) }
}

/** Puts the description of a union into its first form. A time or a date is a text, because both are written as one. */
function toUnion(
  { description }: InputSchema,
  forms: readonly InputSchema[],
  elsewhere: Elsewhere,
): InputSchema {
  const added = description === undefined ? {} : { description }
  if (forms.every(({ format }) => format?.startsWith('date') === true)) {
    return { type: 'string', description: [description, 'a time or a date'].filter(Boolean).join('; ') }
  }
  return {
    anyOf: forms.map((form, index) =>
      allGiven(toStrict(index === 0 ? { ...form, ...added } : form, elsewhere)),
    ),
  }
}

/** Requires every field of a form: a converter cannot tell which form an optional one is missing in. */
function allGiven(form: InputSchema): InputSchema {
  const { properties, required = [] } = form
  if (properties === undefined) return form
  return {
    ...form,
    required: Object.keys(properties),
    properties: mapValues(properties, (member, name) =>
      required.includes(name) ? member : makeNullable(member),
    ),
  }
}

/**
 * Says in few words what not every program reads: the card that pays in a sandbox, that a text is a date, and the range
 * of a number that has a default or does not begin at 1, because a caller that chooses one cannot guess how far it goes.
 */
function inWords({ minimum = 0, maximum, default: usual }: InputSchema, shown: InputSchema): InputSchema {
  const { format, description, ...rest } = shown
  if (description?.endsWith(TEST_CARDS_NOTE))
    return { ...shown, description: description.replace(TEST_CARDS_NOTE, TEST_CARD_NOTE) }
  if (format === 'date')
    return { ...rest, description: [description, 'as 2026-07-31'].filter(Boolean).join(', ') }
  if (maximum === undefined || (usual === undefined && minimum <= 1)) return shown
  const range = `${minimum} to ${maximum}`
  return { ...rest, description: isShort(description) ? range : `${description}, ${range}` }
}
