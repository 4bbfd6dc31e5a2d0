import { loadSpec } from '../generated/registry.ts'
import type { OperationHints } from './command.ts'

/** Returns how the command of an operation shows its answer, in as much detail as the operation has for it. */
export async function loadOperationHints(name: string): Promise<OperationHints> {
  const hints = (await loadSpec(name))?.operation
  if (hints === undefined) throw new Error(`${name} has no command line`)
  return { ...hints, columns: hints.details ?? hints.columns }
}
