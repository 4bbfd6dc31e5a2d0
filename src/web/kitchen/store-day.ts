/** The state of the store today: open or closed, paused, and the minutes that its promises are longer. */
import { useEffect, useState } from 'preact/hooks'
import type { OperationOutput } from '../../client/operations.ts'
import { call, change } from '../core/call.ts'
import { hasScope } from '../core/session.ts'
import { wordsOf } from './menu.ts'

export type StoreDay = {
  /** The name of the store; undefined until it is known. */
  name: string | undefined
  isOpen: boolean | undefined
  /** The end of the pause, Infinity without an end; undefined while the store takes orders. */
  pausedUntil: number | undefined
  /** The minutes that each promise is longer. */
  busyMinutes: number
  isBusy: boolean
  /** The reason why it was not changed. */
  problem: string | undefined
  pause(minutes: number): Promise<void>
  resume(): Promise<void>
  /** Adds minutes to each promise; 0 adds none any more. */
  addMinutes(minutes: number): Promise<void>
}

type Hours = OperationOutput<'get_store_hours'>

/** Keeps the day of a store; undefined for the only one. It is read again with each change that the page is told of. */
export function useStoreDay(store: string | undefined, changes: number, now: () => number): StoreDay {
  const [hours, setHours] = useState<Hours>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const named = store === undefined ? {} : { merchant_id: store }
  useEffect(() => {
    // The page itself says that the service does not answer, and which store to choose.
    if (hasScope('menu.read'))
      call('get_store_hours', named).then(
        ({ value }) => setHours(value),
        () => undefined,
      )
  }, [store, changes])
  const turn = async (send: () => Promise<{ value: Hours }>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      setHours((await send()).value)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setBusy(false)
  }
  return {
    name: hours?.name,
    isOpen: hours?.is_open,
    pausedUntil: pausedUntilOf(hours, now()),
    busyMinutes: busyMinutesOf(hours, now()),
    isBusy,
    problem,
    pause: (minutes) => turn(() => change('pause_store', { minutes, ...named })),
    resume: () => turn(() => change('resume_store', named)),
    addMinutes: (minutes) => turn(() => change('set_store_busy', { minutes, ...named })),
  }
}

function pausedUntilOf(hours: Hours | undefined, now: number): number | undefined {
  const pause = hours?.pause
  if (pause === null || pause === undefined) return undefined
  const until = pause.until === null ? Infinity : Date.parse(pause.until)
  return until > now ? until : undefined
}

function busyMinutesOf(hours: Hours | undefined, now: number): number {
  const busy = hours?.busy
  if (busy === null || busy === undefined) return 0
  return busy.until === null || Date.parse(busy.until) > now ? busy.minutes : 0
}
