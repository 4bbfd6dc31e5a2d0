/**
 * A pause of the store: everything goes off sale until an instant, and comes back by itself. The interface pauses no
 * store, but a store without items takes no orders.
 */
import { useEffect, useState } from 'preact/hooks'
import { may } from '../page/session.ts'
import { type CatalogItem, comesBack, loadItems, setOffSale, setOnSale } from './items.ts'
import { clockTime } from './order.ts'

export type Pause = {
  /** When something is on sale again; undefined while something is. */
  until: number | undefined
  /** What is being done now, and how far it is. */
  progress: string | undefined
  problem: string | undefined
  begin(minutes: number): Promise<void>
  end(): Promise<void>
}

type Deps = {
  store: string | undefined
  /** How often the menu changed: with each change it is loaded again. */
  changes: number
  now: () => number
}

const MINUTE = 60_000

export function usePause({ store, changes, now }: Deps): Pause {
  const [items, setItems] = useState<readonly CatalogItem[]>([])
  const [progress, setProgress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    // The page itself says why a menu cannot be loaded.
    if (may('menu.manage')) loadItems(store).then(setItems, () => undefined)
  }, [store, changes])

  /** Does the same to one item after another; what is done stays done when one fails. */
  async function turn(
    doing: string,
    choose: (items: readonly CatalogItem[]) => readonly CatalogItem[],
    set: (item: CatalogItem) => Promise<CatalogItem>,
  ): Promise<void> {
    if (progress !== undefined) return
    setProblem(undefined)
    setProgress(`${doing} …`)
    try {
      const chosen = choose(await loadItems(store))
      for (const [at, item] of chosen.entries()) {
        setProgress(`${doing}: ${at + 1} of ${chosen.length} …`)
        await set(item)
      }
    } catch (error) {
      setProblem(
        `Not all of it is done: ${error instanceof Error ? error.message : String(error)} Press again to go on.`,
      )
    }
    setProgress(undefined)
    loadItems(store).then(setItems, () => undefined)
  }

  return {
    until: pausedUntil(items, now()),
    progress,
    problem,
    begin(minutes) {
      const until = now() + minutes * MINUTE
      return turn(
        'Taking everything off sale',
        (all) => all.filter((item) => comesBack(item) < until),
        (item) => setOffSale(item, until),
      )
    },
    end: () =>
      turn(
        'Putting the menu back on sale',
        (all) => all.filter((item) => isPaused(item) && comesBack(item) > now()),
        (item) => setOnSale(item, true),
      ),
  }
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
export function PauseBanner({ pause: { until, progress, problem, end } }: { pause: Pause }) {
  if (until === undefined) return null
  return (
    <div class="banner paused" role="status">
      <p>
        <strong>Paused until {clockTime(until)}.</strong> Nothing is on sale, so that nobody can order.
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <button type="button" aria-disabled={progress !== undefined} onClick={() => void end()}>
        {progress ?? 'Open again'}
      </button>
    </div>
  )
}

const LENGTHS = [
  [15, '15 minutes'],
  [30, '30 minutes'],
  [60, 'an hour'],
] as const

/** Asks for how long the store is paused. */
export function PauseForm({ pause: { until, progress, problem, begin } }: { pause: Pause }) {
  const [minutes, setMinutes] = useState(30)
  if (until !== undefined)
    return <p role="status">Paused until {clockTime(until)}: everything comes back by itself then.</p>
  const submit = (event: Event): void => {
    event.preventDefault()
    void begin(minutes)
  }
  return (
    <form class="pause" onSubmit={submit}>
      <label>
        Nothing on sale for{' '}
        <select value={minutes} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
          {LENGTHS.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="quiet" aria-disabled={progress !== undefined}>
        {progress ?? 'Pause the store'}
      </button>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
