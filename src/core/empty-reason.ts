/** The reason why a list is empty, and when there is something. */
import * as Type from 'typebox'
import type { PageRequest, ResultPage } from './context.ts'
import { type Author, writtenBy, strictObject, nullable, paginated } from './schema.ts'

/** `next`: a local date or an instant from which on there are rows; null if none is known. */
export type EmptyReason<R extends string> = { reason: R; detail: string; next: string | null }

/** Returns why a list is empty; `next` is null when omitted. */
export function emptyReason<R extends string>(
  reason: R,
  detail: string,
  next: string | null = null,
): EmptyReason<R> {
  return { reason, detail, next }
}

/** Returns the schema of the optional field `empty` of a list. `author` has the names that its sentence may hold. */
export function whyEmpty<const R extends string[]>(reasons: readonly [...R], author?: Author) {
  const detail = Type.String({ meaning: 'Reason as a sentence' })
  return Type.Optional(
    strictObject(
      {
        reason: Type.Enum(reasons, { meaning: 'Reason code' }),
        detail: author === undefined ? detail : writtenBy(author, detail),
        next: nullable('Next date or time with rows; null if unknown', Type.String()),
      },
      { meaning: 'Reason for an empty list; absent when there are rows' },
    ),
  )
}

/** Returns the envelope of a list that says why it is empty. */
export function paginatedWithReason<S extends Type.TSchema, const R extends string[]>(
  row: S,
  reasons: readonly [...R],
  author?: Author,
) {
  return strictObject({ ...paginated(row).properties, empty: whyEmpty(reasons, author) })
}

/**
 * Adds why a list is empty to its only page, unless `why` knows no reason. A page after others does not know whether
 * these had rows.
 */
export async function withEmptyReason<T, E>(
  { after }: PageRequest,
  shown: ResultPage<T>,
  why: () => E | undefined | Promise<E>,
): Promise<ResultPage<T> & { empty?: E }> {
  const isEmpty = after === undefined && shown.data.length === 0 && !shown.has_more
  const empty = isEmpty ? await why() : undefined
  return empty === undefined ? shown : { ...shown, empty }
}
