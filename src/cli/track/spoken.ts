/** What a drawn screen shows beside the changes, for whoever has each change as a line: title, arrival, notes such as a PIN. */
import { hourOf } from '../output/hour.ts'
import type { RenderOptions } from '../output/render-options.ts'
import { clean } from '../output/text.ts'
import { etaText, type Journey } from './journey.ts'

/** What was said so far. */
export type Said = {
  lines: readonly string[]
  entries: number
  /** The arrival that was said last, in milliseconds. */
  until: number | null
}

export const NOTHING_SAID: Said = { lines: [], entries: 0, until: null }

/** An arrival that moves by less is not said again: the clock of a screen reader's user runs, too. */
const MOVED_MS = 120_000

/** The title, once, before everything else. */
export function titleOf({ title }: Journey, { lines }: Said): string[] {
  return lines.length === 0 ? [clean(title)] : []
}

/** The lines that are news: the arrival after each change and when it moves, each note once. */
export function notesToSay(
  journey: Journey,
  said: Said,
  now: number,
  renderOptions: RenderOptions,
): { lines: string[]; said: Said } {
  const { history, notes } = journey
  const arrival = arrivalOf(journey, now, renderOptions)
  const until = arrival?.until ?? null
  const moved = until !== null && (said.until === null || Math.abs(until - said.until) >= MOVED_MS)
  const isNews = arrival !== undefined && (moved || history.length > said.entries)
  const fresh = notes.map((note) => clean(note)).filter((note) => !said.lines.includes(note))
  return {
    lines: [...(isNews ? [arrival.text] : []), ...fresh],
    said: {
      lines: [...said.lines, ...titleOf(journey, said), ...fresh],
      entries: history.length,
      until: isNews ? until : said.until,
    },
  }
}

/** When somebody is there; before anybody is on the way, when the next states are expected. */
function arrivalOf(
  { leg, ahead, word, over }: Journey,
  now: number,
  renderOptions: RenderOptions,
): { text: string; until: number } | undefined {
  if (over) return undefined
  if (leg !== null) return { text: etaText(leg.until, now, renderOptions), until: Date.parse(leg.until) }
  const dues = ahead.flatMap(({ status, due }) => (due === null ? [] : [{ status, due }]))
  const last = dues.at(-1)
  if (last === undefined) return undefined
  const today = new Date(now).toISOString()
  const text = dues
    .map(({ status, due }) => `${word(status)} about ${hourOf(due, today, renderOptions)}`)
    .join(', ')
  return { text, until: Date.parse(last.due) }
}
