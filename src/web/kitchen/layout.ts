/** Measures the tickets of the wall and puts the whole ones in their places. */
import { type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type PlacedTicket, packTickets } from './pack.ts'

/** The size of the letters: as large as lets every ticket stay in sight, or fixed. */
export type Letters = 'fit' | 'small' | 'large'

/** Letter sizes in pixels. */
const GROWN_PX = [24, 22, 20, 18]
const BASE_PX = 16
const WIDE_BASE_PX = 17
const FIXED_PX: Readonly<Record<Exclude<Letters, 'fit'>, number>> = { small: 14.5, large: 19 }
/** From this width on the base is larger. */
const WIDE_PX = 1700
/** Up to this width there is one column, which scrolls. */
const MAX_PHONE_PX = 520
const GAP_PX = 8
/** The least width of a column, in letters. */
const COLUMN_LETTERS = 18.2
/** The height of the foot line. */
const FOOT_PX = 44
/** Letters grow only after so long without a change. */
const CALM_MS = 30_000

/** The orders in sight: their ids in their order, and the number of pages. */
export type WallView = { isPhone: boolean; ids: readonly string[]; page: number; pages: number }

const NOTHING_IN_SIGHT: WallView = { isPhone: false, ids: [], page: 0, pages: 1 }

type WallPacking = { letters: number; width: number; pages: PlacedTicket[][] }

type LayoutInput = {
  /** The element that the tickets are in, inside of one that has the whole height. */
  wall: RefObject<HTMLDivElement | null>
  /** The ids of the orders, in their order. */
  ids: readonly string[]
  /** The values that change the height of tickets: new ones for each change. */
  changes: readonly unknown[]
  letters: Letters
  page: number
}

/** Lays the wall out after each change of its tickets or its size, and returns what is in sight. */
export function useWallLayout({ wall, ids, changes, letters, page }: LayoutInput): WallView {
  const [view, setView] = useState(NOTHING_IN_SIGHT)
  const size = useStageSize(wall)
  const kept = useRef<{ packed: WallPacking | undefined; changedAt: number; size: string }>({
    packed: undefined,
    changedAt: -Infinity,
    size: '',
  })
  const [calm, setCalm] = useState(0)
  const order = ids.join()
  const show = (packed: WallPacking): void => {
    const at = Math.min(page, packed.pages.length - 1)
    const shown = packed.pages[at] ?? []
    placeTickets(wall.current, shown, packed)
    const inSight = shown.map((ticket) => ticket.at).toSorted((a, b) => a - b)
    setView({
      isPhone: false,
      ids: inSight.flatMap((each) => ids[each] ?? []),
      page: at,
      pages: packed.pages.length,
    })
  }
  useLayoutEffect(() => {
    const { current: element } = wall
    if (element === null || size === undefined) return
    const sizeKey = `${size.width} ${size.height} ${letters}`
    if (innerWidth <= MAX_PHONE_PX) {
      kept.current.packed = undefined
      freeTickets(element, letters === 'fit' ? BASE_PX : FIXED_PX[letters])
      return
    }
    const { packed: before, changedAt } = kept.current
    const isResized = kept.current.size !== sizeKey
    const isCalm = before === undefined || isResized || performance.now() - changedAt >= CALM_MS
    const most = isCalm ? Infinity : before.letters
    const packed = packWall(element, size, letters, most)
    kept.current = { packed, changedAt: performance.now(), size: sizeKey }
    show(packed)
  }, [order, size, letters, calm, ...changes])
  useLayoutEffect(() => {
    if (kept.current.packed !== undefined) show(kept.current.packed)
  }, [page])
  // The letters grow once nothing changed for a while.
  useEffect(() => {
    const timer = setTimeout(() => setCalm((count) => count + 1), CALM_MS + 50)
    return () => clearTimeout(timer)
  }, [order, ...changes])
  const isPhone = size !== undefined && innerWidth <= MAX_PHONE_PX
  const inSight = useTicketsInSight(wall, isPhone, [order, size, ...changes])
  return isPhone ? { isPhone, ids: inSight, page: 0, pages: 1 } : view
}

type StageSize = { width: number; height: number }

/** Returns the size of the element around the wall, and follows it. */
function useStageSize(wall: RefObject<HTMLDivElement | null>): StageSize | undefined {
  const [size, setSize] = useState<StageSize>()
  useLayoutEffect(() => {
    const stage = wall.current?.closest('.stage')
    if (stage === null || stage === undefined) return undefined
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = stage
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(stage)
    return () => observer.disconnect()
  }, [])
  return size
}

function ticketsOf(wall: HTMLElement): HTMLElement[] {
  return [...wall.querySelectorAll<HTMLElement>(':scope > article')]
}

/** Returns the pages with the largest letters that keep all tickets on one, else with those of the base. */
function packWall(wall: HTMLElement, size: StageSize, letters: Letters, most: number): WallPacking {
  const base = innerWidth >= WIDE_PX ? WIDE_BASE_PX : BASE_PX
  const tries = letters === 'fit' ? GROWN_PX.filter((each) => each <= most) : []
  wall.classList.add('measuring')
  try {
    for (const each of tries) {
      const packed = packAt(wall, size, each)
      if (packed.pages.length <= 1) return packed
    }
    return packAt(wall, size, letters === 'fit' ? base : FIXED_PX[letters])
  } finally {
    wall.classList.remove('measuring')
  }
}

/** Packs the tickets at a size of letters. With several pages the foot line takes its height. */
function packAt(wall: HTMLElement, size: StageSize, letters: number): WallPacking {
  wall.style.setProperty('--u', `${letters}px`)
  const inner = size.width - 2 * GAP_PX
  const columns = Math.max(1, Math.floor((inner + GAP_PX) / (letters * COLUMN_LETTERS + GAP_PX)))
  const width = (inner - GAP_PX * (columns - 1)) / columns
  const tickets = ticketsOf(wall)
  for (const ticket of tickets) {
    ticket.style.width = `${width}px`
    ticket.style.height = ''
  }
  const heights = tickets.map((ticket) => Math.ceil(ticket.getBoundingClientRect().height))
  const pack = (height: number) => packTickets(heights, { columns, height, gap: GAP_PX })
  const high = size.height - 2 * GAP_PX
  const whole = pack(high)
  return { letters, width, pages: whole.length > 1 ? pack(high - FOOT_PX) : whole }
}

/** Shows the tickets of a page in their places, and hides the others. */
function placeTickets(
  wall: HTMLElement | null,
  shown: readonly PlacedTicket[],
  { width, letters }: WallPacking,
): void {
  if (wall === null) return
  wall.classList.remove('flowing')
  wall.style.setProperty('--u', `${letters}px`)
  const places = new Map(shown.map((ticket) => [ticket.at, ticket]))
  for (const [at, ticket] of ticketsOf(wall).entries()) {
    const place = places.get(at)
    ticket.hidden = place === undefined
    ticket.style.width = `${width}px`
    ticket.style.height = place?.height === undefined ? '' : `${place.height}px`
    if (place === undefined) continue
    ticket.style.left = `${place.column * (width + GAP_PX)}px`
    ticket.style.top = `${place.top}px`
  }
}

/** Lets the tickets stand under each other. */
function freeTickets(wall: HTMLElement, letters: number): void {
  wall.classList.add('flowing')
  wall.style.setProperty('--u', `${letters}px`)
  for (const ticket of ticketsOf(wall)) {
    ticket.hidden = false
    for (const name of ['width', 'height', 'left', 'top']) ticket.style.removeProperty(name)
  }
}

/** Returns the ids of the tickets that are whole in the scrolled room of a phone, and follows it. */
function useTicketsInSight(
  wall: RefObject<HTMLDivElement | null>,
  isPhone: boolean,
  changes: readonly unknown[],
): readonly string[] {
  const [ids, setIds] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const room = wall.current?.closest('.room')
    if (!isPhone || room === null || room === undefined || wall.current === null) return undefined
    const { current: element } = wall
    const look = (): void => {
      const { top, bottom } = room.getBoundingClientRect()
      const inSight = ticketsOf(element).flatMap((ticket) => {
        const box = ticket.getBoundingClientRect()
        return box.top >= top - 1 && box.bottom <= bottom + 1 ? (ticket.dataset['id'] ?? []) : []
      })
      setIds((before) => (before.join() === inSight.join() ? before : inSight))
    }
    look()
    room.addEventListener('scroll', look, { passive: true })
    return () => room.removeEventListener('scroll', look)
  }, [isPhone, ...changes])
  return ids
}
