/** Builds the requirements by the JSON Schema of a task type: from `name=value`, from a file, or by asking. */
import type { Prompts } from '../../cli/questions.ts'
import { AppError } from '../../core/errors.ts'

type Schema = {
  type?: string
  enum?: readonly unknown[]
  items?: Schema
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  description?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  errorMessage?: string
  default?: unknown
}

/** `name=value`, several of which make the object; a list has its entries behind commas. Throws AppError('usage'). */
export function readRequirement(schema: object, typed: string): [name: string, value: unknown] {
  const at = typed.indexOf('=')
  const name = at === -1 ? typed : typed.slice(0, at)
  const properties = propertiesOf(schema)
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (at < 1 || property === undefined) {
    throw new AppError(
      'usage',
      `--require must be name=value, the name one of ${Object.keys(properties).join(', ')}; not ${JSON.stringify(typed.slice(0, 60))}.`,
    )
  }
  const value = toValue(property, typed.slice(at + 1))
  if (value !== undefined) return [name, value]
  throw new AppError('usage', `--require ${name} must be ${formOf(property)}.`)
}

/** Returns the required fields that an object lacks, each with a description and an example. */
export function lackingOf(
  schema: object,
  given: Readonly<Record<string, unknown>>,
): { name: string; description: string; example: string }[] {
  const names = ((schema as Schema).required ?? []).filter((name) => !Object.hasOwn(given, name))
  return names.map((name) => {
    const property = propertiesOf(schema)[name] ?? {}
    const description = property.description ?? name.replaceAll('_', ' ')
    return { name, description, example: exampleOf(name, property) }
  })
}

/** A value of a choice or a number, else the name in capitals. */
function exampleOf(name: string, { type, enum: choices, default: usual, minimum }: Schema): string {
  if (choices !== undefined) return String(choices[0])
  if (typeof usual === 'string' || typeof usual === 'number') return String(usual)
  if (type === 'integer' || type === 'number') return String(minimum ?? 1)
  return type === 'boolean' ? 'yes' : name.toUpperCase()
}

/** Asks for every field that is not given, the optional ones too; `answered` gets each as `name=value`. */
export async function askRequirements(
  ask: Prompts,
  schema: object,
  given: Readonly<Record<string, unknown>>,
  answered: (text: string) => void,
): Promise<Record<string, unknown>> {
  const required = (schema as Schema).required ?? []
  const complete: Record<string, unknown> = { ...given }
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (Object.hasOwn(complete, name)) continue
    const typed = await askOne(ask, name, property, required.includes(name))
    const value = typed === '' ? undefined : toValue(property, typed)
    if (value === undefined) continue
    complete[name] = value
    answered(`${name}=${typed}`)
  }
  return complete
}

/** The answer as it would be typed behind `name=`; empty for none. */
async function askOne(ask: Prompts, name: string, property: Schema, needed: boolean): Promise<string> {
  const what = `${property.description ?? name.replaceAll('_', ' ')}${property.type === 'array' ? ' (commas between them)' : ''}`
  const message = needed ? what : `${what} (Enter for none)`
  if (property.enum !== undefined) {
    const choices = property.enum.map((value) => ({
      value: String(value),
      name: String(value).replaceAll('_', ' '),
    }))
    return ask.select({ message, choices: needed ? choices : [{ value: '', name: 'none' }, ...choices] })
  }
  if (property.type === 'boolean') return (await ask.confirm({ message: `${what}?` })) ? 'true' : 'false'
  const typed = await ask.input({ message, validate: (answer) => problemOf(property, answer.trim(), needed) })
  return typed.trim()
}

function problemOf(property: Schema, typed: string, needed: boolean): string | undefined {
  if (typed === '') return needed ? 'This is needed.' : undefined
  return toValue(property, typed) === undefined ? `Please type ${formOf(property)}.` : undefined
}

function propertiesOf(schema: object): Readonly<Record<string, Schema>> {
  return (schema as Schema).properties ?? {}
}

/** Undefined for what the schema would not take. The service has the last word. */
function toValue(schema: Schema, typed: string): unknown {
  if (schema.enum !== undefined) return schema.enum.find((value) => String(value) === typed.trim())
  switch (schema.type) {
    case 'integer':
    case 'number':
      return toNumber(schema, typed.trim())
    case 'boolean':
      return BOOLEANS.get(typed.trim().toLowerCase())
    case 'array':
      return toList(schema, typed)
    case 'string':
      return toText(schema, typed)
    case undefined:
    default:
      return parseJson(typed)
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

function toNumber(
  { type, minimum = -Infinity, maximum = Infinity }: Schema,
  typed: string,
): number | undefined {
  const value = typed === '' ? NaN : Number(typed)
  const fits = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)
  return fits && value >= minimum && value <= maximum ? value : undefined
}

function toText({ minLength = 0, maxLength = Infinity, pattern }: Schema, typed: string): string | undefined {
  const fits = typed.length >= minLength && typed.length <= maxLength
  return fits && (pattern === undefined || new RegExp(pattern, 'u').test(typed)) ? typed : undefined
}

function toList({ items = {} }: Schema, typed: string): unknown[] | undefined {
  const entries = typed
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => toValue(items, each))
  return entries.length > 0 && !entries.includes(undefined) ? entries : undefined
}

function parseJson(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return undefined
  }
}

/** `one of gas, water, electricity` */
function formOf(schema: Schema): string {
  if (schema.errorMessage !== undefined) return schema.errorMessage.replace(/^must be /, '')
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.type === 'array') return `a list with commas, each ${formOf(schema.items ?? {})}`
  if (schema.type === 'boolean') return 'yes or no'
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum, maximum } = schema
    const from = minimum === undefined ? '' : ` from ${minimum}`
    return `a ${schema.type === 'integer' ? 'whole ' : ''}number${from}${maximum === undefined ? '' : ` to ${maximum}`}`
  }
  return schema.type === 'string'
    ? `text of ${schema.minLength ?? 0} to ${schema.maxLength ?? 1000} characters`
    : 'JSON'
}
