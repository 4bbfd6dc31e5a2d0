/**
 * A pause of the store: everything goes off sale until an instant, and comes back by itself. The interface pauses no
 * store, but a store without items takes no orders.
 */
import { useState } from 'preact/hooks'
import { type CatalogItem, comesBack, loadItems, setOffSale, setOnSale } from './items.ts'
import { type Menu, wordsOf } from './menu.ts'
import { clockTime } from './order.ts'

export type Pause = {
  /** When something is on sale again; undefined while something is. */
  until: number | undefined
  /** What is being done now, and how far it is. */
  progress: string | undefined
  /** Why it was not done to every item. */
  problem: string | undefined
  /** Whether items that a pause took off sale may still be so, because its end failed. */
  isHalfOpen: boolean
  begin(minutes: number): Promise<void>
  end(): Promise<void>
}

const MINUTE = 60_000

export function usePause(menu: Menu, now: () => number): Pause {
  const [isHalfOpen, setHalfOpen] = useState(false)
  const { progress, problem, turn } = useTurn(menu)
  return {
    until: pausedUntil(menu.items ?? [], now()),
    progress,
    problem,
    isHalfOpen,
    async begin(minutes) {
      const until = now() + minutes * MINUTE
      setHalfOpen(false)
      await turn(
        'Marking all items unavailable',
        (item) => comesBack(item) < until,
        (item) => setOffSale(item, until),
      )
    },
    async end() {
      const isDone = await turn(
        'Making the menu available again',
        (item) => isPaused(item) && comesBack(item) > now(),
        (item) => setOnSale(item, true),
      )
      setHalfOpen(!isDone)
    },
  }
}

/** Does the same to one item after another; what is done stays done when one fails. */
function useTurn({ store, look }: Menu) {
  const [progress, setProgress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  async function turn(
    doing: string,
    isMeant: (item: CatalogItem) => boolean,
    set: (item: CatalogItem) => Promise<CatalogItem>,
  ): Promise<boolean> {
    if (progress !== undefined) return false
    setProblem(undefined)
    setProgress(`${doing}…`)
    let failed: string | undefined
    try {
      const items = (await loadItems(store)).filter(isMeant)
      for (const [at, item] of items.entries()) {
        setProgress(`${doing}: ${at + 1} of ${items.length}…`)
        await set(item)
      }
    } catch (error) {
      failed = wordsOf(error)
    }
    if (failed !== undefined) setProblem(`Some items were not changed: ${failed} Try again.`)
    setProgress(undefined)
    look()
    return failed === undefined
  }
  return { progress, problem, turn }
}

/** A pause gives no reason of its own: an item that was off sale before keeps its own, and stays off when the pause ends. */
function isPaused({ availability: { reason, until } }: CatalogItem): boolean {
  return reason === 'other' && until !== null
}

/** Returns when something is on sale again, if nothing is because of a pause. */
function pausedUntil(items: readonly CatalogItem[], now: number): number | undefined {
  const first = Math.min(...items.map(comesBack))
  return first > now && first < Infinity && items.some(isPaused) ? first : undefined
}

/** Says at the top of the page that the store is paused, and ends it. */
export function PauseBanner({ pause: { until, progress, problem, isHalfOpen, end } }: { pause: Pause }) {
  if (until === undefined && !isHalfOpen) return null
  return (
    <div class="banner paused" role="status">
      {until !== undefined && (
        <p>
          <strong>Paused until {clockTime(until)}.</strong> No items are available, so customers cannot order.
        </p>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <button type="button" aria-disabled={progress !== undefined} onClick={() => void end()}>
        {progress ?? 'Resume now'}
      </button>
    </div>
  )
}

const LENGTHS = [
  [15, '15 minutes'],
  [30, '30 minutes'],
  [60, '1 hour'],
] as const

/** Asks for how long the store is paused. */
export function PauseForm({ pause: { until, progress, problem, begin } }: { pause: Pause }) {
  const [minutes, setMinutes] = useState(30)
  if (until !== undefined)
    return (
      <p role="status">
        Paused until {clockTime(until)}. The menu then becomes available again automatically.
      </p>
    )
  const submit = (event: Event): void => {
    event.preventDefault()
    void begin(minutes)
  }
  return (
    <form class="pause" onSubmit={submit}>
      <label>
        Pause for{' '}
        <select value={minutes} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
          {LENGTHS.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="quiet" aria-disabled={progress !== undefined}>
        {progress ?? 'Pause orders'}
      </button>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
