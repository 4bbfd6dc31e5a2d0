/** Closes business days, after a person has seen what each of them comes to. */
import { countedWords, dayWords, earlyWords, namedDays } from '../../../areas/business/rules/day-words.ts'
import { callOnce } from '../../../cli/calls/call-once.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { confirmName, assertProfileConfirmed, confirmYes, namesGiven } from '../../../cli/confirm.ts'
import { fetchServiceTime } from '../../../cli/moment.ts'
import { printResult } from '../../../cli/print.ts'
import type { OperationOutput, OperationInput } from '../../../client/operations.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { formatMajorUnits, type Money, parseMoney } from '../../../core/money.ts'
import { businessDateOf, BUSINESS_DAY_START } from '../../../core/period.ts'
import { addDays, isDate } from '../../../core/time.ts'
import { spec } from '../../../generated/specs/close_business_day.ts'

type Close = OperationOutput<'close_business_day'>
type CloseInput = OperationInput<'close_business_day'>

export type DayCloseRequest = {
  through: string | undefined
  counted_cash?: Money
  merchant: string | undefined
}

/** Gives the exit code. Throws AppError('usage' | 'not_confirmed'), and what the service refuses. */
export async function runDayClose(
  cli: CommandContext,
  { through, counted_cash, merchant }: DayCloseRequest,
): Promise<number> {
  const asked = {
    ...(through !== undefined && { through: await readDay(cli, through) }),
    ...(counted_cash !== undefined && { counted_cash }),
    ...(merchant !== undefined && { merchant_id: merchant }),
  }
  const input: CloseInput = { ...asked }
  const { columns } = spec.operation
  if (cli.globals.dryRun) {
    const shown = await preview(cli, input)
    await printResult(cli, shown, { columns })
    const early = earlyWords(shown)
    await cli.say(['Dry run: nothing was closed.', ...(early === undefined ? [] : [early])].join(' '))
    return EXIT.ok
  }
  await assertProfileConfirmed(cli)
  const agree = async (): Promise<undefined> => {
    // The days that were shown are closed, and no day that ends in the meantime.
    Object.assign(input, await agreeToDays(cli, asked))
  }
  return callOnce(
    cli,
    ['close', asked],
    { operation: spec.operation.name, input },
    {
      agree,
      use: async ({ value, replayed }) => {
        await printResult(cli, value, { columns, replayed, done: spec.operation.done })
        return EXIT.ok
      },
    },
  )
}

async function preview(cli: CommandContext, input: CloseInput): Promise<Close> {
  const client = await cli.client()
  return (await client.call('close_business_day', { ...input, preview: true })).value
}

/** Shows the days and asks. Returns what the call needs besides what was requested. Throws AppError('not_confirmed'). */
async function agreeToDays(cli: CommandContext, asked: CloseInput): Promise<CloseInput> {
  const shown = await preview(cli, asked)
  const dates = shown.data.map(({ date }) => date)
  const last = dates.at(-1) ?? ''
  await cli.say(shown.data.map(dayWords).join('\n'))
  const counted = asked.counted_cash === undefined ? await askForCash(cli, shown) : undefined
  const agreed = { through: last, ...(counted !== undefined && { counted_cash: counted }) }
  const [day] = counted === undefined ? shown.data : (await preview(cli, { ...asked, ...agreed })).data
  const question = [
    ...(day === undefined || dates.length > 1 ? [] : [countedWords(day.cash)]),
    earlyWords(shown),
    `Close ${namedDays(dates)}? A closed day never changes.`,
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ')
  if (shown.not_ended > 0) await confirmName(cli, last, question)
  else if (!namesGiven(cli).includes(last)) await confirmYes(cli, question)
  return agreed
}

/** Asks for the counted cash where one day is closed and somebody can answer; nothing typed means that it was not counted. */
async function askForCash(cli: CommandContext, { data: [day, second] }: Close): Promise<Money | undefined> {
  if (day === undefined || second !== undefined || cli.settings.yes || namesGiven(cli).length > 0)
    return undefined
  const ask = await cli.ask()
  if (ask === undefined) return undefined
  const { currency } = day.cash.expected
  const typed = await ask.input({
    message: `Counted cash of ${day.date} (empty: not counted)`,
    validate: (text) => {
      const read = text.trim() === '' ? undefined : parseMoney(text.trim(), currency)
      return read !== undefined && 'problem' in read ? read.detail : undefined
    },
  })
  if (typed.trim() === '') return undefined
  const counted = parseMoney(typed.trim(), currency)
  if ('problem' in counted) throw new AppError('usage', `--counted-cash ${counted.detail}.`)
  cli.answered.push({ flag: '--counted-cash', value: formatMajorUnits(counted) })
  return counted
}

/** Parses a business day. By the words `today` and `yesterday`, too, a day begins at 05:00. */
async function readDay(cli: CommandContext, typed: string): Promise<string> {
  const word = typed.trim().toLowerCase()
  if (isDate(word)) return word
  if (word !== 'today' && word !== 'yesterday')
    throw new AppError(
      'usage',
      `--through must be a date such as 2026-11-28, today or yesterday, not ${JSON.stringify(typed.slice(0, 40))}.`,
    )
  const today = businessDateOf(await fetchServiceTime(await cli.client()), MARKET_TIMEZONE)
  const date = word === 'today' ? today : addDays(today, -1)
  await cli.say(`"${word}" is the business day ${date}, from ${BUSINESS_DAY_START} to ${BUSINESS_DAY_START}.`)
  return date
}
