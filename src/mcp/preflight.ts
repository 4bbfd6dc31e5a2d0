/** Calls that the service would refuse for their arguments alone, found before a person is asked about them. */
import { invalidRequest } from '../core/invalid-request.ts'
import { locateFieldErrors, validateInput } from '../gateway/validation.ts'
import { load } from '../generated/registry.ts'

/**
 * Throws AppError('invalid_request' | 'hidden_characters') with every fault that the service would find without a look at its
 * data. The operation knows its codes, which are cleaned, and its rows, which are rejected one by one; the listed tool
 * does not.
 */
export async function preflightCall(
  { name }: { name: string },
  input: Record<string, unknown>,
): Promise<void> {
  const loaded = await load(name)
  if (loaded === undefined) return
  const { errors } = await validateInput(loaded, input)
  if (errors.length > 0) throw invalidRequest(locateFieldErrors(loaded.operation, errors))
}
