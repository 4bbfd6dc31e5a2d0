/** A pause of the store: it takes no new orders until a time, or until a user resumes it. */
import { useEffect, useState } from 'preact/hooks'
import type { OperationOutput } from '../../client/operations.ts'
import { call, change } from '../core/call.ts'
import { hasScope } from '../core/session.ts'
import { wordsOf } from './menu.ts'
import { pausedWords } from './order.ts'

export type Pause = {
  /** The end of the pause, Infinity without an end; undefined while the store takes orders. */
  until: number | undefined
  isBusy: boolean
  /** The reason why it was not changed. */
  problem: string | undefined
  begin(minutes: number): Promise<void>
  end(): Promise<void>
}

type Hours = OperationOutput<'get_store_hours'>

/** Keeps the pause of a store; undefined for the only one. It is read again with each change that the page is told of. */
export function usePause(store: string | undefined, changes: number, now: () => number): Pause {
  const [until, setUntil] = useState<number>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const named = store === undefined ? {} : { merchant_id: store }
  const show = ({ pause }: Hours): void =>
    setUntil(pause === null ? undefined : pause.until === null ? Infinity : Date.parse(pause.until))
  useEffect(() => {
    // The page itself says that the service does not answer, and which store to choose.
    if (hasScope('menu.read'))
      call('get_store_hours', named).then(
        ({ value }) => show(value),
        () => undefined,
      )
  }, [store, changes])
  const turn = async (send: () => Promise<{ value: Hours }>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      show((await send()).value)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setBusy(false)
  }
  return {
    until: until !== undefined && until > now() ? until : undefined,
    isBusy,
    problem,
    begin: (minutes) => turn(() => change('pause_store', { minutes, ...named })),
    end: () => turn(() => change('resume_store', named)),
  }
}

type PauseProps = { pause: Pause; now: number }

/** Says at the top of the page that the store is paused, and ends it. */
export function PauseBanner({ pause: { until, isBusy, problem, end }, now }: PauseProps) {
  if (until === undefined) return null
  return (
    <div class="banner paused" role="status">
      <p>
        <strong>{pausedWords(until, now)}.</strong> Customers cannot place new orders.
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {hasScope('orders.manage') && (
        <button type="button" aria-disabled={isBusy} onClick={() => void end()}>
          Resume now
        </button>
      )}
    </div>
  )
}

const LENGTHS = [
  [15, '15 minutes'],
  [30, '30 minutes'],
  [60, '1 hour'],
] as const

/** Asks for how long the store is paused. */
export function PauseForm({ pause: { until, isBusy, problem, begin }, now }: PauseProps) {
  const [minutes, setMinutes] = useState(30)
  if (until !== undefined)
    return <p role="status">{pausedWords(until, now)}. The store then takes orders again automatically.</p>
  if (!hasScope('orders.manage')) return null
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
      <button type="submit" class="quiet" aria-disabled={isBusy}>
        Pause orders
      </button>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
