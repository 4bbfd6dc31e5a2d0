/** Reads the whole list of a stretch of time, in parts, a few at once. */
import type { CommandContext } from '../../cli/cli.ts'
import { startProgressOf } from '../../cli/output/progress.ts'
import { forEachConcurrently } from '../../client/concurrency.ts'
import { type CursorPage, readRemainingPages } from '../../client/pages.ts'
import type { TimeRange } from '../../core/period.ts'
import { toTimestamp } from '../../core/time.ts'

/** The requests under way at once: a service elsewhere answers later than it works. */
const AT_ONCE = 4

/** The most parts in which one stretch is read; each costs a request of its own. */
const MAX_RANGE_PARTS = 62

type ListPageQuery = { from: string; to: string; limit: 100; cursor?: string }

export type ListReader<T> = {
  stretch: TimeRange
  page: (span: ListPageQuery) => Promise<CursorPage<T>>
  take: (row: T) => void
}

/**
 * Reads lists one after the other, and passes each row of them to `take` once. Rows that appear in the meantime do not move
 * others: each part of a stretch is read by itself. The bar counts the parts of all lists. Throws AppError.
 */
export async function readLists(
  cli: CommandContext,
  label: string,
  lists: readonly ListReader<unknown>[],
): Promise<void> {
  const progress = startProgressOf(cli, label, lists.length * MAX_RANGE_PARTS)
  try {
    for (const [at, list] of lists.entries()) {
      await readList(list, (share) => progress.update(Math.floor((at + share) * MAX_RANGE_PARTS)))
    }
  } finally {
    progress.stop()
  }
}

/** Gives a list its type, which `readLists` does not need to know. */
export function reading<T>(list: ListReader<T>): ListReader<unknown> {
  return list as ListReader<unknown>
}

async function readList(
  { stretch, page, take }: ListReader<unknown>,
  tell: (share: number) => void,
): Promise<void> {
  if (stretch.from >= stretch.to) return
  const first = await page(toSpan(stretch))
  if (!first.has_more) {
    for (const row of first.data) take(row)
    return
  }
  const parts = split(stretch)
  let done = 0
  await forEachConcurrently(parts, AT_ONCE, async (part) => {
    const span = toSpan(part)
    const rows = await readRemainingPages(await page(span), (cursor) => page({ ...span, cursor }))
    for (const row of rows) take(row)
    done += 1
    tell(done / parts.length)
  })
}

/** Returns equal parts, none shorter than an hour. */
function split({ from, to }: TimeRange): TimeRange[] {
  const count = Math.max(1, Math.min(MAX_RANGE_PARTS, Math.floor((to - from) / 3_600_000)))
  const edge = (at: number): number => (at === count ? to : from + Math.floor(((to - from) / count) * at))
  return Array.from({ length: count }, (_, at) => ({ from: edge(at), to: edge(at + 1) }))
}

function toSpan({ from, to }: TimeRange): ListPageQuery {
  return { from: toTimestamp(from), to: toTimestamp(to), limit: 100 }
}
