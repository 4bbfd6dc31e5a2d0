/** A part of a long list: the rows of one page, and one more that says whether another page follows. */
import type { OperationContext } from './context.ts'

/** The place of a row in a list by creation. */
export type ListPosition = { created_at: number; seq: number }

/** A part of a list: at most a number of rows, behind a position. */
export type Slice<Position = ListPosition> = { after?: Position | undefined; limit: number }

/** Returns the part of a list by creation that a cursor asks for. */
export function sliceByCreation({ after, limit }: OperationContext['cursor']): Slice {
  const [created_at, seq] = after ?? []
  return {
    after: seq === undefined ? undefined : { created_at: Number(created_at), seq: Number(seq) },
    limit: limit + 1,
  }
}
