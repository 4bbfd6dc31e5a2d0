/** The records of quotes, for this command's service. */
import { keepQuote, lookUpQuote } from '../journal/quotes.ts'
import type { KnownQuote } from '../journal/quotes.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'

/** Records a quote. */
export function rememberQuote(
  { runtime, settings }: Cli,
  made: Pick<KnownQuote, 'quote' | 'operation' | 'input'>,
): void {
  const service = shownTarget(settings.target).address
  keepQuote(runtime, { ...made, service, account: settings.target.account ?? null })
}

/** Returns the quote with this id, if it was made on this machine. */
export function findQuote({ runtime, settings }: Cli, quoteId: string): KnownQuote | undefined {
  return lookUpQuote(runtime, shownTarget(settings.target).address, quoteId)
}
