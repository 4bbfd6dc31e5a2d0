/** The address of an account, on the screens of `login` and `whoami`. */
import type { Column } from '../core/operation.ts'

/** Returns the column of the address, under what is there. */
export function addressColumn(kind: 'embedded' | 'remote'): Column {
  return { field: 'address', label: kind === 'remote' ? 'Service' : 'Store' }
}

export const CREDENTIAL_COLUMN: Column = { field: 'credential', label: 'Stored in' }
