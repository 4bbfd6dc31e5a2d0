/** Builds a delivery request, from flags or by asking. */
import { PARCEL_SIZES, type ParcelSize } from '../../areas/couriers/rules.ts'
import { readOrAskPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { DEFAULT_SANDBOX_ADDRESS } from '../../cli/places.ts'
import { listMissing, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import { requirePrompts } from '../../cli/questions.ts'
import type { OperationInput } from '../../client/operations.ts'
import { PLACE_HELP } from '../../core/places/words.ts'
import { spec as quoteDelivery } from '../../generated/specs/quote_delivery.ts'

const FIELDS = pickOperationFlags(quoteDelivery, {
  what: { field: 'parcel.description', value: 'TEXT' },
  size: {
    field: 'parcel.size',
    description: 'size; small, which fits into a rucksack, without it',
  },
  weight: { field: 'parcel.weight_grams', value: '1.2kg', description: 'weight' },
  value: { field: 'parcel.value', value: '80.00' },
  'requires-id': 'parcel.requires_id',
  'if-absent': 'if_absent',
  ready: {
    field: 'pickup_ready_at',
    description: 'earliest time of collection: 15:30, "tomorrow 09:00", +45m',
  },
  vehicle: {
    field: 'vehicle_type',
    description: 'vehicle of the courier; chosen for you without it',
  },
})

export const RUN_FLAGS = [
  {
    flag: 'from',
    fieldPath: 'pickup',
    kind: 'text',
    value: 'PLACE',
    description: `collection address: ${PLACE_HELP}`,
  },
  {
    flag: 'to',
    fieldPath: 'dropoff',
    kind: 'text',
    value: 'PLACE',
    description: 'drop-off address',
  },
  ...FIELDS,
] as const satisfies readonly Flag[]

export type RunFlags = FlagValues<typeof RUN_FLAGS>

/** The flags that a quote replaces: it contains these values. */
export const RUN_NAMES = RUN_FLAGS.map(({ flag }) => flag)

/** Returns the missing inputs of a delivery. */
export function missingOfRun(args: RunFlags): MissingInput[] {
  return [
    ...listMissing(args.from, 'from', 'kings-cross', 'where it is collected'),
    ...listMissing(args.to, 'to', DEFAULT_SANDBOX_ADDRESS, 'where it is brought'),
    ...listMissing(args.what, 'what', 'A set of keys', 'what it is'),
  ]
}

/** The body of the quote; on a terminal what is missing is requested. Throws AppError('usage'). */
export async function readRun(
  cli: CommandContext,
  args: RunFlags,
): Promise<OperationInput<'quote_delivery'>> {
  const missing = missingOfRun(args)
  if (missing.length > 0 && (await cli.ask()) === undefined) throw missingInputError(cli.argv, missing)
  const pickup = await readOrAskPlace(cli, args.from, 'from', 'Collection address?')
  const dropoff = await readOrAskPlace(cli, args.to, 'to', 'Drop-off address?')
  const description = args.what ?? (await askText(cli, 'what', 'Contents?'))
  const asksSize = missing.length > 0 && args.size === undefined
  const size = args.size ?? (asksSize ? await askSize(cli) : 'small')
  const { parcel, ...given } = await readInputFromFlags(cli, FIELDS, args)
  return { pickup, dropoff, ...given, parcel: { ...parcel, size, description } }
}

/** A line that must not be empty. */
export async function askText(cli: CommandContext, flag: string, message: string): Promise<string> {
  const ask = await requirePrompts(cli)
  const typed = await ask.input({
    message,
    validate: (answer) => (answer.trim() === '' ? 'Please type a value.' : undefined),
  })
  cli.answered.push({ flag: `--${flag}`, value: typed.trim() })
  return typed.trim()
}

const SIZE_WORDS = {
  small: 'Small: fits in a rucksack',
  medium: 'Medium: fits in a courier’s box',
  large: 'Large: fits in the boot of a car',
  xl: 'Extra large: needs a van',
} as const

async function askSize(cli: CommandContext): Promise<ParcelSize> {
  const ask = await requirePrompts(cli)
  const size = await ask.select({
    message: 'Size?',
    choices: PARCEL_SIZES.map((value) => ({ value, name: SIZE_WORDS[value] })),
  })
  cli.answered.push({ flag: '--size', value: size })
  return size
}
