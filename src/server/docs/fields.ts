/** Renders schemas for people: every field with its type, its bounds and its meaning. */
import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { parseRefName } from '../openapi-names.ts'
import type { Json, JsonNode } from '../openapi-schemas.ts'

type Schema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: Json[]
  const?: Json
  default?: Json
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  maxProperties?: number
  pattern?: string
  'x-body-of'?: string
}

/**
 * The direction of a field: sent or received. Required fields are marked in what is sent, optional ones in what is received.
 */
export type FieldDirection = 'sent' | 'given'

/** Returns the fields of an object, with nested fields indented. A shared schema becomes a link. */
export function renderFields(node: JsonNode, direction: FieldDirection): Html {
  const { properties = {}, required = [] } = node as Schema
  const names = Object.keys(properties)
  if (names.length === 0) return html`<p class="soft">Any members.</p>`
  return html`<ul class="fields">
    ${Object.entries(properties).map(([name, schema]) =>
      listField(name, schema, { required: required.includes(name), direction }),
    )}
  </ul>`
}

type RenderOptions = { required: boolean; direction: FieldDirection; mark?: string }

/** Returns one field. `mark` says where it travels. */
export function listField(
  name: string,
  given: JsonNode | Schema,
  { required, direction, mark }: RenderOptions,
): Html {
  const schema = given as Schema
  const bounds = describeBounds(schema)
  const inner = innerOf(schema)
  return html`<li>
    <p class="field">
      <code class="name">${name}</code> <span class="type">${describeType(schema)}</span>
      ${mark !== undefined && html`<span class="mark-in">${mark}</span> `}
      ${required && direction === 'sent' && html`<strong class="note">required</strong>`}
      ${!required && direction === 'given' && html`<span class="note quiet">optional</span>`}
    </p>
    <p class="meaning">
      ${schema.description}${bounds !== '' && html` <span class="bounds">${bounds}</span>`}
    </p>
    ${inner !== undefined && renderFields(inner as JsonNode, direction)}
  </li>`
}

/** Returns the object schema of a field: the field itself, an item of its list, or its form beside null. */
function innerOf(schema: Schema): Schema | undefined {
  const forms = [schema, ...(schema.anyOf ?? [])]
  return forms.flatMap((form) => [form, form.items ?? {}]).find(({ properties }) => properties !== undefined)
}

/** Returns a whole response or body: a shared schema by name, any other field by field. */
export function listWhole(node: JsonNode, direction: FieldDirection): Html {
  const { $ref } = node as Schema
  return $ref === undefined ? renderFields(node, direction) : html`<p>One ${linkTo($ref)}.</p>`
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

function describeType(schema: Schema): Html {
  const { $ref, anyOf, items, type, format } = schema
  if ($ref !== undefined) return linkTo($ref)
  if (schema.const !== undefined) return html`<code>${formatJsonValue(schema.const)}</code>`
  if (schema.enum !== undefined)
    return html`one of
    ${between(
      schema.enum.map((choice) => html`<code>${formatJsonValue(choice)}</code>`),
      ', ',
    )}`
  if (anyOf !== undefined) return html`${between(anyOf.map(describeType), ' or ')}`
  if (items !== undefined) return html`list of ${describeType(items)}`
  if (format === 'date-time') return html`instant`
  if (format === 'date') return html`date`
  return html`${WORDS[type ?? 'object'] ?? 'anything'}`
}

function linkTo(reference: string): Html {
  const name = parseRefName(reference)
  return html`<a href="/docs/shapes#${name}">${name}</a>`
}

function between(parts: readonly Html[], separator: string): Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html`${separator}`, part]))
}

function formatJsonValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Describes the bounds of a value; empty when there are none. */
function describeBounds(schema: Schema): string {
  const forms = [schema, ...(schema.anyOf ?? [])]
  return [...new Set(forms.flatMap(boundsOf))].join(' ')
}

function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  const inner = schema.items === undefined ? [] : boundsOf(schema.items).map((text) => `Each: ${text}`)
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.maxProperties !== undefined && `At most ${schema.maxProperties} members.`,
    schema.uniqueItems === true && 'No item twice.',
    pattern === '\\S' && 'Not blank.',
    pattern !== undefined && pattern !== '\\S' && `Matches ${pattern}.`,
    schema.default !== undefined && `Default: ${formatJsonValue(schema.default)}.`,
    schema['x-body-of'] !== undefined && `Checked one by one.`,
    ...inner,
  ].filter((text) => text !== false)
}

function range(least: number | undefined, most: number | undefined, unit: string): string | false {
  const show_ = (number: number): string => number.toLocaleString('en-GB')
  if (least !== undefined && most !== undefined) return `${show_(least)} to ${show_(most)}${unit}.`
  if (least !== undefined) return `At least ${show_(least)}${unit}.`
  return most !== undefined && `At most ${show_(most)}${unit}.`
}
