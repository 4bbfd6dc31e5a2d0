/** From an operation to the tool of the same name. Used when the program is built: what runs reads the result as data. */
import type { Scope } from '../core/account.ts'
import type { AnyOperation, Area } from '../core/operation.ts'
import type { Spending } from '../core/spending.ts'
import { hintsOf } from './hints.ts'
import type { Hints } from './hints.ts'
import { toInputSchema } from './schemas.ts'
import type { ObjectSchema } from './schemas.ts'

/** A tool as it is listed. Every word of it stands in the registry: nothing that a store or a customer wrote. */
export type Listed = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  annotations: Hints
}

/** A tool, and what decides who sees it and how it is called. */
export type Tool = {
  name: string
  area: Area
  scope: Scope
  /** Whether it only looks. */
  read: boolean
  idempotency: AnyOperation['idempotency']
  /** How it moves money, where it does. */
  spends?: Spending
  listed: Listed
}

export function toTool(operation: AnyOperation): Tool {
  const { name, area, scope, idempotency, summary, description, spends } = operation
  return {
    name,
    area,
    scope,
    read: hintsOf(operation).readOnlyHint,
    idempotency,
    ...(spends !== undefined && spends.how !== 'nothing' && { spends }),
    listed: {
      name,
      title: summary,
      description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
      inputSchema: toInputSchema(operation),
      annotations: hintsOf(operation),
    },
  }
}
