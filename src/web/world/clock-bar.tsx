import type { World } from './people.ts'
import { clockText, dateText, untilText } from './words.ts'

/** The changes of the clock. */
export type Turn = { speed: number } | { by: string } | { to: string }

type ClockBarProps = {
  clock: World['clock']
  now: number
  busy: boolean
  /** The result of the last turn. */
  turned: string | undefined
  onTurn: (turn: Turn) => void
}

const STEPS = [
  ['10m', '+10 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
] as const

const DAY = 86_400_000

/** The time of the sandbox, and what turns it. */
export function ClockBar({ clock: { mode, factor, next_due_at }, now, busy, turned, onTurn }: ClockBarProps) {
  const speed = mode === 'frozen' ? 0 : mode === 'scaled' ? factor : 1
  // A renewal in weeks is not the thing to do next.
  const isSoon = next_due_at !== null && Date.parse(next_due_at) - now < DAY
  const press = (turn: Turn): void => {
    if (!busy) onTurn(turn)
  }
  return (
    <section class="turn" aria-label="Sandbox clock">
      <p class="now">
        <span class="time">{clockText(now)}</span>
        <span class="turned" role="status">
          {turned}
        </span>
        <span class="day">
          {dateText(now)}, London.{' '}
          {speed === 0
            ? 'The clock is frozen.'
            : speed === 1
              ? 'The clock is running.'
              : `One second is ${secondsText(speed)}.`}
        </span>
      </p>
      <Speeds speed={speed} busy={busy} onPress={press} />
      <div class="steps" role="group" aria-label="Advance the clock">
        {STEPS.map(([by, label]) => (
          <button
            type="button"
            class="quiet small"
            key={by}
            aria-disabled={busy}
            onClick={() => press({ by })}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          class={isSoon ? 'small' : 'quiet small'}
          aria-disabled={busy || next_due_at === null}
          onClick={() => next_due_at !== null && press({ to: next_due_at })}
        >
          Next event
          {next_due_at !== null && <span class="when">{untilText(next_due_at, now)}</span>}
        </button>
      </div>
    </section>
  )
}

const SPEEDS = [
  [0, 'Freeze'],
  [1, 'Run'],
  [60, 'Run ×60'],
] as const

type SpeedsProps = { speed: number; busy: boolean; onPress: (turn: Turn) => void }

function Speeds({ speed, busy, onPress }: SpeedsProps) {
  return (
    <div class="speeds" role="group" aria-label="Speed">
      {SPEEDS.map(([rate, label]) => (
        <button
          type="button"
          class="quiet small"
          key={label}
          aria-pressed={speed === rate}
          aria-disabled={busy}
          onClick={() => onPress({ speed: rate })}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function secondsText(speed: number): string {
  return speed % 60 === 0
    ? `${speed / 60} min of sandbox time`.replace(/^1 min/, 'a minute')
    : `${speed} seconds of sandbox time`
}
