/**
 * The screen that `track` shows of any resource: what has happened, what comes next, who does it, where and until when.
 * The presenter of the resource says all of it.
 */
import {
  type Arrival,
  formatAssignedWorker,
  type ProgressView,
  type ResourceView,
} from '../../core/presenter.ts'
import { cellText } from '../output/cell.ts'
import { makePaint, type Paint } from '../output/colour.ts'
import { formatTimeOfDay } from '../output/hour.ts'
import type { RenderOptions } from '../output/render-options.ts'
import { sanitizeForTerminal, truncateToWidth, measureTextWidth } from '../output/text.ts'
import { mapText } from './map-text.ts'

/** Returns the screen at a time of the service's clock. */
export function renderTracking(telling: ResourceView, now: number, renderOptions: RenderOptions): string {
  const style = makePaint(renderOptions.colour)
  const { arrival, routeMap: map, notes } = telling
  const about = [
    ...personLines(telling),
    ...(arrival === null ? [] : [legText(arrival, now, renderOptions)]),
  ].map((line) => truncateToWidth(line, renderOptions.width))
  const title = [style.bold(truncateToWidth(sanitizeForTerminal(telling.title), renderOptions.width)), '']
  const below = spaced(notes.map((line) => truncateToWidth(sanitizeForTerminal(line), renderOptions.width)))
  // A screen taller than the terminal could not be redrawn. The cursor takes one row.
  const height = (renderOptions.height ?? Infinity) - 1
  const around = title.length + spaced(about).length + below.length
  const above = [
    ...title,
    ...latest(steps(telling, renderOptions, style), height - around, style),
    ...spaced(about),
  ]
  const drawn = map === null ? [] : mapText(map, renderOptions, height - above.length - below.length - 1)
  return [...above, ...spaced(drawn), ...below].join('\n')
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}

/** Returns as many of the last lines as fit. */
function latest(lines: readonly string[], room: number, style: Paint): readonly string[] {
  if (lines.length <= room) return lines
  const kept = Math.max(1, room - 1)
  return [style.dim(`… ${lines.length - kept} earlier`), ...lines.slice(-kept)]
}

/** Returns `Driver: Amara Obi, rated 4.9, silver Toyota Prius, QA21 XBD`. */
export function personLines({
  workerField: sent,
  worker: who,
}: Pick<ResourceView, 'workerField' | 'worker'>): string[] {
  return who === null ? [] : [sanitizeForTerminal(`${sent.role}: ${formatAssignedWorker(who)}`)]
}

const MIN_NAME_CELLS = 16

/** Returns the reached states with their times, then the expected ones. */
function steps(telling: ResourceView, renderOptions: RenderOptions, style: Paint): string[] {
  const { history, upcoming: ahead, status, state } = telling
  const today = history[0]?.at ?? ''
  const nameOf = (index: number): string => {
    const { words = '', status: reached = '' } = history[index] ?? {}
    return sanitizeForTerminal(index === history.length - 1 && reached === status ? state : words)
  }
  const names = [...history.map((_, index) => nameOf(index)), ...ahead.map(({ words }) => words)]
  const cells = Math.max(MIN_NAME_CELLS, ...names.map((name) => measureTextWidth(name)))
  const padded = (name: string): string => name.padEnd(cells)
  const reached = history.map((entry, index) => {
    const { at, place } = entry
    const facts = [
      formatTimeOfDay(at, today, renderOptions),
      ...(place === undefined ? [] : [place]),
      ...whyOf(entry),
    ]
    const text = `${padded(nameOf(index))} ${sanitizeForTerminal(facts.join('  '))}`
    return index === history.length - 1 ? style.bold(`● ${text}`) : `${style.green('✔')} ${text}`
  })
  const coming = ahead.map(({ words, due }) =>
    style.dim(
      due === null ? `○ ${words}` : `○ ${padded(words)} about ${formatTimeOfDay(due, today, renderOptions)}`,
    ),
  )
  return [...reached, ...coming].map((line) => truncateToWidth(line, renderOptions.width))
}

/** Returns the reason of a change: its sentence, or its words. */
function whyOf({ why, reason }: ResourceView['history'][number]): string[] {
  const text = why ?? reason?.replaceAll('_', ' ')
  return text === undefined ? [] : [text]
}

const CELLS = 24
const MIN_BAR_CELLS = 4

/** Returns `━━━━━━╌╌╌╌ Arrives about 12:33, in 4 minutes`. */
function legText(arrival: Arrival, now: number, renderOptions: RenderOptions): string {
  const words = etaText(arrival, now, renderOptions)
  const { since, at } = arrival
  if (typeof since !== 'string' || renderOptions.accessible === true) return words
  const [from, to] = [Date.parse(since), Date.parse(at)]
  const share = to > from ? Math.min(1, Math.max(0, (now - from) / (to - from))) : 1
  // On a narrow terminal the words replace the bar.
  const cells = Math.min(CELLS, renderOptions.width - measureTextWidth(words) - 1)
  if (cells < MIN_BAR_CELLS) return words
  const filled = Math.floor(share * cells)
  return `${'━'.repeat(filled)}${'╌'.repeat(cells - filled)} ${words}`
}

/** A wait of more minutes is no countdown. */
const MAX_COUNTDOWN_MINUTES = 120

/** Returns `Arrives about 12:33, in 4 minutes`. */
export function etaText(
  { words, at, until, day }: Arrival,
  now: number,
  renderOptions: RenderOptions,
): string {
  if (day) return `${words} ${cellText(at, 'at', { ...renderOptions, tty: true })}`
  const today = new Date(now).toISOString()
  const when = `${words} ${formatTimeOfDay(at, today, renderOptions)}`
  if (until !== undefined) return `${when} to ${formatTimeOfDay(until, at, renderOptions)}`
  const minutes = Math.max(0, Math.round((Date.parse(at) - now) / 60_000))
  if (minutes > MAX_COUNTDOWN_MINUTES) return when
  return `${when}, ${minutes === 0 ? 'any moment' : `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}`
}

/** One change, on its own line; `who` when it concerns the person who is sent. */
export type TrackingChange = Pick<
  ResourceView['history'][number],
  'at' | 'status' | 'by' | 'reason' | 'place' | 'row'
> & {
  words: string
  why: string | null
  who: string | null
}

/** Returns the news about the person who is sent. A firm is known from the start. */
export function newsOf({ worker: who }: Pick<ProgressView, 'worker'>): string | null {
  return who === null || who.firm === true ? null : formatAssignedWorker(who)
}

/** Returns the changes after the first `seen` entries of the history, and news about the person who is sent. */
export function listTrackingChanges(
  progress: Pick<ProgressView, 'history' | 'workerField' | 'worker' | 'isFinal'>,
  seen: number,
  lastNews: string | null,
  at: string,
): TrackingChange[] {
  const { history, workerField: sent, isFinal: over } = progress
  const states = history.slice(seen).map((entry) => ({ ...entry, who: null }))
  const news = newsOf(progress)
  if (over || news === null || news === lastNews) return states
  const { member, role } = sent
  return [...states, { at, status: member, by: member, reason: null, words: role, why: null, who: news }]
}

/** Formats a change as one line: the interface's words in columns for a pipe, as in JSON; sentences for people. */
export function changeLine(change: TrackingChange, renderOptions: RenderOptions): string {
  const { at, status, by, reason, who, words, why, place } = change
  const said = renderOptions.tty ? words : status
  const because = renderOptions.tty ? (why ?? reason?.replaceAll('_', ' ')) : (reason ?? undefined)
  const what = who ?? `${said}${because === undefined ? '' : ` (${because})`}`
  const source = who === null ? (place ?? `by ${by}`) : by
  return [cellText(at, 'at', renderOptions), sanitizeForTerminal(what), sanitizeForTerminal(source)].join(
    renderOptions.tty ? '  ' : '\t',
  )
}
