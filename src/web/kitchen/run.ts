/** Runs the kitchen while the page is open: its state, its clock, and what it hears of the service. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { chime } from '../core/chime.ts'
import { makeClock } from '../core/clock.ts'
import { type ConnectionState, listen } from '../core/live.ts'
import { SESSION } from '../core/session.ts'
import { loadLost, loadOrder, loadOrders, loadProblems, sendAction } from './items.ts'
import { type Kitchen, NOTHING, runKitchen } from './kitchen.ts'
import { acknowledgedHere } from './loss-line.tsx'
import type { Order } from './order.ts'

const STORE = 'dray kitchen store'

/** Runs it, and renders the page again each second. */
export function useKitchen() {
  const [kitchen, setKitchen] = useState<Kitchen>(NOTHING)
  const [hearing, setHearing] = useState<ConnectionState>('polling')
  const [store, setStore] = useState(localStorage.getItem(STORE) ?? undefined)
  const [menuChanges, setMenuChanges] = useState(0)
  const [, setTick] = useState(0)
  const { clock, running } = useMemo(() => {
    const made = makeClock()
    const calls = { load: loadOrders, loadLost, loadProblems, loadOne: loadOrder, send: sendAction }
    const deps = { clock: made, ring: chime, acknowledged: acknowledgedHere() }
    const show = { elapsed: () => performance.now(), show: setKitchen }
    return { clock: made, running: runKitchen({ ...calls, ...deps, ...show }, store) }
  }, [])
  useEffect(() => {
    void running.refresh()
    const end = listen({
      page: 'kitchen',
      build: SESSION.build,
      onChange(changes) {
        // The page looks at everything where no change is named.
        if (changes.length === 0 || changes.some(({ type }) => /^(?:catalog_item|store)\./.test(type)))
          setMenuChanges((count) => count + 1)
        void running.refresh()
      },
      onTime: (time) => clock.tell(time),
      onHearing: setHearing,
    })
    const timer = setInterval(() => {
      running.tick()
      setTick((tick) => tick + 1)
    }, 1000)
    return () => {
      end()
      clearInterval(timer)
    }
  }, [])
  const choose = (id: string): void => {
    localStorage.setItem(STORE, id)
    setStore(id)
    running.choose(id)
  }
  return { kitchen, running, clock, hearing, store, choose, menuChanges }
}

/** An order is on the page for its ticket only while it is printed. */
export function usePrinting() {
  const [printed, print] = useState<Order>()
  useEffect(() => {
    if (printed === undefined) return
    window.print()
    print(undefined)
  }, [printed])
  return { printed, print }
}
