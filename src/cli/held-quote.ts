/** The command that still buys at a price to which a person has not agreed. */
import { COMMANDS } from '../generated/commands.ts'
import type { CommandContext } from './cli.ts'
import type { Args } from './command.ts'
import { commandLine } from './output/shell.ts'
import { parseArgs } from './parse.ts'
import { formatTargetFlags } from './print.ts'
import { type QuotePurchase, quoteCommandOf, type ShownQuote } from './purchase.ts'
import { formatMinutesLeft } from './questions.ts'
import { parseCommandRoute } from './route.ts'

/** Returns the command with its `--quote-id`, and how long the price holds; undefined when the quote has expired. */
export async function stillHolds(
  cli: CommandContext,
  purchase: QuotePurchase,
  { quote, quoteId, left }: ShownQuote,
): Promise<string | undefined> {
  if (quote === undefined || left() <= 0) return undefined
  const words = [...cli.spec.words.split(' '), '--quote-id', quoteId, ...(await unquotedFlags(cli, purchase))]
  const command = `${commandLine(['dray', ...words])}${formatTargetFlags(cli.globals)}`
  return `This price is valid for ${formatMinutesLeft(left())} minutes:\n  ${command}`
}

/** Returns what was typed and answered besides what the quote holds: these are the flags of the command that quotes. */
async function unquotedFlags(
  { spec, argv, answered }: CommandContext,
  purchase: QuotePurchase,
): Promise<string[]> {
  const quoting = await COMMANDS[(await quoteCommandOf(purchase)).replace(/^dray /, '')]?.load()
  const isHeld = (flag: string): boolean =>
    flag === 'quote-id' || quoting?.flags.some((each) => each.flag === flag) === true
  const route = parseCommandRoute(argv)
  const { args } = parseArgs(spec, route.kind === 'command' ? route.rest : [])
  const own = spec.flags.filter(({ flag }) => !isHeld(flag))
  return [
    ...own.flatMap(({ flag }) => flagWords(flag, args[flag])),
    ...answered.flatMap(({ flag, value }) =>
      flag.startsWith('--') && value !== undefined && !isHeld(flag.slice('--'.length)) ? [flag, value] : [],
    ),
  ]
}

function flagWords(flag: string, value: Args[string]): string[] {
  if (value === undefined) return []
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
  return [value].flat().flatMap((each) => [`--${flag}`, each])
}
