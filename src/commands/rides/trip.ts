/** From where to where, and when: from flags, or asked for. */
import { readOrAskPlace, readPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { listMissing, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import type { OperationInput } from '../../client/operations.ts'
import { PLACE_HELP } from '../../core/places/words.ts'
import { spec as quoteRide } from '../../generated/specs/quote_ride.ts'

const FIELDS = pickOperationFlags(quoteRide, {
  passengers: 'passengers',
  for: {
    field: 'scheduled_for',
    description: 'pickup time, half an hour ahead or more: 19:30, "tomorrow 08:00", +2h',
  },
})

export const TRIP_FLAGS = [
  {
    flag: 'from',
    fieldPath: 'pickup',
    kind: 'text',
    value: 'PLACE',
    description: `pickup address: ${PLACE_HELP}`,
  },
  { flag: 'to', fieldPath: 'dropoff', kind: 'text', value: 'PLACE', description: 'drop-off address' },
  {
    flag: 'stop',
    fieldPath: 'stops',
    kind: 'text',
    value: 'PLACE',
    repeat: true,
    description: 'intermediate stop; at most 3',
  },
  ...FIELDS,
] as const satisfies readonly Flag[]

export type TripFlags = FlagValues<typeof TRIP_FLAGS>

export const TRIP_NAMES = TRIP_FLAGS.map(({ flag }) => flag)

/** Returns the missing inputs of a ride. */
export function missingOfTrip(args: TripFlags): MissingInput[] {
  return [
    ...listMissing(args.from, 'from', 'kings-cross', 'where it begins'),
    ...listMissing(args.to, 'to', 'bank', 'where it ends'),
  ]
}

/** The body of the quote; on a terminal what is missing is requested. Throws AppError('usage'). */
export async function readTrip(cli: CommandContext, args: TripFlags): Promise<OperationInput<'quote_ride'>> {
  const missing = missingOfTrip(args)
  if (missing.length > 0 && (await cli.ask()) === undefined) throw missingInputError(cli.argv, missing)
  const pickup = await readOrAskPlace(cli, args.from, 'from', 'Pickup address?')
  const dropoff = await readOrAskPlace(cli, args.to, 'to', 'Drop-off address?')
  const { stop: stops = [] } = args
  return {
    pickup,
    dropoff,
    ...(stops.length > 0 && { stops: stops.map((stop) => readPlace(stop, 'stop')) }),
    ...(await readInputFromFlags(cli, FIELDS, args)),
  }
}
