import type { CommandContext } from '../../cli/cli.ts'
import type { FlagValues, Positional } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { makePaint } from '../../cli/output/colour.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { usableWidth, wrapNotice } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { Prompts } from '../../cli/questions.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { openTourSandbox, type TourSandbox } from './sandbox.ts'
import { listTours, TOUR_TIME, type TourStep, type Tour } from './tours.ts'

const ROLES = ['order', 'store', 'parcels', 'build']

const ROLE = {
  name: 'role',
  description: 'role for the tour. Default: dray asks',
  choices: ROLES,
} as const satisfies Positional

/** `dray start`: a guided minute and a half on a sandbox of its own. */
export const start = defineCommand({
  words: 'start',
  unshaped: true,
  summary: 'Take a 90-second guided tour',
  description:
    'Choose a role: order, run a store, send parcels, or develop. Each step shows its command and runs it after Enter, in a temporary sandbox; your own sandbox is not changed. --yes runs all steps without asking. Without a terminal it prints the commands as a script. With --json it prints the steps as one document, and with --yes the result of each step.',
  positionals: [ROLE],
  examples: ['dray start', 'dray start parcels', 'dray start order --yes', 'dray start order --yes --json'],
  run: guide,
})

async function guide(cli: CommandContext, { role }: FlagValues<[], [typeof ROLE]>): Promise<number> {
  const tours = listTours(`${cli.runtime.root}/examples`)
  const ask = await cli.ask()
  const tour = await choose(cli, ask, tours, role)
  const { yes, format } = cli.settings
  if (format !== 'table') {
    const steps = yes ? await inSandbox(cli, (sandbox) => collect(cli, tour, sandbox)) : planOf(tour)
    await printResult(cli, { tour: tour.name, title: tour.title, ran: yes, steps, next: tour.next })
    return EXIT.ok
  }
  if (ask === undefined && !yes) {
    await cli.io.stdout.write(toScript(tour))
    return EXIT.ok
  }
  const isOver = await inSandbox(cli, (sandbox) => walk(cli, yes ? undefined : ask, sandbox, tour))
  if (!isOver) return EXIT.ok
  const { bold } = makePaint(renderOptionsOf(cli, 'stderr').colour)
  await cli.say(`${bold('That was it.')} The same commands work in your own sandbox. Next: ${tour.next}`)
  return EXIT.ok
}

async function inSandbox<T>(cli: CommandContext, use: (sandbox: TourSandbox) => Promise<T>): Promise<T> {
  const sandbox = openTourSandbox(cli)
  try {
    return await use(sandbox)
  } finally {
    sandbox.remove()
  }
}

async function choose(
  cli: CommandContext,
  ask: Prompts | undefined,
  tours: readonly Tour[],
  role: string | undefined,
): Promise<Tour> {
  const named = tours.find(({ name }) => name === role)
  if (named !== undefined) return named
  if (role !== undefined)
    throw new AppError('usage', `No tour ${role.slice(0, 60)}: ${ROLES.join(', ')}.`, {
      hint: `\`dray start ${ROLES[0]}\` starts the first one.`,
    })
  if (ask === undefined)
    throw missingInputError(cli.argv, [{ flag: 'ROLE', value: 'order', description: ROLES.join(', ') }])
  const name = await ask.select({
    message: 'What do you want to do?',
    choices: tours.map(({ name: value, title }) => ({ value, name: title })),
  })
  return tours.find((tour) => tour.name === name) ?? choose(cli, ask, tours, name)
}

/** Shows and runs each step. Returns false when the user wants no more. */
async function walk(
  cli: CommandContext,
  ask: Prompts | undefined,
  sandbox: TourSandbox,
  tour: Tour,
): Promise<boolean> {
  for (const [at, step] of tour.steps.entries()) {
    await announce(cli, tour, at, step.words)
    if (ask !== undefined && !(await ask.confirm({ message: 'Run it?', default: true }))) return false
    checkExit(await sandbox.execute(step.words), step)
  }
  return true
}

/** Runs each step for its JSON. Returns the steps with their results. */
async function collect(cli: CommandContext, tour: Tour, sandbox: TourSandbox): Promise<object[]> {
  const done: object[] = []
  for (const [at, step] of tour.steps.entries()) {
    const words = withJson(step)
    if (!cli.globals.quiet) await announce(cli, tour, at, words)
    const { code, stdout } = await sandbox.capture(words)
    checkExit(code, step)
    done.push({ ...toDocument(step), result: JSON.parse(stdout) as unknown })
  }
  return done
}

function planOf({ steps }: Tour): object[] {
  return steps.map(toDocument)
}

function toDocument(step: TourStep): object {
  const { about, exit = EXIT.ok } = step
  return { about, command: commandLine(['dray', ...withJson(step)]), exit_code: exit }
}

function withJson({ words }: TourStep): readonly string[] {
  return words.includes('--json') ? words : [...words, '--json']
}

/** Writes the purpose and the command of a step to stderr. */
async function announce(
  cli: CommandContext,
  { steps }: Tour,
  at: number,
  words: readonly string[],
): Promise<void> {
  const { io, settings } = cli
  const about = steps[at]?.about ?? ''
  const { bold, cyan } = makePaint(renderOptionsOf(cli, 'stderr').colour)
  const count = `${at + 1} of ${steps.length}`
  const room = usableWidth(io.stderr.columns, io.env) - count.length - 2
  const lines = io.stderr.isTTY && !settings.accessible ? wrapNotice(about, room) : [about]
  const text = lines.join(`\n${' '.repeat(count.length + 2)}`)
  // The command keeps its line, however long, so that it can be copied.
  await io.stderr.write(`\n${bold(count)}  ${text}\n${cyan(`$ ${commandLine(['dray', ...words])}`)}\n`)
}

function checkExit(code: number, { exit = EXIT.ok }: TourStep): void {
  if (code !== exit)
    throw new AppError('internal_error', `This step ended with exit code ${code}, not ${exit}.`)
}

function toScript({ title, steps }: Tour): string {
  const lines = steps.flatMap(({ about, words, exit }) => [
    '',
    `# ${about}`,
    `${commandLine(['dray', ...words])}${exit === undefined ? '' : ` || [ $? -eq ${exit} ]`}`,
  ])
  const head = [
    `# ${title}. In a sandbox of its own:`,
    `export DRAY_HOME="$(mktemp -d)" DRAY_NOW=${TOUR_TIME}`,
  ]
  return `${['#!/bin/sh', ...head, ...lines].join('\n')}\n`
}
