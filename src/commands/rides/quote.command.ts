import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printQuote, requestQuote } from '../../cli/print-quote.ts'
import type { OperationOutput } from '../../client/operations.ts'
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
  run: quoteTrip,
})

async function quoteTrip(cli: CommandContext, flags: TripFlags): Promise<number> {
  const quote = await requestQuote(cli, 'quote_ride', await readTrip(cli, flags))
  const command = `rides request --tier ${quote.fares[0]?.tier ?? 'economy'}`
  return printQuote(cli, quote, { command, rows: { columns: COLUMNS, data: listFares(quote) } })
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

function listFares({
  fares,
  quote_id,
  road_distance_m,
  driving_time_seconds,
  expires_at,
}: OperationOutput<'quote_ride'>): object[] {
  return fares.map(({ tier, fare, capacity, available, pickup_eta_seconds }) => ({
    quote_id,
    tier,
    fare,
    capacity,
    available,
    pickup_eta_seconds,
    road_distance_m,
    driving_time_seconds,
    expires_at,
  }))
}
