import { AppError } from '../core/errors.ts'

export type CursorPage<T> = { data: T[]; has_more: boolean; next_cursor: string | null }

/** A filter that matches few of very many rows returns empty pages. A service that sends more of them is broken. */
const MAX_EMPTY_PAGES = 1000

/**
 * Returns every row of a list, page by page; `next` returns the page at a cursor. Throws `invalid_response` when the
 * pages do not end: for a repeated cursor, or for too many empty pages.
 */
export async function readRemainingPages<T>(
  first: CursorPage<T>,
  next: (cursor: string) => Promise<CursorPage<T>>,
): Promise<T[]> {
  const rows: T[] = []
  // Spreading that many rows as arguments would overflow the stack.
  for await (const page of pagesFrom(first, next)) for (const row of page.data) rows.push(row)
  return rows
}

/** Returns the first page with rows, or the last page of an empty list. Throws `invalid_response` as `readRemainingPages`. */
export async function firstWithRows<T>(
  first: CursorPage<T>,
  next: (cursor: string) => Promise<CursorPage<T>>,
): Promise<CursorPage<T>> {
  let last = first
  for await (const page of pagesFrom(first, next)) {
    last = page
    if (page.data.length > 0) break
  }
  return last
}

async function* pagesFrom<T>(
  first: CursorPage<T>,
  next: (cursor: string) => Promise<CursorPage<T>>,
): AsyncGenerator<CursorPage<T>> {
  const seen = new Set<string>()
  let empty = 0
  for (let page = first; ; page = await next(page.next_cursor)) {
    yield page
    if (page.next_cursor === null) return
    if (seen.has(page.next_cursor)) throw endless('it gave a cursor a second time')
    seen.add(page.next_cursor)
    empty = page.data.length === 0 ? empty + 1 : 0
    if (empty > MAX_EMPTY_PAGES) throw endless('page after page is without rows and says that more follow')
  }
}

function endless(why: string): AppError {
  return new AppError('invalid_response', `The list of the service never ends: ${why}.`)
}
