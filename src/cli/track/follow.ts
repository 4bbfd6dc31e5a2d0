/** Follows a resource until its end: redrawn in place on a terminal, one line for each change in a pipe. */
import { PRESENTERS } from '../../areas/presenters.ts'
import { EXIT } from '../../core/errors.ts'
import { presentResource, type ResourceView, type PresentableResource } from '../../core/presenter.ts'
import { toTimestamp } from '../../core/time.ts'
import { type LivingName, RESOURCES } from '../../generated/resources.ts'
import type { CommandContext } from '../cli.ts'
import { canRedraw } from '../output/colour.ts'
import { toJson } from '../output/json.ts'
import { isInteractiveTable, renderOptionsOf } from '../output/render-options-of.ts'
import { stateWords } from '../output/state-words.ts'
import { printResult, printNextStep } from '../print.ts'
import {
  type TrackingChange,
  changeLine,
  listTrackingChanges,
  renderTracking,
  newsOf,
  personLines,
} from './journey.ts'
import { readUntilOver } from './read-until-over.ts'
import { NOTHING_SAID, notesToSay, type SpokenState, titleLines } from './spoken.ts'

/** The state of the output so far. */
type PrintedState = { entries: number; news: string | null; rows: number; said: SpokenState }

/** Returns exit code 0 at the end, 8 when the clock stands still or the time ran out. Throws `Interrupted`. */
export async function followResource(cli: CommandContext, kind: LivingName, id: string): Promise<number> {
  const { id: member, show: read = '', life } = RESOURCES[kind]
  const story = await PRESENTERS[kind]()
  let shown: PrintedState = { entries: 0, news: null, rows: 0, said: NOTHING_SAID }
  const { value, now, frozen } = await readUntilOver(cli, read, { [member]: id }, async (answer, at) => {
    const telling = presentResource(story, answer as PresentableResource, at)
    shown = await printState(cli, telling, shown, at)
    return telling.isFinal
  })
  return finish(
    cli,
    presentResource(story, value as PresentableResource, now),
    value,
    frozen ? life?.suggestedAdvance : undefined,
  )
}

async function printState(
  cli: CommandContext,
  telling: ResourceView,
  shown: PrintedState,
  now: number,
): Promise<PrintedState> {
  const { io, settings } = cli
  const renderOptions = renderOptionsOf(cli, 'stdout')
  const { said } = shown
  const next = { entries: telling.history.length, news: newsOf(telling), said }
  if (isInteractiveTable(cli) && canRedraw(io.stdout, io.env, settings.accessible)) {
    const screen = renderTracking(telling, now, renderOptions)
    const rows = screen.split('\n').length
    // Redraws from the first row of the previous screen.
    const up = shown.rows === 0 ? '' : `\x1b[${shown.rows}A\r\x1b[J`
    await io.stdout.write(`${up}${screen}\n`)
    return { ...next, rows }
  }
  const lines = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) await io.stdout.write(`${text}\n`)
  }
  const forPeople = isInteractiveTable(cli)
  if (forPeople) await lines(titleLines(telling, said))
  for (const change of listTrackingChanges(telling, shown.entries, shown.news, toTimestamp(now))) {
    if (settings.format === 'ndjson') await io.stdout.write(`${toJson(rowOf(telling, change))}\n`)
    if (settings.format === 'table') await lines([changeLine(change, renderOptions)])
  }
  if (!forPeople) return { ...next, rows: 0 }
  const spoken = notesToSay(telling, said, now, renderOptions)
  await lines(spoken.lines)
  return { ...next, rows: 0, said: spoken.said }
}

/** Returns the row of a change for scripts. */
function rowOf({ id: [member, id], workerField: sent }: ResourceView, change: TrackingChange): object {
  const { row, at, status, by, reason, who } = change
  return row ?? { [member]: id, status, at, by, reason, [sent.member]: who }
}

async function finish(
  cli: CommandContext,
  telling: ResourceView,
  value: unknown,
  nudge: string | undefined,
): Promise<number> {
  const { format } = cli.settings
  if (format !== 'ndjson' && format !== 'table') await printResult(cli, value)
  if (telling.isFinal) {
    if (isInteractiveTable(cli)) await closeForPeople(cli, telling, value)
    return EXIT.ok
  }
  const state = stateWords(telling.status)
  await cli.say(
    nudge === undefined
      ? `${telling.name} is still ${state}.`
      : `${telling.name} is ${state}, and the sandbox clock is frozen. \`dray sandbox clock advance ${nudge}\` advances it.`,
  )
  return EXIT.pending
}

/** Without redrawing, prints at the end who did it; and how to open the picture of the proof. */
async function closeForPeople(cli: CommandContext, telling: ResourceView, value: unknown): Promise<void> {
  const { io, settings } = cli
  if (!canRedraw(io.stdout, io.env, settings.accessible))
    for (const line of personLines(telling)) await io.stdout.write(`${line}\n`)
  if (telling.openCommand !== null) await printNextStep(cli, value, telling.openCommand)
}
