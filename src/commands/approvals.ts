/** Finds the purchase that `dray approve` is about: one that an agent requested, or a quote made on this machine. */
import type { Cli } from '../cli/cli.ts'
import { shownTarget } from '../cli/explain.ts'
import { missingInput } from '../cli/prompts.ts'
import { findQuote } from '../cli/quotes.ts'
import type { ServiceTime } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { listWaiting, millisecondsLeft } from '../journal/approvals.ts'
import type { Purchase, Waiting } from '../journal/approvals.ts'
import { QUOTED_BY, totalOf } from '../journal/quotes.ts'
import type { KnownQuote } from '../journal/quotes.ts'
import { findBought } from '../journal/recent.ts'

export type Request = {
  purchase: Purchase
  isProtected: boolean
  /** The name that the agent's program gives itself. */
  client: string | null
  /** Returns the milliseconds until the price expires, as far as this machine can tell. */
  left(): number
}

/** Finds the purchase of an id. Throws AppError('quote_not_found' | 'usage' | 'tier_not_quoted'). */
export async function findRequest(cli: Cli, id: string, tier: string | null): Promise<Request> {
  const { runtime } = cli
  const waiting = choose(cli, id, tier)
  if (waiting !== undefined) {
    const { purchase, protected: isProtected, client } = waiting
    const time = await serviceTime(cli, purchase)
    const left =
      time === undefined ? () => millisecondsLeft(waiting, runtime.now()) : leftOf(cli, purchase, time)
    return { purchase, isProtected, client, left }
  }
  const known = findQuote(cli, id)
  if (known === undefined) {
    throw new AppError('quote_not_found', `No agent asked to buy ${id.slice(0, 60)} here.`, {
      hint: '`dray approve` lists what waits; an expired quote waits no more.',
    })
  }
  return inAdvance(cli, known, tier)
}

/** Returns the requested purchases that can still be made, newest first. */
export async function listOpen(cli: Cli): Promise<Waiting[]> {
  const { runtime } = cli
  const all = listWaiting(runtime, runtime.now()).filter(
    ({ purchase: { service, quote_id } }) =>
      quote_id === null || findBought(runtime, service, quote_id) === undefined,
  )
  const own = all.find(({ purchase }) => isOwn(cli, purchase))
  const time = own && (await serviceTime(cli, own.purchase))
  if (time === undefined) return all
  return all.filter(({ purchase }) => !isOwn(cli, purchase) || leftOf(cli, purchase, time)() > 0)
}

/** Returns the service's clock, which may have been set since; undefined when a remote service does not answer. */
async function serviceTime(cli: Cli, purchase: Purchase): Promise<ServiceTime | undefined> {
  if (!isOwn(cli, purchase)) return undefined
  try {
    return await (await cli.client()).serviceTime()
  } catch (error) {
    if (error instanceof AppError && cli.settings.target.kind === 'remote') return undefined
    throw error
  }
}

function isOwn({ settings }: Cli, { service }: Purchase): boolean {
  return shownTarget(settings.target).address === service
}

function leftOf(
  { runtime }: Cli,
  { expires_at }: Pick<Purchase, 'expires_at'>,
  { now, frozen }: ServiceTime,
): () => number {
  const start = runtime.elapsed()
  return () => Date.parse(expires_at) - now - (frozen ? 0 : runtime.elapsed() - start)
}

/**
 * Returns the request of an id: the one for the service of this command, else the only one. Throws AppError('usage').
 */
function choose({ runtime, settings }: Cli, id: string, tier: string | null): Waiting | undefined {
  const all = listWaiting(runtime, runtime.now()).filter(
    ({ purchase }) => purchase.approval_id === id && (tier === null || purchase.tier === tier),
  )
  const { profile, target, sources } = settings
  const { address } = shownTarget(target)
  const own = all.filter(({ purchase }) => purchase.profile === profile && purchase.service === address)
  const [first, second] = own.length > 0 || sources.profile === 'flag' ? own : all
  if (second === undefined) return first
  throw new AppError('usage', `Several agents ask for ${id.slice(0, 60)}.`, {
    hint:
      second.purchase.profile === first?.purchase.profile
        ? 'Say which ride with --tier.'
        : 'Say which profile with --profile.',
  })
}

/** Returns a quote made on this machine that no agent has requested yet. */
async function inAdvance(
  cli: Cli,
  { quote, operation: quotedBy }: KnownQuote,
  tier: string | null,
): Promise<Request> {
  const { settings } = cli
  const operation = Object.keys(QUOTED_BY).find((each) => QUOTED_BY[each] === quotedBy) ?? ''
  const isRide = operation === 'request_ride'
  if (isRide && tier === null)
    throw missingInput(cli.argv, [
      { flag: '--tier', value: 'economy', description: 'which ride of the quote' },
    ])
  const total = totalOf(quote, tier)
  if (total === undefined)
    throw new AppError('tier_not_quoted', `${tier} is not among the fares of the quote.`)
  const time = await (await cli.client()).serviceTime()
  return {
    purchase: {
      approval_id: quote.quote_id,
      quote_id: quote.quote_id,
      operation,
      tier: isRide ? tier : null,
      total,
      expires_at: quote.expires_at,
      profile: settings.profile,
      service: shownTarget(settings.target).address,
      account: settings.target.account ?? null,
      about: [],
    },
    isProtected: settings.protected,
    client: null,
    left: leftOf(cli, quote, time),
  }
}
