/**
 * The payment of a confirm: `--pay` and `--payment-token`, or else the profile's `pay`, or else a test card in a
 * sandbox.
 */
import { AppError } from '../core/errors.ts'
import { type Money, parseMoney } from '../core/money.ts'
import { TEST_CARDS_NOTE } from '../core/test-cards.ts'
import { parseBaseUrl } from './base-url.ts'
import type { CommandContext } from './cli.ts'
import type { Args, DeclaredFlag, Flag, FlagValues } from './command.ts'
import { missingInputError } from './prompts.ts'
import type { Settings } from './settings.ts'

type PaymentMethod = 'card' | 'wallet' | 'cash' | 'table'

const PAY = {
  flag: 'pay',
  fieldPath: 'payment.method',
  kind: 'enum',
  choices: ['card', 'wallet'],
  description: 'payment method. Default in a sandbox: a test card',
} as const satisfies Flag & { choices: readonly PaymentMethod[] }

const TOKEN = {
  flag: 'payment-token',
  fieldPath: 'payment.payment_token',
  kind: 'text',
  value: 'TOKEN',
  description: `card token from the card form${TEST_CARDS_NOTE}`,
} as const satisfies Flag

export const PAY_FLAGS = [PAY, TOKEN] as const

/** The payment flags where cash is accepted. */
export const CASH_PAY_FLAGS = [{ ...PAY, choices: ['card', 'wallet', 'cash'] }, TOKEN] as const

/** The payment flags of stores with tables. */
export const TABLE_PAY_FLAGS = [{ ...PAY, choices: ['card', 'wallet', 'cash', 'table'] }, TOKEN] as const

/** The flags for the quote and its price. */
export const PRICE_FLAGS = [
  {
    flag: 'quote-id',
    fieldPath: 'quote_id',
    kind: 'text',
    value: 'QUOTE',
    description: 'ID of an unexpired quote',
  },
  { flag: 'max-total', kind: 'text', value: '25.00', description: 'maximum total; a higher price fails' },
  {
    flag: 'expected-total',
    fieldPath: 'expected_total',
    kind: 'text',
    value: '18.40',
    description: 'exact total you expect; fails if the price differs',
  },
] as const satisfies readonly Flag[]

/** The global flags that every purchase accepts. */
export const PURCHASE_GLOBAL_FLAGS = [
  'scenario',
  'dry-run',
  'idempotency-key',
  'new',
  'wait',
] as const satisfies readonly DeclaredFlag[]

/** The arguments of a purchase. `wanted` omits the limits, because another limit is still the same purchase. */
export type PurchaseArgs = {
  quoteId: string | undefined
  limit: string | undefined
  expected: Money | undefined
  wanted: Args
}

/** Reads the price flags. Throws AppError('usage'). */
export function readPrice(settings: Settings, args: FlagValues<typeof PRICE_FLAGS>): PurchaseArgs {
  const { 'max-total': limit = settings.maxTotal, 'expected-total': _, ...wanted } = args
  return {
    quoteId: args['quote-id'],
    limit,
    expected: readExpected(args['expected-total']),
    wanted,
  }
}

function readExpected(typed: string | undefined): Money | undefined {
  if (typed === undefined) return undefined
  const money = parseMoney(typed, 'GBP')
  if ('amount' in money) return money
  throw new AppError('usage', `--expected-total: ${money.detail}`)
}

/** Checks that a telephone comes with a name. Throws AppError('usage'). */
export function assertContact({
  name,
  phone,
}: {
  name?: string | undefined
  phone?: string | undefined
}): void {
  if (phone !== undefined && name === undefined)
    throw new AppError('usage', '--phone requires --name, the owner of the number.')
}

export type ChosenPayment = {
  request: { method: 'card' | 'wallet' | 'cash' | 'pay_at_table'; payment_token?: string }
  /** The end of a question: `with a test card`. */
  words: string
}

const WORDS: Readonly<Record<PaymentMethod, string>> = {
  card: 'with your card',
  wallet: 'from your wallet',
  cash: 'in cash',
  table: 'at the table',
}

const TEST_CARD = 'tok_ok'

/** Returns the payment, and asks for it on a terminal. Throws AppError('usage'). */
export async function choosePayment(
  cli: CommandContext,
  args: FlagValues<typeof TABLE_PAY_FLAGS>,
): Promise<ChosenPayment> {
  const token = args['payment-token']
  const said = args.pay ?? (token === undefined ? cli.settings.pay : 'card')
  const sandbox = canUseTestCards(cli)
  const method = said === undefined ? (sandbox ? 'card' : await askPaymentMethod(cli)) : toPaymentMethod(said)
  if (method !== 'card') {
    if (token !== undefined)
      throw new AppError('usage', `--payment-token is for cards; --pay ${method} has no token.`)
    return { request: { method: method === 'table' ? 'pay_at_table' : method }, words: WORDS[method] }
  }
  if (token !== undefined)
    return { request: { method: 'card', payment_token: token }, words: cardWords(token, sandbox) }
  if (sandbox)
    return { request: { method: 'card', payment_token: TEST_CARD }, words: cardWords(TEST_CARD, sandbox) }
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [
      { flag: '--payment-token', value: 'TOKEN', description: 'the card that pays' },
    ])
  const typed = await ask.password({
    message: 'Payment token of the card',
    validate: (answer) => (answer.trim() === '' ? 'Please type the token.' : undefined),
  })
  return { request: { method: 'card', payment_token: typed.trim() }, words: WORDS.card }
}

/** Returns whether test cards work here: in the embedded sandbox, or in one on this machine. */
export function canUseTestCards({ settings: { target } }: Pick<CommandContext, 'settings'>): boolean {
  if (target.kind === 'embedded') return true
  const base = parseBaseUrl(target.baseUrl)
  return typeof base !== 'string' && base.loopback
}

function cardWords(token: string, sandbox: boolean): string {
  return sandbox && token.startsWith('tok_') ? `with the test card ${token}` : WORDS.card
}

async function askPaymentMethod(cli: CommandContext): Promise<PaymentMethod> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInputError(cli.argv, [
      { flag: '--pay', value: 'card', description: paymentMethodsOf(cli).join(', ') },
    ])
  const method = await ask.select({
    message: 'Payment method',
    choices: paymentMethodsOf(cli).map((value) => ({ value, name: value })),
  })
  cli.answered.push({ flag: '--pay', value: method })
  return method
}

/** Returns the payment methods of this command. */
function paymentMethodsOf({ spec }: CommandContext): PaymentMethod[] {
  return (spec.flags.find(({ flag }) => flag === 'pay')?.choices ?? []).map(toPaymentMethod)
}

/** Validates a payment method, because a profile's file may contain anything. */
function toPaymentMethod(said: string): PaymentMethod {
  if (said === 'pay_at_table') return 'table'
  if (said === 'card' || said === 'wallet' || said === 'cash' || said === 'table') return said
  throw new AppError(
    'usage',
    `pay must be card, wallet, cash or table, not ${JSON.stringify(said.slice(0, 40))}.`,
  )
}
