/**
 * Converts an operation to the tool of the same name. It runs during the build; the program reads the result as data.
 */
import type { Scope } from '../core/account.ts'
import type { Area } from '../core/areas.ts'
import { type AnyOperation, type ResponseLimits, isRead } from '../core/operation.ts'
import type { Repetition } from '../core/repetition.ts'
import type { Spending } from '../core/spending.ts'
import { toToolHints } from './hints.ts'
import type { ToolHints } from './hints.ts'
import { toInput, toInputSchema } from './schemas.ts'
import type { Elsewhere, ObjectSchema } from './schemas.ts'
import { type Aside, asidesOf } from './short-response.ts'
import type { InputSchema } from './shorten-schema.ts'
import { pathsByOthers } from './untrusted.ts'

/** A tool as it is listed. All its text comes from the registry, none from stores or customers. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: ToolHints
}

/** A tool, with the facts that decide who sees it and how it is called. */
export type Tool = {
  name: string
  area: Area
  /** The toolset of a tool outside the core interface, which is listed only when it or its toolset is named. */
  toolset?: string
  scope: Scope
  /** True if it only reads. */
  read: boolean
  idempotency: AnyOperation['idempotency']
  /** The argument that takes the rows of a batch. */
  rows?: string
  /** The meaning of the same call once more; absent for reads. */
  repetition?: Repetition
  /** The argument that adds to a state: a call with it is carried out once. */
  adds?: string
  /** The tool that shows what it made or changed in the same form, and the argument that takes its id. */
  look?: Look
  /** Its effect on money; absent for reads. */
  spends?: Spending
  /** True if it cannot be undone, or pays money out; cancellations give money back to who calls. */
  final?: boolean
  /** The way in which its responses are shortened. */
  brief?: ResponseLimits
  /** The fields that its short responses omit; absent where it has none, as a batch, whose `results` select rows. */
  aside?: readonly Aside[]
  /** The arguments by which nulls are read as absent; `listed` has the same in fewer words. */
  input: InputSchema
  /** True if it takes `sandbox_scenario`; only with tools of the sandbox. */
  playsScenarios?: boolean
  /** The fields of its response that others than its caller wrote, by path. */
  byOthers?: readonly string[]
  listed: ListedTool
}

/** A read of one thing by its id. */
export type Look = { tool: string; by: string }

export function toTool(operation: AnyOperation, elsewhere: Elsewhere, look?: Look): Tool {
  const { name, area, toolset, scope, method, idempotency, spends, brief } = operation
  const input = toInput(operation, elsewhere)
  const [rows] = Object.entries((operation.input as InputSchema).properties ?? {}).find(isRows) ?? []
  const byOthers = pathsByOthers(operation)
  const aside = rows === undefined ? asidesOf(operation) : undefined
  return {
    name,
    area,
    ...(typeof toolset === 'string' && { toolset }),
    scope,
    read: toToolHints(operation).readOnlyHint,
    idempotency,
    ...(rows !== undefined && { rows }),
    ...repeatsOf(operation, look),
    ...(spends !== undefined && spends.how !== 'nothing' && { spends }),
    ...((method === 'DELETE' || spends?.how === 'refund' || operation.final) && { final: true }),
    ...(brief !== undefined && { brief }),
    ...(aside !== undefined && { aside }),
    input,
    ...(byOthers.length > 0 && { byOthers }),
    listed: {
      name,
      title: toToolTitle(name),
      description: describe(operation, aside),
      inputSchema: toInputSchema(input),
      annotations: toToolHints(operation),
    },
  }
}

/** Returns what a tool does when it is called again. */
function repeatsOf(
  { repetition, adds }: AnyOperation,
  look: Look | undefined,
): Pick<Tool, 'repetition' | 'adds' | 'look'> {
  return {
    ...(repetition !== undefined && { repetition }),
    ...(adds !== undefined && { adds }),
    ...(look !== undefined && { look }),
  }
}

/** Returns the read of one thing that responds in the same form as an operation which changes something. */
export function findReadOfSame(
  operation: AnyOperation,
  operations: readonly AnyOperation[],
): Look | undefined {
  if (isRead(operation)) return undefined
  const found = operations.find(
    ({ output, method, pathParameters }) =>
      output === operation.output && method === 'GET' && pathParameters.length === 1,
  )
  const [by] = found?.pathParameters ?? []
  return found === undefined || by === undefined ? undefined : { tool: found.name, by }
}

function isRows([, { items }]: [string, InputSchema]): boolean {
  return items?.['x-body-of'] !== undefined
}

const BRIEF = 'Brief; fields: all returns every field.'

function describe({ summary, description, brief, input }: AnyOperation, aside: Tool['aside'] = []): string {
  const isBrief = 'fields' in input.properties && (brief?.usual ?? aside[0]) !== undefined
  return [`${summary}.`, description, isBrief && BRIEF].filter(Boolean).join(' ')
}

/** Returns the name in words. Most programs show their model only the description, so the summary is there. */
export function toToolTitle(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
}
