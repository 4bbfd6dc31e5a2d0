import type { TSchema } from 'typebox'
import type { Flag, FlagKind, Positional } from '../cli/command.ts'
import type { AnyOperation, AnySandboxOperation, FlagHint } from '../core/operation.ts'
import { BUSINESS_DAY } from '../core/schema.ts'

export type FlagSchema = {
  type?: string
  format?: string
  form?: string
  enum?: readonly string[]
  const?: unknown
  anyOf?: readonly FlagSchema[]
  items?: FlagSchema
  properties?: Record<string, FlagSchema>
  required?: readonly string[]
  description?: string
  label?: string
}

type Hints = Readonly<Record<string, FlagHint>>

type Leaf = { field: string; schema: FlagSchema; required: boolean }

/** Members that global flags set: --limit, --cursor and --fields. */
const GLOBAL = new Set(['limit', 'cursor', 'fields'])

/** Derives the flags and positionals of an operation from its input schema and its hints. */
export function deriveFlags(operation: AnyOperation | AnySandboxOperation): {
  flags: Flag[]
  positionals: Positional[]
} {
  const { positionals = [], flags: given = {}, last } = operation.cli
  const hints: Hints = Object.fromEntries(
    Object.entries(given).map(([field, hint]) => [field, typeof hint === 'string' ? { flag: hint } : hint]),
  )
  const places = positionals.map((name) => ({
    field: name.replace('...', ''),
    takesRest: name.endsWith('...'),
  }))
  const leaves = listLeaves(operation.input as unknown as FlagSchema, '', true)
  const joined = pairs(leaves, hints)
  const halves = new Set(joined.flatMap(({ field = '' }) => field.split(',')))
  // The flag for the point takes the same words.
  const names = new Set(joined.map(({ flag }) => flag))
  const flags = leaves
    .filter(
      ({ field }) =>
        !places.some((place) => place.field === field) && !GLOBAL.has(field) && !names.has(field),
    )
    .map((leaf) => ({
      ...withHint(toFlag(leaf), hints[leaf.field]),
      ...(halves.has(leaf.field) && { hidden: true as const }),
      ...(halves.has(leaf.field) && hints['latitude,longitude']?.required && { required: true as const }),
    }))
  return {
    flags: [...flags, ...joined],
    positionals: places.map(({ field, takesRest }) => {
      const leaf = leaves.find((candidate) => candidate.field === field)
      if (leaf === undefined) throw new Error(`${operation.name}: positional ${field} is not in its input`)
      const { kind, description, choices, repeat } = toFlag(leaf)
      return {
        name: hints[field]?.flag ?? field,
        field,
        kind: takesRest ? ('words' as const) : kind,
        ...(choices !== undefined && { choices }),
        ...(last === true && operation.method === 'GET'
          ? { description: `${description}; the last one without it` }
          : { description, ...(leaf.required && { required: true }) }),
        ...((repeat || takesRest) && { repeat: true as const }),
        ...(hints[field]?.unless !== undefined && { unless: hints[field].unless }),
        ...(last && { last }),
      }
    }),
  }
}

/** Returns every field that one flag can set. Money and lists of objects each count as one field. */
function listLeaves(schema: FlagSchema, prefix: string, required: boolean): Leaf[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const member = withoutNull(given)
    const field = prefix + name
    const needed = required && (schema.required ?? []).includes(name)
    if (member.type === 'object' && member.properties !== undefined && !isMoney(member)) {
      return listLeaves(member, `${field}.`, needed)
    }
    return [{ field, schema: member, required: needed }]
  })
}

/** Returns the schema of a nullable value without null. */
export function withoutNull(schema: FlagSchema): FlagSchema {
  const forms = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = forms
  if (only === undefined || forms.length > 1 || schema.anyOf?.length === 1) return schema
  return { ...only, ...(schema.description !== undefined && { description: schema.description }) }
}

function toFlag({ field, schema, required }: Leaf): Flag {
  const items = schema.type === 'array' ? (schema.items ?? {}) : undefined
  const repeat = items !== undefined && (choicesOf(items) !== undefined || kindOf(items, field) !== 'json')
  const value = repeat ? items : schema
  const choices = choicesOf(value)
  return {
    flag: field.split('.').join('-').replaceAll('_', '-'),
    field,
    kind: choices === undefined ? kindOf(value, field) : 'enum',
    description: schema.description ?? value.description ?? '',
    ...(choices !== undefined && { choices }),
    ...(required && { required: true }),
    ...(repeat && { repeat: true }),
  }
}

/** Returns the flag changed by its hint. A flag that takes any text has no choices. */
function withHint({ choices, ...flag }: Flag, hint: FlagHint = {}): Flag {
  return { ...flag, ...(choices !== undefined && hint.kind === undefined && { choices }), ...hint }
}

/** Returns flags for pairs of fields that people give as one value: a point, and money in a query. */
function pairs(leaves: Leaf[], hints: Hints): Flag[] {
  const has = (field: string): boolean => leaves.some((leaf) => leaf.field === field)
  const flags: Flag[] = []
  if (has('latitude') && has('longitude')) {
    const field = 'latitude,longitude'
    flags.push({
      flag: hints[field]?.flag ?? 'point',
      field,
      kind: 'point',
      description:
        'latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross',
    })
  }
  for (const { field } of leaves) {
    const stem = field.endsWith('_amount') ? field.slice(0, -'_amount'.length) : undefined
    if (stem !== undefined && has(`${stem}_currency`)) {
      flags.push({
        flag: stem.replaceAll('_', '-'),
        field: `${field},${stem}_currency`,
        kind: 'money',
        description: `${stem.replaceAll('_', ' ')} in major units, as 25.00`,
      })
    }
  }
  return flags
}

function isMoney(schema: FlagSchema): boolean {
  const names = Object.keys(schema.properties ?? {})
  return names.length === 2 && names.includes('amount') && names.includes('currency')
}

function choicesOf(schema: FlagSchema): readonly string[] | undefined {
  if (schema.enum !== undefined) return schema.enum
  const constants = schema.anyOf?.map((option) => option.const)
  return constants?.every((option) => typeof option === 'string') ? (constants as string[]) : undefined
}

const BY_TYPE: Readonly<Record<string, FlagKind>> = {
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  string: 'text',
}

function kindOf(schema: FlagSchema, field: string): FlagKind {
  if (isMoney(schema)) return 'money'
  if (field.endsWith('_grams')) return 'weight'
  if (field.endsWith('_mm')) return 'length'
  if (field === 'minutes') return 'minutes'
  if (schema.type === 'array' && field.endsWith('modifier_groups')) return 'modifiers'
  const formats = new Set((schema.anyOf ?? [schema]).map(({ format }) => format))
  if (schema.form === BUSINESS_DAY.form) return 'store_when'
  if (formats.has('date-time')) return formats.has('date') ? 'when' : 'instant'
  if (formats.has('date')) return 'date'
  return BY_TYPE[schema.type ?? ''] ?? 'json'
}

/** Returns whether the response is a list envelope. */
export function isList(output: TSchema): boolean {
  const properties = (output as unknown as FlagSchema).properties ?? {}
  return 'data' in properties && 'next_cursor' in properties
}
