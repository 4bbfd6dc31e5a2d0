/** The calls of an account as methods: `acceptBusinessOrder(input)` for `accept_business_order`. */
import { AppError } from '../core/errors.ts'

type Call<O> = (name: string, input: Readonly<Record<string, unknown>>, options?: O) => Promise<unknown>

/** Returns a method for each of these calls. */
export function methodsOf<O>(
  names: readonly string[],
  call: Call<O>,
): Record<string, (input?: Readonly<Record<string, unknown>>, options?: O) => Promise<unknown>> {
  return Object.fromEntries(
    names.map((name) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      (input = {}, options) => call(name, input, options),
    ]),
  )
}

/** Returns the calls of an account: by name, by method, and those that must be rejected. */
export function callsOf<O>(names: readonly string[], call: Call<O>) {
  return {
    ...methodsOf(names, call),
    call,
    async refused(name: string, input: Readonly<Record<string, unknown>>, options?: O): Promise<AppError> {
      let answer: unknown
      try {
        answer = await call(name, input, options)
      } catch (error) {
        if (error instanceof AppError && isRefusal(error)) return error
        throw error
      }
      throw new Error(`${name} was to be refused, and answered ${JSON.stringify(answer).slice(0, 200)}`)
    },
  }
}

/** A service that cannot be reached, or fails, rejected nothing. */
function isRefusal({ entry: { status } }: AppError): boolean {
  return status !== null && status < 500
}
