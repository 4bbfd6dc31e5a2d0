import type { Cli } from '../../cli/cli.ts'
import type { Given, Positional } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { paint } from '../../cli/output/colour.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { usableWidth, wrapNotice } from '../../cli/output/text.ts'
import { missingInput } from '../../cli/prompts.ts'
import type { Ask } from '../../cli/questions.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { listTours, NOON, type Step, type Tour } from './tours.ts'

const ROLES = ['order', 'store', 'parcels', 'build']

const ROLE = {
  name: 'role',
  description: 'what you want to do; asked for without it',
  choices: ROLES,
} as const satisfies Positional

/** `dray start`: a guided minute and a half on a sandbox of its own. */
export const start = defineCommand({
  words: 'start',
  unshaped: true,
  summary: 'Ninety guided seconds on a sandbox, until something is delivered',
  description:
    'Choose what you want to do: order, run a store, send parcels, or build against it. Each step shows its command and runs it after Enter, in a sandbox of its own that is gone at the end; your own is not touched. --yes runs all steps without asking. Without a terminal it prints the commands as a script.',
  positionals: [ROLE],
  examples: ['dray start', 'dray start parcels', 'dray start order --yes'],
  run: guide,
})

async function guide(cli: Cli, { role }: Given<[], [typeof ROLE]>): Promise<number> {
  const tours = listTours(`${cli.runtime.root}/examples`)
  const ask = await cli.ask()
  const tour = await choose(cli, ask, tours, role)
  const isAsking = ask !== undefined && !cli.settings.yes
  if (!isAsking && !cli.settings.yes) {
    await cli.io.stdout.write(toScript(tour))
    return EXIT.ok
  }
  const sandbox = openSandbox(cli)
  try {
    for (const [at, step] of tour.steps.entries()) {
      if (!(await walk(cli, isAsking ? ask : undefined, sandbox, tour, at, step))) return EXIT.ok
    }
  } finally {
    sandbox.remove()
  }
  const { bold } = paint(renderOptionsOf(cli, 'stderr').colour)
  await cli.say(`${bold('That was it.')} The same commands work in your own sandbox. Next: ${tour.next}`)
  return EXIT.ok
}

async function choose(
  cli: Cli,
  ask: Ask | undefined,
  tours: readonly Tour[],
  role: string | undefined,
): Promise<Tour> {
  const named = tours.find(({ name }) => name === role)
  if (named !== undefined) return named
  if (role !== undefined)
    throw new AppError('usage', `There is no tour ${role.slice(0, 60)}: ${ROLES.join(', ')}.`, {
      hint: `\`dray start ${ROLES[0]}\` starts the first one.`,
    })
  if (ask === undefined)
    throw missingInput(cli.argv, [{ flag: 'ROLE', value: 'order', description: ROLES.join(', ') }])
  const name = await ask.select({
    message: 'What do you want to do?',
    choices: tours.map(({ name: value, title }) => ({ value, name: title })),
  })
  return tours.find((tour) => tour.name === name) ?? choose(cli, ask, tours, name)
}

/** Shows a step and runs it. Returns false when the user wants no more. */
async function walk(
  cli: Cli,
  ask: Ask | undefined,
  sandbox: Sandbox,
  { steps }: Tour,
  at: number,
  { about, words, exit = EXIT.ok }: Step,
): Promise<boolean> {
  const { io, settings } = cli
  const { bold, cyan } = paint(renderOptionsOf(cli, 'stderr').colour)
  const count = `${at + 1} of ${steps.length}`
  const room = usableWidth(io.stderr.columns, io.env) - count.length - 2
  const lines = io.stderr.isTTY && !settings.accessible ? wrapNotice(about, room) : [about]
  const text = lines.join(`\n${' '.repeat(count.length + 2)}`)
  // The command keeps its line, however long, so that it can be copied.
  await io.stderr.write(`\n${bold(count)}  ${text}\n${cyan(`$ ${commandLine(['dray', ...words])}`)}\n`)
  if (ask !== undefined && !(await ask.confirm({ message: 'Run it?', default: true }))) return false
  const code = await sandbox.execute(words)
  if (code === exit) return true
  throw new AppError('internal_error', `This step ended with exit code ${code}, not ${exit}.`)
}

function toScript({ title, steps }: Tour): string {
  const lines = steps.flatMap(({ about, words, exit }) => [
    '',
    `# ${about}`,
    `${commandLine(['dray', ...words])}${exit === undefined ? '' : ` || [ $? -eq ${exit} ]`}`,
  ])
  const head = [`# ${title}. In a sandbox of its own:`, `export DRAY_HOME="$(mktemp -d)" DRAY_NOW=${NOON}`]
  return `${['#!/bin/sh', ...head, ...lines].join('\n')}\n`
}
