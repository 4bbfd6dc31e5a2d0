/** The form of a position in the events of a store. `db/event-positions.ts` says what one holds. */
import { AppError } from './errors.ts'

/** A position, or a bare sequence number, as earlier versions gave it. */
export const EVENT_POSITION_PATTERN = '^(?:([0-9a-f]{12})-)?(\\d{1,15})$'

/** The form of a position in the schema of a request. */
export const POSITION_FORM = 'event-position'

type Input = Readonly<Record<string, unknown>>
type Schema = { readonly properties: Readonly<Record<string, unknown>> }

/** Returns the input with its positions as text: earlier versions gave and took numbers. */
export function writePositions<T extends Input>({ properties }: Schema, input: T): T {
  const numbers = Object.entries(input).filter(
    ([name, value]) =>
      Number.isSafeInteger(value) &&
      (properties[name] as { form?: unknown } | undefined)?.form === POSITION_FORM,
  )
  if (numbers.length === 0) return input
  return { ...input, ...Object.fromEntries(numbers.map(([name, value]) => [name, String(value)])) }
}

/** The position at which a reader begins again after it lost its own. */
export type NewBeginning = { first: string }

/** Returns what a call for events returns, or where to begin again if its position is gone. Throws every other error. */
export async function orNewBeginning<T>(call: Promise<T>): Promise<T | NewBeginning> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'position_gone') throw error
    const { first } = error.extra
    return { first: typeof first === 'string' ? first : '0' }
  }
}
