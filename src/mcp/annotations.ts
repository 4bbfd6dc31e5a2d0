/** Fields of an operation's output that carry a mark of ours, by path. */
import type { Author } from '../core/schema.ts'

/** Stands for each entry of a list in a path. */
export const EACH = '*'

type Marks = {
  writtenBy?: Author
  aside?: true | readonly string[]
}

type Schema = Marks & {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
}

/** Returns the fields with a mark, with its value; within them it is not looked for again. */
export function findAnnotatedPaths<M extends keyof Marks>(
  output: object,
  mark: M,
  path: readonly string[] = [],
): { path: readonly string[]; value: NonNullable<Marks[M]> }[] {
  const { [mark]: value, properties = {}, items, anyOf = [] } = output as Schema
  if (value !== undefined) return [{ path, value }]
  return [
    ...anyOf.flatMap((form) => findAnnotatedPaths(form, mark, path)),
    ...(items === undefined ? [] : findAnnotatedPaths(items, mark, [...path, EACH])),
    ...Object.entries(properties).flatMap(([name, member]) =>
      findAnnotatedPaths(member, mark, [...path, name]),
    ),
  ]
}
