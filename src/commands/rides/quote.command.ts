import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { printResult, isWholeResponsePrinted } from '../../cli/print.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { rememberQuote, printQuotePrice } from '../../cli/quotes.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { EXIT } from '../../core/errors.ts'
import { readTrip, TRIP_FLAGS, type TripFlags } from './trip.ts'

/** `dray rides quote --from … --to …`: what a ride costs in every tier; requests nothing. */
export const ridesQuote = defineCommand({
  words: 'rides quote',
  summary: 'Price a ride in each tier; valid for 5 minutes',
  description:
    'Requests nothing. `dray rides request --quote-id --tier` requests a ride at this fare until the quote expires. Piped output has one line per tier. In a terminal, dray asks for missing values.',
  flags: TRIP_FLAGS,
  takes: ['scenario'],
  examples: [
    'dray rides quote --from kings-cross --to bank',
    'dray rides quote --from 51.5129,-0.0823 --to paddington --stop soho --passengers 5 --for "tomorrow 08:00" --json',
  ],
  run: quote,
})

async function quote(cli: CommandContext, flags: TripFlags): Promise<number> {
  const input = await readTrip(cli, flags)
  const { scenario } = cli.globals
  const { value: priced } = await (
    await cli.client()
  ).call('quote_ride', input, scenario === undefined ? {} : { scenario })
  rememberQuote(cli, { quote: priced, operation: 'quote_ride', input })
  if (isInteractiveTable(cli)) {
    await printQuotePrice(cli, priced, {
      text: await quoteText(priced, null, renderOptionsOf(cli, 'stdout')),
      command: `rides request --tier ${priced.fares[0]?.tier ?? 'economy'}`,
    })
    return EXIT.ok
  }
  if (isWholeResponsePrinted(cli)) await printResult(cli, priced)
  else await printResult(cli, toRows(priced), { columns: COLUMNS })
  return EXIT.ok
}

const COLUMNS = [
  { field: 'quote_id' },
  { field: 'tier' },
  { field: 'fare' },
  { field: 'capacity' },
  { field: 'available' },
  { field: 'pickup_eta_seconds' },
  { field: 'road_distance_m' },
  { field: 'driving_time_seconds' },
  { field: 'expires_at' },
]

function toRows({
  fares,
  quote_id,
  road_distance_m,
  driving_time_seconds,
  expires_at,
}: OperationOutput<'quote_ride'>) {
  return {
    data: fares.map(({ tier, fare, capacity, available, pickup_eta_seconds }) => ({
      quote_id,
      tier,
      fare,
      capacity,
      available,
      pickup_eta_seconds,
      road_distance_m,
      driving_time_seconds,
      expires_at,
    })),
    has_more: false,
    next_cursor: null,
  }
}
