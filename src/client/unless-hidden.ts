import { AppError } from '../core/errors.ts'

/** Returns what is read, or `none` for a credential that may not read it. Throws AppError for all other failures. */
export async function unlessHidden<T, N>(read: Promise<T>, none: N): Promise<T | N> {
  try {
    return await read
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_scope') return none
    throw error
  }
}
