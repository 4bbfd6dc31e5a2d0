/**
 * The journey that `track` shows for any area: what has happened, what comes next, who does it, where and until when.
 * Each area converts its response to a journey; the display is the same everywhere.
 */
import { type Money, spellMoney } from '../../core/money.ts'
import { cellText } from '../output/cell.ts'
import { paint, type Paint } from '../output/colour.ts'
import { hourOf } from '../output/hour.ts'
import type { RenderOptions } from '../output/render-options.ts'
import { stateWords } from '../output/state-words.ts'
import { clean, fit, width } from '../output/text.ts'
import { mapText, type Sketch } from './map-text.ts'

export type Journey = {
  /** The name and value of the member with its id. */
  id: readonly [member: string, value: string]
  /** The name in a sentence: `Order K7QF`. */
  name: string
  title: string
  status: string
  /** Whether the state is final. */
  over: boolean
  /** The status changes, oldest first; it only grows. */
  history: readonly { status: string; at: string; by: string; reason: string | null }[]
  /** The expected next states, each with its time if known. */
  ahead: readonly { status: string; due: string | null }[]
  /** Returns a state in words: `On its way`. */
  word(status: string): string
  /** The role of the person who is sent: `courier`, `driver`. */
  role: string
  /** That person's name and activity. A new `news` text is printed as a change. */
  mover: { news: string; line: string } | null
  /** The current leg: its start, and its expected end. */
  leg: { since: string | null; until: string } | null
  sketch: Sketch | null
  /** Further facts, one line each. */
  notes: readonly string[]
  /**
   * The command that opens the pictures of a proof, with `{field}` filled from the response; null before there is
   * one.
   */
  open: string | null
}

/** Returns the states of a path that are still expected, with known times; none if the path was left. */
export function aheadOf<Status extends string>(
  path: readonly Status[],
  status: Status,
  dues: Readonly<Partial<Record<Status, string | null>>>,
): Journey['ahead'] {
  const at = path.indexOf(status)
  return at === -1 ? [] : path.slice(at + 1).map((each) => ({ status: each, due: dues[each] ?? null }))
}

/** Returns a note about a refund, if there is one. */
export function refundNotes(refund: { status: string; amount: Money; destination: string } | null): string[] {
  if (refund === null) return []
  const { amount, destination, status } = refund
  return [`Refund of ${spellMoney(amount)} to ${destination.replaceAll('_', ' ')}: ${status}`]
}

/** Returns who delivered it, after the delivery. */
export function broughtBy({ name, vehicle_type }: { name: string; vehicle_type: string }): string {
  return `Brought by ${name} (${vehicle_type})`
}

/** Returns the screen at a time of the service's clock. */
export function journeyText(journey: Journey, now: number, renderOptions: RenderOptions): string {
  const style = paint(renderOptions.colour)
  const { leg, mover, sketch, notes } = journey
  const about = [
    ...(mover === null ? [] : [clean(mover.line)]),
    ...(leg === null ? [] : [legText(leg, now, renderOptions)]),
  ]
  const above = [
    style.bold(fit(clean(journey.title), renderOptions.width)),
    '',
    ...steps(journey, renderOptions, style),
    ...spaced(about.map((line) => fit(line, renderOptions.width))),
  ]
  const below = spaced(notes.map((line) => fit(clean(line), renderOptions.width)))
  // A screen taller than the terminal could not be redrawn. The gap above the map and the cursor take one row
  // each.
  const room = (renderOptions.height ?? Infinity) - above.length - below.length - 2
  const map = spaced(sketch === null ? [] : mapText(sketch, renderOptions, room))
  return [...above, ...map, ...below].join('\n')
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

/** Returns the reached states with their times, then the expected ones. */
function steps({ history, ahead, word }: Journey, renderOptions: RenderOptions, style: Paint): string[] {
  const today = history[0]?.at ?? ''
  const reached = history.map(({ status, at, reason }, index) => {
    const why = reason === null ? '' : `  ${clean(reason).replaceAll('_', ' ')}`
    const text = `${word(status).padEnd(16)} ${hourOf(at, today, renderOptions)}${why}`
    return index === history.length - 1 ? style.bold(`● ${text}`) : `${style.green('✔')} ${text}`
  })
  const coming = ahead.map(({ status, due }) => {
    const name = word(status)
    return style.dim(
      due === null ? `○ ${name}` : `○ ${name.padEnd(16)} about ${hourOf(due, today, renderOptions)}`,
    )
  })
  return [...reached, ...coming].map((line) => fit(line, renderOptions.width))
}

const CELLS = 24
const FEWEST_CELLS = 4

/** Returns `━━━━━━╌╌╌╌ Arrives about 12:33, in 4 minutes`. */
function legText(
  { since, until }: { since: string | null; until: string },
  now: number,
  renderOptions: RenderOptions,
): string {
  const words = etaText(until, now, renderOptions)
  if (since === null || renderOptions.accessible === true) return words
  const [from, to] = [Date.parse(since), Date.parse(until)]
  const share = to > from ? Math.min(1, Math.max(0, (now - from) / (to - from))) : 1
  // On a narrow terminal the words replace the bar.
  const cells = Math.min(CELLS, renderOptions.width - width(words) - 1)
  if (cells < FEWEST_CELLS) return words
  const filled = Math.floor(share * cells)
  return `${'━'.repeat(filled)}${'╌'.repeat(cells - filled)} ${words}`
}

/** Returns `Arrives about 12:33, in 4 minutes`. */
export function etaText(eta: string, now: number, renderOptions: RenderOptions): string {
  const minutes = Math.max(0, Math.round((Date.parse(eta) - now) / 60_000))
  const left = minutes === 0 ? 'any moment' : `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `Arrives about ${hourOf(eta, eta, renderOptions)}, ${left}`
}

/** One change, on its own line; `who` when it concerns the person who is sent. */
export type Change = { at: string; status: string; by: string; reason: string | null; who: string | null }

/** Returns the changes after the first `seen` entries of the history, and news about the person who is sent. */
export function changesOf(
  { history, mover, role, over }: Pick<Journey, 'history' | 'mover' | 'role' | 'over'>,
  seen: number,
  lastNews: string | null,
  at: string,
): Change[] {
  const states = history.slice(seen).map((entry) => ({ ...entry, who: null }))
  if (over || mover === null || mover.news === lastNews) return states
  return [...states, { at, status: role, by: role, reason: null, who: mover.news }]
}

/** Formats a change as one line: columns for a pipe, words for people. */
export function changeLine({ at, status, by, reason, who }: Change, renderOptions: RenderOptions): string {
  const why = reason === null ? '' : ` (${clean(reason).replaceAll('_', ' ')})`
  const what = who === null ? stateWords(status) + why : clean(who)
  return [cellText(at, 'at', renderOptions), what, who === null ? `by ${by}` : by].join(
    renderOptions.tty ? '  ' : '\t',
  )
}

/** The members of a journey that show its progress. */
export type Progress = Pick<Journey, 'name' | 'status' | 'over' | 'history' | 'role' | 'mover'>
