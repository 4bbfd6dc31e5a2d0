import { AppError } from '../errors.ts'

export type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }

/**
 * Every row of a list, page after page; `next` gives the page at a cursor. Throws `invalid_response` when the pages cannot
 * come to an end: a cursor that was there before, or a page without rows that says more follow.
 */
export async function readRest<T>(first: Page<T>, next: (cursor: string) => Promise<Page<T>>): Promise<T[]> {
  const rows = [...first.data]
  const seen = new Set<string>()
  for (let page = first; page.next_cursor !== null;) {
    if (seen.has(page.next_cursor)) throw endless('it gave a cursor a second time')
    if (page.data.length === 0) throw endless('a page without rows says that more follow')
    seen.add(page.next_cursor)
    page = await next(page.next_cursor)
    // Not spread: so many arguments are more than the stack holds.
    for (const row of page.data) rows.push(row)
  }
  return rows
}

function endless(why: string): AppError {
  return new AppError('invalid_response', `The list of the service never ends: ${why}.`)
}
