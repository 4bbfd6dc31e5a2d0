import { ridePresenter } from '../../areas/rides/presenter.ts'
import { type Tier, TIERS } from '../../areas/rides/states.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { confirmQuote } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { choiceRows } from '../../cli/output/bill.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import {
  choosePayment,
  CASH_PAY_FLAGS,
  PRICE_FLAGS,
  PURCHASE_GLOBAL_FLAGS,
  assertContact,
  readPrice,
} from '../../cli/payment.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { quoteText } from '../../cli/quote-text.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { spec as requestRide } from '../../generated/specs/request_ride.ts'
import { missingOfTrip, readTrip, TRIP_FLAGS, TRIP_NAMES } from './trip.ts'

const MISSING_TIER = [{ flag: '--tier', value: 'economy', description: TIERS.join(', ') }]

const FIELDS = pickOperationFlags(requestRide, {
  tier: 'tier',
  name: { field: 'passenger.name', description: 'passenger, if not you' },
  phone: { field: 'passenger.phone', value: '+44…', description: 'telephone of who rides' },
  notes: 'notes',
})

const FLAGS = [...TRIP_FLAGS, ...FIELDS, ...PRICE_FLAGS, ...CASH_PAY_FLAGS] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS>

type RideQuote = OperationOutput<'quote_ride'>

/** `dray rides request`: from a way, or a quote, to a ride that is paid for. */
export const ridesRequest = defineCommand({
  words: 'rides request',
  summary: 'Request a ride',
  description:
    'With --quote-id it requests the quoted ride in --tier. Otherwise it shows the fares and how long they are valid, and requests nothing until you confirm. Without a terminal --yes needs a --quote-id or a --max-total. If no driver accepts within 5 minutes, the payment is refunded in full. After a crash, the same command resumes that request; --new requests another ride.',
  danger: 'spend',
  takes: PURCHASE_GLOBAL_FLAGS,
  answer: { of: ['request_ride'] },
  flags: FLAGS,
  examples: [
    'dray rides request',
    'dray rides request --from kings-cross --to bank --tier economy --yes --max-total 20',
    'dray rides request --quote-id quo_01m7vkystge8kbcf2tpy8vep2a --tier xl --pay wallet --yes',
  ],
  run: request,
})

async function request(cli: CommandContext, args: Flags): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  if (quoteId !== undefined && TRIP_NAMES.some((name) => args[name] !== undefined))
    throw new AppError('usage', '--quote-id already has the route: leave out places and time.')
  const asked = args.tier
  const missing = [
    ...(quoteId === undefined ? missingOfTrip(args) : []),
    ...(asked === undefined ? MISSING_TIER : []),
  ]
  let tier = asked
  return confirmQuote<'quote_ride'>(cli, {
    said: [wanted],
    quoteId,
    limit,
    expected,
    missing: () => missing,
    priced: () => readTrip(cli, args),
    confirm: { ...(await loadOperationHints('request_ride')), done: 'Ride requested: {fare}.' },
    act: 'Request this ride',
    async choose(quote, left) {
      const fare = await pickFare(cli, quote, tier, left)
      tier = fare?.tier
      return fare && { ...quote, total: fare.fare }
    },
    describe: (quote) => quoteText(quote, tier ?? null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      tier ??= await askTier(cli)
      const { request: payment, words } = await choosePayment(cli, args)
      assertContact(args)
      return { input: { tier, payment, ...(await readInputFromFlags(cli, FIELDS, args)) }, words }
    },
  })
}

/** The fare of a tier that was named, or picked from those that can be had; undefined when the quote expired in the meantime. */
async function pickFare(
  cli: CommandContext,
  quote: RideQuote,
  tier: Tier | undefined,
  left: () => number,
): Promise<RideQuote['fares'][number] | undefined> {
  const { fares } = quote
  if (tier !== undefined) {
    const named = fares.find((fare) => fare.tier === tier)
    if (named !== undefined) return named
    const quoted = fares.map((fare) => fare.tier).join(', ')
    throw new AppError(
      'tier_not_quoted',
      `${tier} is not one of the quoted tiers: ${quoted}. Nothing was bought.`,
    )
  }
  const ask = await cli.ask()
  if (ask === undefined) throw missingInputError(cli.argv, MISSING_TIER)
  const free = fares.filter(({ available }) => available)
  if (free.length === 0)
    throw new AppError('tier_unavailable', 'No driver is available for that pickup time. Nothing was bought.')
  const rows = choiceRows(ridePresenter.choices({ ...quote, fares: free }), renderOptionsOf(cli, 'stderr'))
  const chosen = await ask.selectWithin({
    message: 'Which ride?',
    choices: free.map((value, index) => ({ value, name: rows[index] ?? value.name })),
    left,
  })
  if (chosen !== undefined) cli.answered.push({ flag: '--tier', value: chosen.tier })
  return chosen
}

/** Asks for the tier of a quote from elsewhere, whose fares are not known here. */
async function askTier(cli: CommandContext): Promise<Tier> {
  const ask = await cli.ask()
  if (ask === undefined) throw missingInputError(cli.argv, MISSING_TIER)
  const tier = await ask.select({
    message: 'Choose a tier',
    choices: TIERS.map((value) => ({ value, name: value })),
  })
  cli.answered.push({ flag: '--tier', value: tier })
  return tier
}
