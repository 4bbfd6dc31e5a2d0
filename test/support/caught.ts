import { AppError } from '../../src/core/errors.ts'

/** Returns the `AppError` that a function throws; any other outcome fails the test. */
export function catchError(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Returns the `AppError` of a rejected promise; any other outcome fails the test. */
export async function catchRejection(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
