import type { AnyOperation } from '../core/operation.ts'
import { isRead } from '../core/operation.ts'

/** All four, so that no client falls back on a guess. */
export type Hints = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** What undoes or removes something that somebody counts on. */
const DESTRUCTIVE = /^(?:cancel|reject|delete)_/

/** What a client may think of a tool before it calls it (`contract.md` A1). */
export function hintsOf(operation: Pick<AnyOperation, 'name' | 'method' | 'idempotency'>): Hints {
  return {
    readOnlyHint: isRead(operation),
    destructiveHint: DESTRUCTIVE.test(operation.name),
    // With a key, made from the call where none is given: the same call again does nothing more.
    idempotentHint: true,
    openWorldHint: false,
  }
}
