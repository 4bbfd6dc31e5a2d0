import { AppError } from '../core/errors.ts'

export type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }

/** A filter that few of very many rows fit is answered in pages without rows; a service that sends more is broken. */
const MAX_EMPTY_PAGES = 1000

/**
 * Every row of a list, page after page; `next` gives the page at a cursor. Throws `invalid_response` when the pages cannot
 * come to an end: a cursor that was there before, or too many pages without rows.
 */
export async function readRest<T>(first: Page<T>, next: (cursor: string) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = []
  // Not spread: so many arguments are more than the stack holds.
  for await (const page of pagesFrom(first, next)) for (const row of page.data) rows.push(row)
  return rows
}

/** The first page that has rows, or the last one of a list that has none. Throws `invalid_response` as `readRest`. */
export async function firstWithRows<T>(
  first: Page<T>,
  next: (cursor: string) => Promise<Page<T>>,
): Promise<Page<T>> {
  let last = first
  for await (const page of pagesFrom(first, next)) {
    last = page
    if (page.data.length > 0) break
  }
  return last
}

async function* pagesFrom<T>(
  first: Page<T>,
  next: (cursor: string) => Promise<Page<T>>,
): AsyncGenerator<Page<T>> {
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
