/**
 * Converts an operation to the tool of the same name. It runs during the build; the program reads the result as data.
 */
import type { Scope } from '../core/account.ts'
import type { Area } from '../core/areas.ts'
import { rowOperation } from '../core/nulls.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { Spending } from '../core/spending.ts'
import { hintsOf } from './hints.ts'
import type { Hints } from './hints.ts'
import { toInputSchema } from './schemas.ts'
import type { ObjectSchema } from './schemas.ts'

/** A tool as it is listed. All its text comes from the registry, none from stores or customers. */
export type Listed = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: Hints
}

/** A tool, with the facts that decide who sees it and how it is called. */
export type Tool = {
  name: string
  area: Area
  scope: Scope
  /** Whether it only reads. */
  read: boolean
  idempotency: AnyOperation['idempotency']
  /** Its effect on money; absent for reads. */
  spends?: Spending
  /** Whether it cannot be undone, or pays money out; cancellations give money back to who calls. */
  final?: boolean
  /** The tool whose arguments each row of this tool is. */
  rowsOf?: string
  listed: Listed
}

export function toTool(operation: AnyOperation): Tool {
  const { name, area, scope, method, idempotency, summary, description, spends } = operation
  const rowsOf = rowOperation(operation.input)
  return {
    name,
    area,
    scope,
    read: hintsOf(operation).readOnlyHint,
    idempotency,
    ...(spends !== undefined && spends.how !== 'nothing' && { spends }),
    ...((method === 'DELETE' || spends?.how === 'refund') && { final: true }),
    ...(rowsOf !== undefined && { rowsOf }),
    listed: {
      name,
      title: summary,
      description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
      inputSchema: toInputSchema(operation),
      annotations: hintsOf(operation),
    },
  }
}
