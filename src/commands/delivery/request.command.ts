import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { confirmQuote } from '../../cli/confirm-quote.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { renderOptionsOf } from '../../cli/output/render-options-of.ts'
import {
  CASH_PAY_FLAGS,
  choosePayment,
  PRICE_FLAGS,
  PURCHASE_GLOBAL_FLAGS,
  readPrice,
} from '../../cli/payment.ts'
import { listMissing, missingInputError } from '../../cli/prompts.ts'
import { quoteText } from '../../cli/quote-text.ts'
import { AppError } from '../../core/errors.ts'
import { spec as requestDelivery } from '../../generated/specs/request_delivery.ts'
import { askText, missingOfRun, readRun, RUN_FLAGS, RUN_NAMES } from './run.ts'

const FIELDS = pickOperationFlags(requestDelivery, {
  'from-name': { field: 'pickup_contact.name', description: 'sender' },
  'from-phone': {
    field: 'pickup_contact.phone',
    value: '+44…',
    description: 'telephone of who hands it over',
  },
  'from-notes': 'pickup_notes',
  'to-name': { field: 'dropoff_contact.name', description: 'recipient' },
  'to-phone': {
    field: 'dropoff_contact.phone',
    value: '+44…',
    description: 'telephone of who receives it',
  },
  'to-notes': 'dropoff_notes',
  proof: {
    field: 'verification.dropoff',
    description: 'proof of delivery. Default: photo',
  },
  reference: 'external_reference',
})

const FLAGS = [...RUN_FLAGS, ...FIELDS, ...PRICE_FLAGS, ...CASH_PAY_FLAGS] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS>

/** `dray delivery request`: from a run, or a quote, to a courier who is paid for. */
export const deliveryRequest = defineCommand({
  words: 'delivery request',
  summary: 'Request a courier delivery',
  description:
    'With --quote-id it requests the quoted delivery. Otherwise it shows a price and how long the price is valid, and requests nothing until you confirm. If no courier is found within 15 minutes, or the parcel cannot be delivered, the payment is refunded in full. After a crash, the same command resumes that request; --new requests another delivery.',
  danger: 'spend',
  takes: PURCHASE_GLOBAL_FLAGS,
  answer: { of: ['request_delivery'] },
  flags: FLAGS,
  examples: [
    'dray delivery request',
    'dray delivery request --from kings-cross --to shoreditch --what "A set of keys" --from-name "Ana Moreau" --to-name "Ravi Shah" --proof pincode --yes --max-total 10',
    'dray delivery request --quote-id quo_01m7vkystge8kbcf2tpy8vep2a --from-name "Ana Moreau" --to-name "Ravi Shah" --pay wallet --yes',
  ],
  run: request,
})

async function request(cli: CommandContext, args: Flags): Promise<number> {
  const { quoteId, limit, expected, wanted } = readPrice(cli.settings, args)
  if (quoteId !== undefined && RUN_NAMES.some((name) => args[name] !== undefined))
    throw new AppError('usage', '--quote-id already has the places and the parcel: leave them out.')
  // A quote holds the places, but not who is there.
  const doors = missingOfDoors(args)
  if (quoteId !== undefined && doors.length > 0 && (await cli.ask()) === undefined)
    throw missingInputError(cli.argv, doors)
  return confirmQuote<'quote_delivery'>(cli, {
    said: [wanted],
    quoteId,
    limit,
    expected,
    missing: () => [...missingOfRun(args), ...doors],
    priced: () => readRun(cli, args),
    confirm: { ...(await loadOperationHints('request_delivery')), done: 'Courier requested: {price}.' },
    act: 'Request this delivery',
    describe: (quote) => quoteText(quote, null, renderOptionsOf(cli, 'stderr')),
    async rest() {
      const named = {
        ...args,
        'from-name': args['from-name'] ?? (await askText(cli, 'from-name', 'Contact at pickup?')),
        'to-name': args['to-name'] ?? (await askText(cli, 'to-name', 'Recipient?')),
        ...(args.proof !== undefined && { proof: [...new Set(args.proof)] }),
      }
      const { request: payment, words } = await choosePayment(cli, args)
      return { input: { payment, ...(await readInputFromFlags(cli, FIELDS, named)) }, words }
    },
  })
}

function missingOfDoors(args: Flags) {
  return [
    ...listMissing(args['from-name'], 'from-name', 'Ana Moreau', 'who hands it over'),
    ...listMissing(args['to-name'], 'to-name', 'Ravi Shah', 'who receives it'),
  ]
}
