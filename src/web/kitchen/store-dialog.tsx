/** The store today: how busy it is, a pause of its orders, and the items on sale. */
import { Dialog } from '../core/dialog.tsx'
import { hasScope } from '../core/session.ts'
import { pausedWords } from './order.ts'
import type { StoreDay } from './store-day.ts'

type StoreProps = { day: StoreDay; now: number }

/** Says at the top of the page that the store is paused, and ends it. */
export function PauseBanner({ day: { pausedUntil, isBusy, problem, resume }, now }: StoreProps) {
  if (pausedUntil === undefined) return null
  return (
    <div class="banner paused" role="status">
      <p>
        <strong>{pausedWords(pausedUntil, now)}.</strong> Customers cannot place new orders.
      </p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {hasScope('orders.manage') && (
        <button type="button" aria-disabled={isBusy} onClick={() => void resume()}>
          Resume now
        </button>
      )}
    </div>
  )
}

/** The pauses to choose from, in minutes. */
const PAUSES = [
  [15, '15 min'],
  [30, '30 min'],
  [60, '1 hour'],
] as const

/** The minutes by which promises can be longer. */
const BUSY_MINUTES = [0, 5, 10, 20] as const

type DialogProps = StoreProps & { onItems: () => void; onClose: () => void }

/** Asks how busy the store is, and for how long it is paused. One tap does it. */
export function StoreDialog({ day, now, onItems, onClose }: DialogProps) {
  return (
    <Dialog title={day.name ?? 'Store'} onClose={onClose}>
      {day.problem !== undefined && (
        <p class="wrong" role="alert">
          {day.problem}
        </p>
      )}
      {hasScope('orders.manage') && (
        <>
          <BusyFields day={day} />
          <PauseFields day={day} now={now} />
        </>
      )}
      {hasScope('menu.manage') && (
        <button type="button" class="quiet" onClick={onItems}>
          Items on sale…
        </button>
      )}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

function BusyFields({ day: { busyMinutes, isBusy, addMinutes } }: Pick<StoreProps, 'day'>) {
  return (
    <fieldset>
      <legend>Busy: each new promise is longer by</legend>
      <div class="minutes">
        {BUSY_MINUTES.map((minutes) => (
          <button
            type="button"
            key={minutes}
            class={minutes === busyMinutes ? '' : 'quiet'}
            aria-pressed={minutes === busyMinutes}
            aria-disabled={isBusy}
            onClick={() => void addMinutes(minutes)}
          >
            {minutes === 0 ? 'Nothing' : `+${minutes} min`}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function PauseFields({ day: { pausedUntil, isBusy, pause, resume }, now }: StoreProps) {
  return (
    <fieldset>
      <legend>Pause orders for</legend>
      {pausedUntil === undefined ? (
        <div class="minutes">
          {PAUSES.map(([minutes, text]) => (
            <button
              type="button"
              class="quiet"
              key={minutes}
              aria-disabled={isBusy}
              onClick={() => void pause(minutes)}
            >
              {text}
            </button>
          ))}
        </div>
      ) : (
        <>
          <p role="status">
            {pausedWords(pausedUntil, now)}. The store then takes orders again automatically.
          </p>
          <button type="button" class="quiet" aria-disabled={isBusy} onClick={() => void resume()}>
            Resume orders
          </button>
        </>
      )}
    </fieldset>
  )
}
