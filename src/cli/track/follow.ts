/** Follows a resource until its end: redrawn in place on a terminal, one line for each change in a pipe. */
import type { AnswerOf, InputOf } from '../../client/operations.ts'
import { EXIT } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Cli } from '../cli.ts'
import { canRedraw } from '../output/colour.ts'
import { toJson } from '../output/json.ts'
import { isForPeople, renderOptionsOf } from '../output/render-options-of.ts'
import { stateWords } from '../output/state-words.ts'
import { clean } from '../output/text.ts'
import { printResult, sayNext } from '../print.ts'
import { changeLine, changesOf, type Journey, journeyText } from './journey.ts'
import { readUntilOver } from './read-until-over.ts'
import { NOTHING_SAID, notesToSay, type Said, titleOf } from './spoken.ts'

export type Followed<N extends string> = {
  /** The operation that reads it, and its input. */
  operation: N
  input: InputOf<N>
  /** Converts the response to a journey, at the service's time. */
  toJourney(answer: AnswerOf<N>, now: number): Journey
  /** The usual advance of a frozen clock to the next event: `15m`. */
  nudge: string
}

/** The state of the output so far. */
type Shown = { entries: number; news: string | null; rows: number; said: Said }

/** Returns exit code 0 at the end, 8 when the clock stands still or the time ran out. Throws `Interrupted`. */
export async function follow<N extends string>(
  cli: Cli,
  { operation, input, toJourney, nudge }: Followed<N>,
): Promise<number> {
  let shown: Shown = { entries: 0, news: null, rows: 0, said: NOTHING_SAID }
  const ended = await readUntilOver(cli, operation, input, async (value, now) => {
    const journey = toJourney(value, now)
    shown = await show(cli, journey, shown, now)
    return journey.over
  })
  return finish(cli, toJourney(ended.value, ended.now), ended.value, ended.frozen ? nudge : undefined)
}

async function show(cli: Cli, journey: Journey, shown: Shown, now: number): Promise<Shown> {
  const { io, settings } = cli
  const renderOptions = renderOptionsOf(cli, 'stdout')
  const { said } = shown
  const next = { entries: journey.history.length, news: journey.mover?.news ?? null, said }
  if (isForPeople(cli) && canRedraw(io.stdout, io.env, settings.accessible)) {
    const screen = journeyText(journey, now, renderOptions)
    const rows = screen.split('\n').length
    // Redraws from the first row of the previous screen.
    const up = shown.rows === 0 ? '' : `\x1b[${shown.rows}A\r\x1b[J`
    await io.stdout.write(`${up}${screen}\n`)
    return { ...next, rows }
  }
  const lines = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) await io.stdout.write(`${text}\n`)
  }
  const forPeople = isForPeople(cli)
  if (forPeople) await lines(titleOf(journey, said))
  const [member, id] = journey.id
  for (const change of changesOf(journey, shown.entries, shown.news, toTimestamp(now))) {
    const { who, ...rest } = change
    if (settings.format === 'ndjson')
      await io.stdout.write(`${toJson({ [member]: id, ...rest, [journey.role]: who })}\n`)
    if (settings.format === 'table') await lines([changeLine(change, renderOptions)])
  }
  if (!forPeople) return { ...next, rows: 0 }
  const spoken = notesToSay(journey, said, now, renderOptions)
  await lines(spoken.lines)
  return { ...next, rows: 0, said: spoken.said }
}

async function finish(
  cli: Cli,
  journey: Journey,
  value: unknown,
  nudge: string | undefined,
): Promise<number> {
  const { format } = cli.settings
  if (format !== 'ndjson' && format !== 'table') await printResult(cli, value)
  if (journey.over) {
    if (isForPeople(cli)) await closeForPeople(cli, journey, value)
    return EXIT.ok
  }
  const state = stateWords(journey.status)
  await cli.say(
    nudge === undefined
      ? `${journey.name} is still ${state}.`
      : `${journey.name} is ${state}, and the sandbox clock is frozen. \`dray sandbox clock advance ${nudge}\` moves it on.`,
  )
  return EXIT.pending
}

/** Without redrawing, prints at the end who did it; and how to open the picture of the proof. */
async function closeForPeople(cli: Cli, { mover, open }: Journey, value: unknown): Promise<void> {
  const { io, settings } = cli
  if (mover !== null && !canRedraw(io.stdout, io.env, settings.accessible))
    await io.stdout.write(`${clean(mover.line)}\n`)
  if (open !== null) await sayNext(cli, value, open)
}
