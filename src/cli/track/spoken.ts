/**
 * The facts that a screen shows besides the changes, as lines for line-by-line output: title, arrival, notes such as
 * a PIN.
 */
import type { ResourceView } from '../../core/presenter.ts'
import { formatTimeOfDay } from '../output/hour.ts'
import type { RenderOptions } from '../output/render-options.ts'
import { sanitizeForTerminal } from '../output/text.ts'
import { etaText } from './journey.ts'

/** The lines printed so far. */
export type SpokenState = {
  lines: readonly string[]
  entries: number
  /** The last printed arrival, in milliseconds. */
  until: number | null
}

export const NOTHING_SAID: SpokenState = { lines: [], entries: 0, until: null }

/** An arrival that changes by less is not repeated: listeners can follow the time themselves. */
const MOVED_MS = 120_000

/** Returns the title, once, before everything else. */
export function titleLines({ title }: ResourceView, { lines }: SpokenState): string[] {
  return lines.length === 0 ? [sanitizeForTerminal(title)] : []
}

/** Returns the new lines: the arrival after each change and when it moves, each note once. */
export function notesToSay(
  journey: ResourceView,
  said: SpokenState,
  now: number,
  renderOptions: RenderOptions,
): { lines: string[]; said: SpokenState } {
  const { history, notes } = journey
  const arrival = arrivalOf(journey, now, renderOptions)
  const until = arrival?.until ?? null
  const moved = until !== null && (said.until === null || Math.abs(until - said.until) >= MOVED_MS)
  const isNews = arrival !== undefined && (moved || history.length > said.entries)
  const fresh = notes.map((note) => sanitizeForTerminal(note)).filter((note) => !said.lines.includes(note))
  return {
    lines: [...(isNews ? [arrival.text] : []), ...fresh],
    said: {
      lines: [...said.lines, ...titleLines(journey, said), ...fresh],
      entries: history.length,
      until: isNews ? until : said.until,
    },
  }
}

/** Returns the expected arrival; before a worker is sent, the times of the next states. */
function arrivalOf(
  { arrival, upcoming: ahead, isFinal: over }: ResourceView,
  now: number,
  renderOptions: RenderOptions,
): { text: string; until: number } | undefined {
  if (over) return undefined
  if (arrival !== null) return { text: etaText(arrival, now, renderOptions), until: Date.parse(arrival.at) }
  const dues = ahead.flatMap(({ words, due }) => (due === null ? [] : [{ words, due }]))
  const last = dues.at(-1)
  if (last === undefined) return undefined
  const today = new Date(now).toISOString()
  const text = dues
    .map(({ words, due }) => `${words} about ${formatTimeOfDay(due, today, renderOptions)}`)
    .join(', ')
  return { text, until: Date.parse(last.due) }
}
