import { Code } from 'typebox/compile'
import { Set as setFormat } from 'typebox/format'
import type { AnyOperation, AnySandboxOperation } from '../core/operation.ts'
import { FORMAT_NAMES } from '../gateway/formats.ts'

const markers = new Map(FORMAT_NAMES.map((name) => [name, (_text: string) => true] as const))
for (const [name, marker] of markers) setFormat(name, marker)

/** Returns the source of a module whose `check` validates an operation's input. */
export function validatorSource({ name, input }: AnyOperation, formatsModule: string): string {
  return checkSource(name, input, formatsModule)
}

/**
 * Returns the source of a validator for an operation's responses. It checks only what a client relies on: the type of
 * each value, and the form of money and instants. A newer service may add fields and enum values.
 */
export function answerSource(
  { name, output }: AnyOperation | AnySandboxOperation,
  formatsModule: string,
): string {
  return checkSource(name, relax(output as Schema), formatsModule)
}

type Schema = {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

const CURRENCY = '^[A-Z]{3}$'

function relax(schema: Schema): Schema {
  const { const: constant, enum: words = [constant], properties, required, items, anyOf } = schema
  const { type = words.every((word) => typeof word === 'string') ? 'string' : undefined } = schema
  const { minimum, maximum, format, pattern } = schema
  if (anyOf !== undefined) return { anyOf: anyOf.map(relax) }
  return {
    ...(type !== undefined && { type }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, relax(one)])),
    }),
    ...(required !== undefined && { required }),
    ...(items !== undefined && { items: relax(items) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format !== undefined && { format }),
    ...(pattern === CURRENCY && { pattern }),
  }
}

function checkSource(name: string, schema: object, formatsModule: string): string {
  const { Code: code, External } = Code(schema)
  const variables = External.variables.map((variable: unknown) => external(name, variable))
  const body = code
    .replace(/^let (\w+) = \[\]$/m, `const $1 = [${variables.join(', ')}]`)
    .replace(/^export function SetExternal.*$/m, '')
    .replace('export function Check(value)', 'export function check(value)')
    .replaceAll('// @ts-ignore', '')
  const uses = (word: string): boolean =>
    body.split('\n').some((line) => !line.startsWith('import ') && line.includes(word))
  const imports = body
    .split('\n')
    .filter((line) => line.startsWith('import ') && !uses(/\{ (\w+) \}/.exec(line)?.[1] ?? ''))
  const lean = imports.reduce((text, line) => text.replace(`${line}\n`, ''), body)
  const formats = variables.some((variable) => variable.includes('testFormat'))
    ? `import { testFormat } from '${formatsModule}'\n`
    : ''
  return `// @ts-nocheck\n${formats}${lean.trim()}\n`
}

function external(operation: string, variable: unknown): string {
  if (variable instanceof RegExp) return String(variable)
  for (const [name, marker] of markers)
    if (variable === marker) return `(text) => testFormat('${name}', text)`
  throw new Error(
    `${operation}: its validator needs a value that cannot be written down: ${String(variable)}`,
  )
}
