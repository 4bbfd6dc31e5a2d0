/** Places the tickets of the wall: whole ones only, and always the first of their order. Pure, in pixels. */

/** The space of a page of the wall. */
export type WallSpace = { columns: number; height: number; gap: number }

/** A ticket in its place. `at` is its index in the list; `height` is that of the page where the ticket alone is taller. */
export type PlacedTicket = { at: number; column: number; top: number; height: number | undefined }

/** A page can have more tickets than a shorter beginning that did not fit, but not by many. */
const TRIES_BEYOND = 2

/**
 * Returns the pages of tickets of these heights. Each page has the longest beginning of what is left of the list that fits,
 * and at least one ticket.
 */
export function packTickets(heights: readonly number[], space: WallSpace): PlacedTicket[][] {
  const tickets = heights.map((height, at) => ({
    at,
    height: Math.min(height, space.height),
    isTall: height > space.height,
  }))
  const pages: PlacedTicket[][] = []
  for (let from = 0; from < tickets.length; from += pages.at(-1)?.length ?? 1)
    pages.push(packPage(tickets.slice(from), space))
  return pages
}

type MeasuredTicket = { at: number; height: number; isTall: boolean }

function packPage(tickets: readonly MeasuredTicket[], space: WallSpace): PlacedTicket[] {
  let best: PlacedTicket[] = []
  for (let count = 1; count <= tickets.length && count <= best.length + 1 + TRIES_BEYOND; count++)
    best = placeAll(tickets.slice(0, count), space) ?? best
  return best
}

/**
 * Places all tickets, or returns undefined. The first row is in order. The others go in order into the shortest column;
 * where that fails, the highest first into the fullest column that has room.
 */
function placeAll(tickets: readonly MeasuredTicket[], space: WallSpace): PlacedTicket[] | undefined {
  const heads = tickets.slice(0, space.columns)
  const rest = tickets.slice(space.columns)
  return (
    stack(heads, rest, space, (a, b) => a.height - b.height) ??
    stack(
      heads,
      rest.toSorted((a, b) => b.height - a.height),
      space,
      (a, b) => b.height - a.height,
    )
  )
}

type Column = { tickets: MeasuredTicket[]; height: number }

function stack(
  heads: readonly MeasuredTicket[],
  rest: readonly MeasuredTicket[],
  { height, gap }: WallSpace,
  prefer: (a: Column, b: Column) => number,
): PlacedTicket[] | undefined {
  const columns: Column[] = heads.map((head) => ({ tickets: [head], height: head.height }))
  for (const ticket of rest) {
    const [column] = columns.filter((each) => each.height + gap + ticket.height <= height).toSorted(prefer)
    if (column === undefined) return undefined
    column.tickets.push(ticket)
    column.height += gap + ticket.height
  }
  return columns.flatMap(({ tickets }, column) => {
    let top = 0
    return tickets
      .toSorted((a, b) => a.at - b.at)
      .map((ticket) => {
        const placed = { at: ticket.at, column, top, height: ticket.isTall ? ticket.height : undefined }
        top += ticket.height + gap
        return placed
      })
  })
}
