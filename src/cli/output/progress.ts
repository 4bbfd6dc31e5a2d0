/** Shows progress on stderr after the first second. */
import type { CommandContext } from '../cli.ts'
import type { OutputStream } from '../io.ts'
import { canRedraw } from './colour.ts'
import { sanitizeForTerminal, truncateToWidth, usableWidth } from './text.ts'

export type ProgressOptions = {
  io: { stderr: OutputStream; env: Readonly<Record<string, string | undefined>> }
  /** The activity: `Sending parcels`. */
  label: string
  total: number
  /** A monotonic clock in milliseconds. */
  now: () => number
  quiet?: boolean | undefined
  /** Prints lines instead of a redrawn bar. */
  accessible?: boolean | undefined
}

export type ProgressBar = {
  /** Reports how many of the total are done. */
  update(done: number): void
  /** Removes the bar from the screen. */
  stop(): void
}

const SHOW_AFTER_MS = 1000
const REDRAW = 100

/** Starts the progress display of a command. */
export function startProgressOf(cli: CommandContext, label: string, total: number): ProgressBar {
  const { io, runtime, globals, settings } = cli
  return startProgressBar({
    io,
    label,
    total,
    now: runtime.elapsed,
    quiet: globals.quiet,
    accessible: settings.accessible,
  })
}

/**
 * Starts a progress display: a bar with rate and time left on a terminal, otherwise a line for each tenth. Shows
 * nothing within the first second.
 */
export function startProgressBar({
  io,
  label,
  total,
  now,
  quiet = false,
  accessible = false,
}: ProgressOptions): ProgressBar {
  const started = now()
  const name = sanitizeForTerminal(label)
  const redraws = canRedraw(io.stderr, io.env, accessible)
  let drawnAt: number | undefined
  let tenth = 0

  const draw = (done: number, elapsed: number): void => {
    if (drawnAt !== undefined && elapsed - drawnAt < REDRAW && done < total) return
    drawnAt = elapsed
    const line = truncateToWidth(
      barLine({ label: name, done, total, elapsed }),
      usableWidth(io.stderr.columns, io.env) - 1,
    )
    void io.stderr.write(`\r${line}\x1b[K`)
  }
  const say = (done: number): void => {
    const reached = Math.floor((done / total) * 10)
    // the end needs no line: the command's summary follows
    if (reached <= tenth || done === total) return
    tenth = reached
    void io.stderr.write(`${name}: ${done} of ${total} (${reached * 10}%)\n`)
  }
  return {
    update(done) {
      const elapsed = now() - started
      if (quiet || total <= 0 || elapsed < SHOW_AFTER_MS) return
      if (redraws) draw(Math.min(done, total), elapsed)
      else say(Math.min(done, total))
    },
    stop() {
      if (drawnAt !== undefined) void io.stderr.write('\r\x1b[K')
      drawnAt = undefined
    },
  }
}

type ProgressState = { label: string; done: number; total: number; elapsed: number }

const CELLS = 24

/** Returns `Sending parcels ━━━━━━━━╌╌╌╌ 1200/5000  412/s  9 s left`. */
export function barLine({ label, done, total, elapsed }: ProgressState): string {
  const filled = Math.floor((done / total) * CELLS)
  const rate = (done / elapsed) * 1000
  const left = rate > 0 ? `  ${duration(Math.ceil((total - done) / rate))} left` : ''
  const speed = rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10
  return `${label} ${'━'.repeat(filled)}${'╌'.repeat(CELLS - filled)} ${done}/${total}  ${speed}/s${left}`
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export type Spinner = { stop(): void }

type SpinnerOptions = Pick<ProgressOptions, 'io' | 'label' | 'quiet' | 'accessible'> & {
  /** Calls `tick` repeatedly. Returns a function that stops it. */
  every?: (ms: number, tick: () => void) => () => void
}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 80

/** Starts a spinner for work of unknown length: on a terminal after a second, otherwise nothing. */
export function startSpinner({
  io,
  label,
  quiet = false,
  accessible = false,
  every = repeat,
}: SpinnerOptions): Spinner {
  if (quiet || !canRedraw(io.stderr, io.env, accessible)) return { stop: () => undefined }
  let frame = -Math.ceil(SHOW_AFTER_MS / FRAME_MS)
  const halt = every(FRAME_MS, () => {
    frame += 1
    if (frame < 0) return
    const line = truncateToWidth(
      `${FRAMES[frame % FRAMES.length] ?? ''} ${sanitizeForTerminal(label)}`,
      usableWidth(io.stderr.columns, io.env) - 1,
    )
    void io.stderr.write(`\r${line}\x1b[K`)
  })
  return {
    stop() {
      halt()
      if (frame >= 0) void io.stderr.write('\r\x1b[K')
      frame = Number.NEGATIVE_INFINITY
    },
  }
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms)
  timer.unref()
  return () => clearInterval(timer)
}
