/** Builds a delivery request, from flags or by asking. */
import { PARCEL_SIZES, type ParcelSize } from '../../areas/couriers/rules.ts'
import { readOrAskPlace } from '../../cli/ask-place.ts'
import type { Cli } from '../../cli/cli.ts'
import type { Flag, Given } from '../../cli/command.ts'
import { requireMoment } from '../../cli/moment.ts'
import { SANDBOX_ADDRESS } from '../../cli/places.ts'
import { lacking, type Missing, missingInput } from '../../cli/prompts.ts'
import { mustAsk } from '../../cli/questions.ts'
import type { Input } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { type Money, parseMoney } from '../../core/money.ts'
import { PLACE_WORDS } from '../../core/places/words.ts'
import { toTimestamp } from '../../core/time.ts'
import { VEHICLE_TYPES } from '../../core/travel.ts'
import { parseWeight } from '../../rows/csv/numbers.ts'

export const RUN_FLAGS = [
  {
    flag: 'from',
    place: 'pickup',
    kind: 'text',
    value: 'PLACE',
    description: `collection address: ${PLACE_WORDS}`,
  },
  {
    flag: 'to',
    place: 'dropoff',
    kind: 'text',
    value: 'PLACE',
    description: 'drop-off address, in the same words',
  },
  { flag: 'what', place: 'parcel.description', kind: 'text', value: 'TEXT', description: 'contents' },
  {
    flag: 'size',
    place: 'parcel.size',
    kind: 'enum',
    choices: PARCEL_SIZES,
    description: 'size; small, which fits into a rucksack, without it',
  },
  {
    flag: 'weight',
    place: 'parcel.weight_grams',
    kind: 'text',
    value: '1.2kg',
    description: 'weight',
  },
  { flag: 'value', place: 'parcel.value', kind: 'text', value: '80.00', description: 'value' },
  {
    flag: 'requires-id',
    place: 'parcel.requires_id',
    kind: 'boolean',
    description: 'whoever receives it shows an identity document',
  },
  {
    flag: 'ready',
    place: 'pickup_ready_at',
    kind: 'text',
    value: 'TIME',
    description: 'earliest time of collection: 15:30, "tomorrow 09:00", +45m',
  },
  {
    flag: 'vehicle',
    place: 'vehicle_type',
    kind: 'enum',
    choices: VEHICLE_TYPES,
    description: 'vehicle of the courier; chosen for you without it',
  },
] as const satisfies readonly Flag[]

export type RunFlags = Given<typeof RUN_FLAGS>

/** The flags that a quote replaces: it contains these values. */
export const RUN_NAMES = RUN_FLAGS.map(({ flag }) => flag)

/** Returns the missing inputs of a delivery. */
export function missingOfRun(args: RunFlags): Missing[] {
  return [
    ...lacking(args.from, 'from', 'kings-cross', 'where it is collected'),
    ...lacking(args.to, 'to', SANDBOX_ADDRESS, 'where it is brought'),
    ...lacking(args.what, 'what', 'A set of keys', 'what it is'),
  ]
}

/** The body of the quote; on a terminal what is missing is asked for. Throws AppError('usage'). */
export async function readRun(cli: Cli, args: RunFlags): Promise<Input<'quote_delivery'>> {
  const missing = missingOfRun(args)
  if (missing.length > 0 && (await cli.ask()) === undefined) throw missingInput(cli.argv, missing)
  const pickup = await readOrAskPlace(cli, args.from, 'from', 'Collected where?')
  const dropoff = await readOrAskPlace(cli, args.to, 'to', 'Brought where?')
  const description = args.what ?? (await askText(cli, 'what', 'What is it?'))
  const asksSize = missing.length > 0 && args.size === undefined
  const size = args.size ?? (asksSize ? await askSize(cli) : 'small')
  const { weight, value, ready, vehicle } = args
  return {
    pickup,
    dropoff,
    parcel: {
      size,
      description,
      ...(weight !== undefined && { weight_grams: readWeight(weight) }),
      ...(value !== undefined && { value: readValue(value) }),
      ...(args['requires-id'] === true && { requires_id: true }),
    },
    ...(ready !== undefined && { pickup_ready_at: await readReady(cli, ready) }),
    ...(vehicle !== undefined && { vehicle_type: vehicle }),
  }
}

/** A line that must not be empty. */
export async function askText(cli: Cli, flag: string, message: string): Promise<string> {
  const ask = await mustAsk(cli)
  const typed = await ask.input({
    message,
    validate: (answer) => (answer.trim() === '' ? 'Please type something.' : undefined),
  })
  cli.answered.push({ flag: `--${flag}`, value: typed.trim() })
  return typed.trim()
}

const SIZE_WORDS = {
  small: 'Small: fits into a rucksack',
  medium: 'Medium: fits into a courier’s box',
  large: 'Large: fits into the boot of a car',
  xl: 'Extra large: needs a van',
} as const

async function askSize(cli: Cli): Promise<ParcelSize> {
  const ask = await mustAsk(cli)
  const size = await ask.select({
    message: 'How large is it?',
    choices: PARCEL_SIZES.map((value) => ({ value, name: SIZE_WORDS[value] })),
  })
  cli.answered.push({ flag: '--size', value: size })
  return size
}

function readWeight(typed: string): number {
  const grams = parseWeight(typed, 'g')
  if (typeof grams === 'number') return grams
  throw new AppError('usage', `--weight: ${grams.detail}`)
}

function readValue(typed: string): Money {
  const money = parseMoney(typed, 'GBP')
  if ('amount' in money) return money
  throw new AppError('usage', `--value: ${money.detail}`)
}

async function readReady(cli: Cli, typed: string): Promise<string> {
  return toTimestamp(await requireMoment(cli, typed, { flag: '--ready', examples: '15:30 or +45m' }))
}
