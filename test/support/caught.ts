import { AppError } from '../../src/errors.ts'

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
