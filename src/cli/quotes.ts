/** The memory of quotes, for where this command goes. */
import { keepQuote, lookUpQuote } from '../journal/quotes.ts'
import type { KnownQuote } from '../journal/quotes.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'

/** Keeps a quote that was made. */
export function rememberQuote(
  { runtime, settings }: Cli,
  made: Pick<KnownQuote, 'quote' | 'operation' | 'input'>,
): void {
  const service = shownTarget(settings.target).address
  keepQuote(runtime, { ...made, service, account: settings.target.account ?? null })
}

/** The quote of an id, when it was made from here. */
export function findQuote({ runtime, settings }: Cli, quoteId: string): KnownQuote | undefined {
  return lookUpQuote(runtime, shownTarget(settings.target).address, quoteId)
}
