import { AppError } from '../../src/core/errors.ts'

/** The `AppError` that a function throws; any other outcome fails the test. */
export function caught(run: () => unknown): AppError {
  try {
    run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The `AppError` that a promise is rejected with; any other outcome fails the test. */
export async function rejected(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
