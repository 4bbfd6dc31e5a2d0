/** Checks what customers of a month paid and got back by answers alone, and plants faults in it. It uses no code of the program. */
import { callTestControl } from '../control.ts'
import type { TestSandbox } from '../world.ts'
import { MOVERS, type PlayedPurchase } from './customers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const OPENING = 5000
const GOODWILL = 1000
const MAX_GOODS_VALUE = 25_000
const MAX_FEE = 500
const PAID = ['paid', 'partially_refunded', 'refund_pending', 'refunded']

type Money = { amount: number; currency: string }
type ToldRefund = { amount: Money; status: string; destination: string }

/** A ride, a run or a visit as the service gives it: of each kind the fields that this book reads. */
type PurchaseAnswer = {
  status: string
  payment: { method: string; status: string; amount: Money } | null
  refund: ToldRefund | null
  refunds: ToldRefund[]
  refunded: Money | null
  problems: { amount: Money; goodwill: Money | null; refund_id: string | null }[]
  status_history: { status: string; at: string; reason: string | null }[]
  receipt?: { charged: Money } | null
  promised_pickup_at?: string | null
  completed_at?: string | null
  promised_delivery_at?: string | null
  delivered_at?: string | null
  en_route_at?: string | null
}

type WalletEntry = { kind: string; direction: 'in' | 'out'; amount: Money; resource_id: string }

/** All that customers can ask a service for, beside what they asked it to do. */
type CustomerBooks = {
  purchases: { played: PlayedPurchase; told: PurchaseAnswer; listed: PurchaseAnswer | null }[]
  wallets: { account: string; balance: Money; entries: WalletEntry[] }[]
}

/** Asks for the books of the customers who made purchases. */
export async function readCustomerBooks(
  world: TestSandbox,
  played: readonly PlayedPurchase[],
): Promise<CustomerBooks> {
  const listed = new Map<string, PurchaseAnswer>()
  for (const as of MOVERS)
    for (const each of (await world.ok('list_rides', { limit: 100 }, { as })).data)
      listed.set(each.ride_id, each)
  const purchases = []
  for (const each of played)
    purchases.push({
      played: each,
      told: await fetchPurchase(world, each),
      listed: listed.get(each.id) ?? null,
    })
  const wallets = []
  for (const account of MOVERS) {
    const { balance, entries } = await callTestControl(world, 'get_wallet', { account })
    wallets.push({ account, balance, entries })
  }
  return { purchases, wallets }
}

function fetchPurchase(world: TestSandbox, { kind, id, as }: PlayedPurchase): Promise<PurchaseAnswer> {
  if (kind === 'ride') return world.ok('get_ride', { ride_id: id }, { as })
  if (kind === 'run') return world.ok('get_delivery', { delivery_id: id }, { as })
  return world.ok('get_service_booking', { booking_id: id }, { as })
}

/** The consequences of a purchase's record: the answer of each step, and money in minor units. */
type ExpectedMoney = {
  answers: string[]
  captured: number
  back: number
  goodwill: number
  problem: number | null
  /** The charge on the receipt of a ride. */
  receipt: number | null
}

/** Returns what is wrong with the books of customers, in words; nothing when all is right. */
export function listCustomerProblems({ purchases, wallets }: CustomerBooks): string[] {
  const moves = new Map(wallets.map(({ account }) => [account, OPENING]))
  const faults = purchases.flatMap(({ played, told, listed }) => {
    const expected = EXPECTED[played.kind](played, told)
    const entries = wallets
      .flatMap((wallet) => wallet.entries)
      .filter((each) => each.resource_id === played.id)
    const wallet = walletSums(played, expected)
    moves.set(played.as, (moves.get(played.as) ?? 0) + wallet.refund + wallet.goodwill - wallet.capture)
    const found = [
      ...compare(sumsOfAnswer(told), sumsExpected(played, expected)),
      ...compare(sumsOfEntries(entries), wallet),
      ...compare(
        { answers: played.steps.map(({ answer }) => answer).join() },
        { answers: expected.answers.join() },
      ),
      ...(listed === null ? [] : compare(sumsOfAnswer(listed), sumsOfAnswer(told))),
      ...(expected.back > expected.captured ? [`${expected.back} goes back of ${expected.captured}`] : []),
    ]
    return found.map((fault) => `${played.kind} ${played.id} (${told.status}, ${played.method}): ${fault}`)
  })
  for (const { account, balance } of wallets)
    faults.push(...compare({ [account]: balance.amount }, { [account]: moves.get(account) }))
  return faults
}

const EXPECTED: Readonly<
  Record<PlayedPurchase['kind'], (played: PlayedPurchase, told: PurchaseAnswer) => ExpectedMoney>
> = { ride: expectOfRide, run: expectOfRun, visit: expectOfVisit }

/** A ride gives a share of the fare for lateness, and keeps a fee when its rider cancels two minutes after the driver accepted. */
function expectOfRide({ price, method, steps }: PlayedPurchase, told: PurchaseAnswer): ExpectedMoney {
  const isDone = told.completed_at !== null
  const expected = startExpected(isDone || method !== 'cash' ? price : 0)
  const lateness = instantOf(lastAt(told, 'arrived')) - instantOf(told.promised_pickup_at)
  const percent = lateness > 20 * MINUTE ? 50 : lateness > 10 * MINUTE ? 20 : 0
  let kept = isDone ? price : 0
  for (const { at, action, reason_code } of steps) {
    if (action === 'cancel') {
      const accepted = instantOf(lastAt(told, 'accepted'))
      if (at > accepted + 2 * MINUTE) kept = Math.min(MAX_FEE, price)
      expected.answers.push('ok')
    } else {
      const worth = reason_code === 'late' ? Math.floor((price * percent) / 100) : 0
      report(expected, { at, end: instantOf(told.completed_at), worth, paid: price })
    }
  }
  if (expected.captured > 0) expected.back += price - kept
  // A later refund stands beside the receipt.
  expected.receipt = isDone ? price : expected.captured - expected.back
  return expected
}

/** A run gives its price for lateness, and for damage the value of its goods; what was not paid is goodwill. */
function expectOfRun({ price, value, method, steps }: PlayedPurchase, told: PurchaseAnswer): ExpectedMoney {
  const isDone = told.status === 'delivered'
  const expected = startExpected(isDone || method !== 'cash' ? price : 0)
  if (!isDone) expected.back = expected.captured
  const isLate = instantOf(told.delivered_at) - instantOf(told.promised_delivery_at) > 15 * MINUTE
  const isBroken = told.status_history.some(({ reason }) => reason === 'damaged')
  const worths: Record<string, number> = {
    late: isLate ? price : 0,
    damaged: isBroken ? Math.min(value ?? price, MAX_GOODS_VALUE) : 0,
  }
  const higher = Math.max(...Object.values(worths))
  for (const { at, reason_code } of steps) {
    const worth = (worths[reason_code ?? ''] ?? 0) > 0 ? higher : 0
    report(expected, { at, end: instantOf(told.delivered_at), worth, paid: price })
  }
  return expected
}

/** A visit keeps half within a day of its start, and all from then on; one that nobody set off for goes back, with goodwill when it is reported. */
function expectOfVisit(
  { price, method, starts_at, steps }: PlayedPurchase,
  told: PurchaseAnswer,
): ExpectedMoney {
  let start = instantOf(starts_at)
  let kept: number | undefined
  const expected = startExpected(0)
  for (const { at, action, starts_at: to } of steps) {
    const isFree = at <= start - 24 * HOUR
    if (action === 'report') {
      const isMissed = kept === undefined && told.en_route_at === null && at >= start + HOUR / 2
      report(expected, { at, end: start, worth: isMissed ? GOODWILL : 0, paid: 0 })
    } else if (action === 'cancel') {
      kept = keptOfVisit(price, start, at)
      expected.answers.push('ok')
    } else {
      if (isFree) start = instantOf(to)
      expected.answers.push(isFree ? 'ok' : 'not_movable')
    }
  }
  const hasCome = told.en_route_at !== null
  expected.captured = hasCome || method !== 'cash' ? price : 0
  if (expected.captured > 0) expected.back = price - (kept ?? (hasCome ? price : 0))
  return expected
}

/** The part of a price that is kept when the customer cancels a visit. */
function keptOfVisit(price: number, start: number, at: number): number {
  if (at <= start - 24 * HOUR) return 0
  return at < start ? Math.ceil(price / 2) : price
}

function startExpected(captured: number): ExpectedMoney {
  return { answers: [], captured, back: 0, goodwill: 0, problem: null, receipt: null }
}

/** Decides a report: once, within 48 hours, and only what the record is worth. */
function report(
  expected: ExpectedMoney,
  { at, end, worth, paid }: { at: number; end: number; worth: number; paid: number },
): void {
  const isOver = expected.problem === null && at > end + 48 * HOUR
  if (isOver || expected.problem !== null || worth === 0) {
    expected.answers.push(isOver ? 'problem_window_over' : 'adjustment_not_allowed')
    return
  }
  const back = Math.min(worth, paid)
  expected.problem = worth
  expected.back += back
  expected.goodwill += worth - back
  expected.answers.push('ok')
}

type Sums = Record<string, unknown>

function sumsOfAnswer({ payment, refund, refunds, refunded, problems, receipt }: PurchaseAnswer): Sums {
  return {
    captured: PAID.includes(payment?.status ?? '') ? payment?.amount.amount : 0,
    payment: payment?.status,
    back: total(refunds.filter(({ status }) => status !== 'failed').map(({ amount }) => amount)),
    refunded: refunded?.amount,
    refund: refund?.amount.amount,
    to: [...new Set(refunds.map(({ destination }) => destination))].join(),
    problems: problems.map(({ amount }) => amount.amount).join(),
    goodwill: total(problems.flatMap(({ goodwill }) => goodwill ?? [])),
    receipt: receipt?.charged.amount ?? null,
  }
}

function sumsExpected({ method }: PlayedPurchase, expected: ExpectedMoney): Sums {
  const { captured, back, goodwill, problem, receipt } = expected
  const isReturned = back > 0
  return {
    captured,
    payment:
      captured === 0 ? 'failed' : back === 0 ? 'paid' : back === captured ? 'refunded' : 'partially_refunded',
    back,
    refunded: isReturned ? back : undefined,
    refund: isReturned ? back : undefined,
    to: isReturned ? (method === 'cash' ? 'platform_wallet' : 'original_method') : '',
    problems: problem === null ? '' : String(problem),
    goodwill,
    receipt,
  }
}

/** The change of the customer's wallet by a purchase. */
function walletSums({ method }: PlayedPurchase, { captured, back, goodwill }: ExpectedMoney) {
  return {
    capture: method === 'wallet' ? captured : 0,
    refund: method === 'card' ? 0 : back,
    goodwill,
  }
}

function sumsOfEntries(entries: readonly WalletEntry[]): Sums {
  const sums: Record<string, number> = { capture: 0, refund: 0, goodwill: 0 }
  for (const { kind, direction, amount } of entries) {
    const sign = (direction === 'out') === (kind === 'capture') ? 1 : -1
    sums[kind] = (sums[kind] ?? 0) + sign * amount.amount
  }
  return sums
}

function lastAt({ status_history }: PurchaseAnswer, status: string): string | undefined {
  return status_history.findLast((entry) => entry.status === status)?.at
}

/** Returns an instant in milliseconds; what never happened is no number, and no comparison with it holds. */
function instantOf(timestamp: string | null | undefined): number {
  return Date.parse(timestamp ?? '')
}

function total(amounts: readonly Money[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

function compare(is: Sums, should: Sums): string[] {
  return [...new Set([...Object.keys(is), ...Object.keys(should)])].flatMap((name) =>
    is[name] === should[name] ? [] : [`${name} is ${String(is[name])}, not ${String(should[name])}`],
  )
}

type Purchase = CustomerBooks['purchases'][number]

/** Gives so much more back for a purchase, as its answer, its list, its problem and its wallet would tell it. */
function refundMore(
  { played, told, listed }: Purchase,
  wallets: CustomerBooks['wallets'],
  more: number,
): void {
  for (const answer of [told, listed]) {
    if (answer === null) continue
    const back = { amount: total(answer.refunds.map(({ amount }) => amount)) + more, currency: 'GBP' }
    const destination = played.method === 'cash' ? 'platform_wallet' : 'original_method'
    const refunds = [{ amount: back, status: 'succeeded', destination }]
    Object.assign(answer, { refunds, refund: refunds[0], refunded: back })
    answer.problems = [{ amount: back, goodwill: null, refund_id: 'rfd_planted' }]
    if (answer.payment !== null) answer.payment.status = 'partially_refunded'
  }
  const wallet = wallets.find(({ account }) => account === played.as)
  if (wallet === undefined || played.method === 'card') return
  wallet.balance.amount += more
  const amount = { amount: more, currency: 'GBP' }
  wallet.entries.unshift({ kind: 'refund', direction: 'in', amount, resource_id: played.id })
}

function findPurchase(
  { purchases }: CustomerBooks,
  what: string,
  isSuch: (purchase: Purchase) => boolean | undefined,
): Purchase {
  const found = purchases.find(isSuch)
  if (found === undefined) throw new Error(`the month has no ${what}`)
  return found
}

const isRefunded = ({ told }: Purchase) => told.refunds.length > 0

/** Faults of a service, each planted in books where everything else goes on holding. */
export const CUSTOMER_FAULTS: Readonly<Record<string, (books: CustomerBooks) => void>> = {
  'half of the fare for 10 minutes': (books) => {
    const inTime = findPurchase(books, 'ride in time', ({ played, told }) => {
      const lateness = instantOf(lastAt(told, 'arrived')) - instantOf(told.promised_pickup_at)
      return played.kind === 'ride' && lateness === 10 * MINUTE
    })
    for (const step of inTime.played.steps) step.answer = 'ok'
    refundMore(inTime, books.wallets, Math.floor(inTime.played.price / 2))
  },
  'a share that is rounded up': (books) => {
    const late = findPurchase(
      books,
      'late ride',
      ({ played, told }) => played.kind === 'ride' && told.problems.length > 0,
    )
    refundMore(late, books.wallets, 1)
  },
  'goodwill that is given twice': (books) => {
    const wallet = books.wallets.find(({ entries }) => entries.some(({ kind }) => kind === 'goodwill'))
    const entry = wallet?.entries.find(({ kind }) => kind === 'goodwill')
    if (wallet === undefined || entry === undefined) throw new Error('the month has no goodwill')
    wallet.entries.unshift(structuredClone(entry))
    wallet.balance.amount += entry.amount.amount
  },
  'a missed visit without its refund': (books) => {
    const missed = findPurchase(
      books,
      'missed visit',
      ({ played, told }) => played.kind === 'visit' && told.problems.length > 0,
    )
    Object.assign(missed.told, { refunds: [], refund: null, refunded: null })
    if (missed.told.payment !== null) missed.told.payment.status = 'paid'
  },
  'cash that goes to a card': (books) => {
    const cash = findPurchase(
      books,
      'refund of cash',
      (each) => each.played.method === 'cash' && isRefunded(each),
    )
    for (const refund of cash.told.refunds) refund.destination = 'original_method'
  },
  'more than was paid': (books) => {
    const run = findPurchase(books, 'refunded run', (each) => each.played.kind === 'run' && isRefunded(each))
    refundMore(run, books.wallets, run.played.price)
  },
  'a report that was too late': (books) => {
    const late = findPurchase(books, 'report that came too late', ({ played }) =>
      played.steps.some(({ answer }) => answer === 'problem_window_over'),
    )
    for (const step of late.played.steps) step.answer = 'ok'
    refundMore(late, books.wallets, late.played.price)
  },
  'a list that knows no refund': (books) => {
    const { listed } = findPurchase(
      books,
      'refunded ride',
      (each) => each.played.kind === 'ride' && isRefunded(each),
    )
    Object.assign(listed ?? {}, { refunds: [], refund: null, refunded: null })
  },
}

/** Returns books with one of `CUSTOMER_FAULTS`. */
export function plantCustomerFault(books: CustomerBooks, name: string): CustomerBooks {
  const planted = structuredClone(books)
  CUSTOMER_FAULTS[name]?.(planted)
  return planted
}
