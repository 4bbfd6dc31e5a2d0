/** The quotes that were shown here: what a `--quote-id` costs, and what it was asked for. The interface does not tell again. */
import { join } from 'node:path'
import type { Money } from '../domain/money.ts'
import type { Runtime } from '../runtime.ts'
import type { Cli } from './cli.ts'
import { shownTarget } from './explain.ts'
import { appendEntry, readEntries, removeEntries } from './log-file.ts'
import type { LogFile } from './log-file.ts'

/** What every quote has (`contract.md` A8). */
export type Quote = { quote_id: string; expires_at: string; total: Money } & Record<string, unknown>

export type KnownQuote = {
  quote: Quote
  /** The operation that made it, and its input. */
  operation: string
  input: Record<string, unknown>
  service: string
  account: string | null
}

/** Keeps a quote that was made. */
export function rememberQuote(
  { runtime, settings }: Cli,
  { quote, operation, input }: Pick<KnownQuote, 'quote' | 'operation' | 'input'>,
): void {
  const entry: KnownQuote = {
    quote,
    operation,
    input,
    service: shownTarget(settings.target).address,
    account: settings.target.account ?? null,
  }
  appendEntry(fileOf(runtime), entry)
}

/** The quote of an id, when it was made from here. */
export function findQuote({ runtime, settings }: Cli, quoteId: string): KnownQuote | undefined {
  const { address } = shownTarget(settings.target)
  return readEntries<KnownQuote>(fileOf(runtime)).findLast(
    ({ quote, service }) => quote.quote_id === quoteId && service === address,
  )
}

/** Forgets the quotes of a service that has started anew. */
export function forgetQuotes(parts: Pick<Runtime, 'paths'>, service: string): void {
  removeEntries<KnownQuote>(fileOf(parts), (entry) => entry.service !== service)
}

/** A quote of fifty lines takes 20 kB. */
function fileOf({ paths }: Pick<Runtime, 'paths'>): LogFile {
  return { path: join(paths.state, 'quotes.ndjson'), kept: 50, maxBytes: 1_000_000 }
}
