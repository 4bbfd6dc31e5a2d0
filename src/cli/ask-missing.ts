import { chooseOwn, findOwn, formatListHint } from './choose-own.ts'
import type { CommandContext } from './cli.ts'
import type { Args, Flag, Positional } from './command.ts'
import { parseFlagValue } from './input.ts'
import type { InputWorld } from './input.ts'
import { pickField } from './output/fields.ts'
import { missingInputError } from './prompts.ts'
import type { Prompts } from './questions.ts'

type Taker = { key: string; shown: string; about: Positional & Partial<Flag> }

/**
 * Asks one question for each missing required value. Throws AppError('usage') with all of them when questions are
 * impossible.
 */
export async function askMissing(
  cli: CommandContext,
  args: Args,
  missing: readonly string[],
  world: InputWorld,
): Promise<Args> {
  const takers: Taker[] = [
    ...cli.spec.positionals.map((about) => ({ key: about.name, shown: `<${about.name}>`, about })),
    ...cli.spec.flags.map((about) => ({
      key: about.flag,
      shown: `--${about.flag}`,
      about: { name: about.flag, ...about },
    })),
  ].filter(({ shown }) => missing.includes(shown))
  const ask = await cli.ask()
  if (ask === undefined) {
    const own = await findOwn(cli, takers[0]?.key ?? '')
    throw missingInputError(cli.argv, takers.map(toMissing), own && formatListHint(own))
  }
  const answers: Record<string, string> = {}
  for (const { key, shown, about } of takers) {
    const chosen = shown.startsWith('<') ? await askOwn(cli, ask, key) : undefined
    if (chosen !== undefined) {
      answers[key] = chosen
      cli.answered.push({ flag: chosen })
      continue
    }
    const words = about.description === '' ? key.replaceAll(/[-_]/g, ' ') : about.description
    // Several questions may be named "Name"; the flag shows whose name is meant.
    const message = shown.startsWith('<') ? words : `${words} (${shown})`
    const { choices } = about
    const answer =
      choices === undefined
        ? await ask.input({
            message,
            validate: (text) => (text.trim() === '' ? 'Please type a value.' : undefined),
          })
        : await ask.select({ message, choices: choices.map((choice) => ({ value: choice, name: choice })) })
    const read = await parseFlagValue(about.kind ?? 'text', answer, world)
    if ('problem' in read) {
      await cli.say(`${shown} ${read.problem}`)
      return askMissing(cli, { ...args, ...answers }, missing.slice(missing.indexOf(shown)), world)
    }
    answers[key] = answer
    cli.answered.push(shown.startsWith('<') ? { flag: answer } : { flag: shown, value: answer })
  }
  return { ...args, ...answers }
}

/** Returns how the error of a command shows a value that is missing. */
function toMissing({ shown, about }: Taker): Parameters<typeof missingInputError>[1][number] {
  const { description, choices, kind, name, unless } = about
  const isPositional = shown.startsWith('<')
  const or = unless === undefined ? '' : `, or --${unless}`
  return {
    flag: isPositional ? name.toUpperCase() : shown,
    description: description === '' ? 'is required' : `${description}${or}`,
    ...(kind !== 'boolean' && {
      value: choices?.[0] ?? (isPositional ? name : name.split('-').at(-1))?.toUpperCase(),
    }),
  }
}

/** Asks which of the caller's own things an argument means; undefined for one that names none. */
async function askOwn(cli: CommandContext, ask: Prompts, argument: string): Promise<string | undefined> {
  const own = await findOwn(cli, argument)
  if (own === undefined) return undefined
  const isCancelled = cli.spec.operation?.name === own.resource.cancel
  return chooseOwn(cli, ask, own, {
    fits: (row) => !isCancelled || pickField(row, 'cancellable') !== false,
  })
}
