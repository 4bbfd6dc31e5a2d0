/** The records of quotes, for this command's service. */
import { saveKnownQuote, findKnownQuote } from '../local-state/quotes.ts'
import type { KnownQuote } from '../local-state/quotes.ts'
import type { CommandContext } from './cli.ts'
import { shownTarget } from './explain.ts'
import { formatTargetFlags } from './print.ts'

/** Records a quote. */
export function rememberQuote(
  { runtime, settings }: CommandContext,
  made: Pick<KnownQuote, 'quote' | 'operation' | 'input'>,
): void {
  const service = shownTarget(settings.target).address
  saveKnownQuote(runtime, { ...made, service, account: settings.target.account ?? null })
}

/** Returns the quote with this id, if it was made on this machine. */
export function findQuote({ runtime, settings }: CommandContext, quoteId: string): KnownQuote | undefined {
  return findKnownQuote(runtime, shownTarget(settings.target).address, quoteId)
}

/** Shows people a price, how long it holds, and the command that confirms it, without its `--quote-id`. */
export async function printQuotePrice(
  cli: CommandContext,
  { quote_id, expires_in_seconds }: { quote_id: string; expires_in_seconds: number },
  { text, command }: { text: string; command: string },
): Promise<void> {
  await cli.io.stdout.write(`${text}\n`)
  const minutes = Math.floor(expires_in_seconds / 60)
  const confirm = `dray ${command} --quote-id ${quote_id}${formatTargetFlags(cli.globals)}`
  await cli.say(`This price is valid for ${minutes} minutes: \`${confirm}\``)
}
