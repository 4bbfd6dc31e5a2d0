/** Texts with characters that nobody sees, found before a person is asked about a call. */
import { hiddenFaults } from '../core/hidden.ts'
import { invalidRequest } from '../core/invalid-request.ts'
import { load } from '../generated/registry.ts'

/**
 * Throws AppError('hidden_characters') for the texts that the service would refuse, so that no person is asked about the
 * call. The operation knows its codes, which are cleaned, and its rows, which are rejected one by one; the listed tool
 * does not.
 */
export async function assertVisible(
  { name }: { name: string },
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { operation } = (await load(name)) ?? {}
  const faults = hiddenFaults(operation?.input ?? {}, input)
  if (faults.length > 0) throw invalidRequest(faults)
}
