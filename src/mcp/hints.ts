import type { AnyOperation } from '../core/operation.ts'
import { isRead } from '../core/operation.ts'

/** All four hints are set, so that no client has to guess. */
export type ToolHints = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** Operations that cancel, delete or pay back something that people rely on. */
const UNDOING = /^(?:adjust_|answer_order_|cancel_|reject_|delete_)/

/** Returns the hints of a tool for clients (docs/rules/requests.md#a-tool-takes-the-fields-of-its-operation). */
export function toToolHints(
  operation: Pick<AnyOperation, 'name' | 'method' | 'idempotency' | 'final'>,
): ToolHints {
  return {
    readOnlyHint: isRead(operation),
    destructiveHint: UNDOING.test(operation.name) || operation.final === true,
    // Every call has a key, derived from the call by default, so a repeat does nothing more.
    idempotentHint: true,
    openWorldHint: false,
  }
}
