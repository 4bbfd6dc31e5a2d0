/** How a confirm pays: `--pay` and `--payment-token`, else the profile's `pay`, else a test card in a sandbox. */
import { AppError } from '../errors.ts'
import { parseBaseUrl } from './base-url.ts'
import type { Cli } from './cli.ts'
import { type Args, type Flag, text } from './command.ts'
import { missingInput } from './prompts.ts'

type Way = 'card' | 'wallet' | 'cash' | 'table'

const PAY: Flag = {
  flag: 'pay',
  kind: 'enum',
  choices: ['card', 'wallet', 'cash'] satisfies Way[],
  description: 'how to pay; in a sandbox a test card without it',
}

export const PAY_FLAGS: readonly Flag[] = [
  PAY,
  {
    flag: 'payment-token',
    kind: 'text',
    value: 'TOKEN',
    description:
      'the card, as the card form gave it; tok_ok, tok_pending, tok_declined, tok_store in a sandbox',
  },
]

/** Where there are tables. */
export const TABLE_PAY_FLAGS: readonly Flag[] = [
  { ...PAY, choices: ['card', 'wallet', 'cash', 'table'] satisfies Way[] },
  ...PAY_FLAGS.slice(1),
]

/** Which quote, and what it may cost. */
export const PRICE_FLAGS: readonly Flag[] = [
  { flag: 'quote-id', kind: 'text', value: 'QUOTE', description: 'a quote that still holds' },
  { flag: 'max-total', kind: 'text', value: '25.00', description: 'pay no more than this' },
  {
    flag: 'expected-total',
    kind: 'text',
    value: '18.40',
    description: 'the price that you have seen; any other is refused',
  },
]

export type Payment = {
  request: { method: 'card' | 'wallet' | 'cash' | 'pay_at_table'; payment_token?: string }
  /** `with a test card`, to end a question. */
  words: string
}

const WORDS: Readonly<Record<Way, string>> = {
  card: 'with your card',
  wallet: 'from your wallet',
  cash: 'in cash',
  table: 'at the table',
}

const TEST_CARD = 'tok_ok'

/** Asks on a terminal for what is not said. Throws AppError('usage'). */
export async function choosePayment(cli: Cli, args: Args): Promise<Payment> {
  const token = text(args, 'payment-token')
  const said = text(args, 'pay') ?? (token === undefined ? cli.settings.pay : 'card')
  const sandbox = isSandbox(cli)
  const way = said === undefined ? (sandbox ? 'card' : await askWay(cli)) : toWay(said)
  if (way !== 'card') {
    if (token !== undefined)
      throw new AppError('usage', `--payment-token is of a card; --pay ${way} takes none.`)
    return { request: { method: way === 'table' ? 'pay_at_table' : way }, words: WORDS[way] }
  }
  if (token !== undefined)
    return { request: { method: 'card', payment_token: token }, words: cardWords(token, sandbox) }
  if (sandbox)
    return { request: { method: 'card', payment_token: TEST_CARD }, words: cardWords(TEST_CARD, sandbox) }
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInput(cli.argv, [
      { flag: '--payment-token', value: 'TOKEN', description: 'the card that pays' },
    ])
  const typed = await ask.password({
    message: 'Payment token of the card',
    validate: (answer) => (answer.trim() === '' ? 'Please type the token.' : undefined),
  })
  return { request: { method: 'card', payment_token: typed.trim() }, words: WORDS.card }
}

/** Whether a test card is money here: the embedded sandbox, or one that this machine serves. */
export function isSandbox({ settings: { target } }: Pick<Cli, 'settings'>): boolean {
  if (target.kind === 'embedded') return true
  const base = parseBaseUrl(target.baseUrl)
  return typeof base !== 'string' && base.loopback
}

function cardWords(token: string, sandbox: boolean): string {
  return sandbox && token.startsWith('tok_') ? `with the test card ${token}` : WORDS.card
}

async function askWay(cli: Cli): Promise<Way> {
  const ask = await cli.ask()
  if (ask === undefined)
    throw missingInput(cli.argv, [{ flag: '--pay', value: 'card', description: waysOf(cli).join(', ') }])
  const way = await ask.select({
    message: 'How do you pay?',
    choices: waysOf(cli).map((value) => ({ value, name: value })),
  })
  cli.answered.push({ flag: '--pay', value: way })
  return way
}

/** What can be paid with here. */
function waysOf({ spec }: Cli): Way[] {
  return (spec.flags.find(({ flag }) => flag === 'pay')?.choices ?? []).map(toWay)
}

/** Profiles are files: what stands there may be anything. */
function toWay(said: string): Way {
  if (said === 'pay_at_table') return 'table'
  if (said === 'card' || said === 'wallet' || said === 'cash' || said === 'table') return said
  throw new AppError(
    'usage',
    `pay must be card, wallet, cash or table, not ${JSON.stringify(said.slice(0, 40))}.`,
  )
}
