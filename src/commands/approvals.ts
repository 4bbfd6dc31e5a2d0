/** Finds the purchase that `dray approve` is about: one that an agent requested. */
import type { CommandContext } from '../cli/cli.ts'
import { shownTarget } from '../cli/explain.ts'
import { findQuote } from '../cli/quotes.ts'
import type { ServiceTime } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { differingParts, listPaths } from '../core/input-hashes.ts'
import { toCallApprovalId, listPendingApprovals, millisecondsLeft } from '../local-state/approvals.ts'
import type { Purchase, PendingApproval } from '../local-state/approvals.ts'
import { QUOTE_OPERATIONS } from '../local-state/quotes.ts'
import { findCreatedByQuote } from '../local-state/recent.ts'

export type ApprovalRequest = {
  purchase: Purchase
  isProtected: boolean
  /** The name that the MCP client gives itself. */
  client: string | null
  /** Returns the milliseconds until the price expires, as far as this machine can tell. */
  left(): number
}

/** Finds the purchase of an id. Throws AppError('quote_not_found' | 'usage'). */
export async function findRequest(
  cli: CommandContext,
  id: string,
  tier: string | null,
): Promise<ApprovalRequest> {
  const { runtime } = cli
  const waiting = choose(cli, id, tier)
  if (waiting === undefined) throw nobodyAsked(cli, id)
  const { purchase, protected: isProtected, client } = waiting
  const time = await serviceTime(cli, purchase)
  const left =
    time === undefined ? () => millisecondsLeft(waiting, runtime.now()) : leftOf(cli, purchase, time)
  return { purchase, isProtected, client, left }
}

/** A quote alone cannot be approved: who it is for and how it is paid stand in the call of the agent. */
function nobodyAsked(cli: CommandContext, id: string): AppError {
  const known = findQuote(cli, id)
  const operation =
    known && Object.keys(QUOTE_OPERATIONS).find((each) => QUOTE_OPERATIONS[each] === known.operation)
  return new AppError('quote_not_found', `No pending agent purchase matches ${id.slice(0, 60)}.`, {
    hint:
      operation === undefined
        ? '`dray approve` lists pending purchases; those with an expired quote are gone.'
        : `An approval is for one exact call. Let the agent call ${operation} first, then run this again.`,
  })
}

/** Returns the requested purchases that can still be made, newest first. */
export async function listOpen(cli: CommandContext): Promise<PendingApproval[]> {
  const { runtime } = cli
  const all = listPendingApprovals(runtime, runtime.now()).filter(
    ({ purchase: { service, quote_id } }) =>
      quote_id === null || findCreatedByQuote(runtime, service, quote_id) === undefined,
  )
  const own = all.find(({ purchase }) => isOwn(cli, purchase))
  const time = own && (await serviceTime(cli, own.purchase))
  if (time === undefined) return all
  return all.filter(({ purchase }) => !isOwn(cli, purchase) || leftOf(cli, purchase, time)() > 0)
}

/** Returns the service's clock, which may have been set since; undefined when a remote service does not answer. */
async function serviceTime(cli: CommandContext, purchase: Purchase): Promise<ServiceTime | undefined> {
  if (!isOwn(cli, purchase)) return undefined
  try {
    return await (await cli.client()).serviceTime()
  } catch (error) {
    if (error instanceof AppError && cli.settings.target.kind === 'remote') return undefined
    throw error
  }
}

function isOwn({ settings }: CommandContext, { service }: Purchase): boolean {
  return shownTarget(settings.target).address === service
}

function leftOf(
  { runtime }: CommandContext,
  { expires_at }: Pick<Purchase, 'expires_at'>,
  { now, frozen }: ServiceTime,
): () => number {
  const start = runtime.elapsed()
  return () => Date.parse(expires_at) - now - (frozen ? 0 : runtime.elapsed() - start)
}

/**
 * Returns the request of an id: the one for the service of this command, else the only one. Throws AppError('usage').
 */
function choose(
  { runtime, settings }: CommandContext,
  id: string,
  tier: string | null,
): PendingApproval | undefined {
  const all = listPendingApprovals(runtime, runtime.now()).filter(
    ({ purchase }) =>
      (purchase.approval_id === id || toCallApprovalId(purchase) === id) &&
      (tier === null || purchase.tier === tier),
  )
  const { profile, target, sources } = settings
  const { address } = shownTarget(target)
  const own = all.filter(({ purchase }) => purchase.profile === profile && purchase.service === address)
  const [first, second] = own.length > 0 || sources.profile === 'flag' ? own : all
  if (first === undefined || second === undefined) return first
  throw new AppError('usage', `Several pending purchases match ${id.slice(0, 60)}.`, {
    hint: howToChoose(first.purchase, second.purchase),
  })
}

function howToChoose(one: Purchase, other: Purchase): string {
  if (one.profile !== other.profile) return 'Choose the profile with --profile.'
  if (one.tier !== other.tier) return 'Choose the ride with --tier.'
  const differing = listPaths(differingParts(one.input_parts, other.input_parts))
  return `They differ in ${differing}. Choose one: dray approve ${toCallApprovalId(one)}, or dray approve ${toCallApprovalId(other)}.`
}

/** Returns the name by which `dray approve` finds this purchase alone: the quote, unless several calls confirm it. */
export function approvalNameOf(purchase: Purchase, waiting: readonly PendingApproval[]): string {
  const { approval_id } = purchase
  const those = waiting.filter((each) => each.purchase.approval_id === approval_id)
  return those.length > 1 ? toCallApprovalId(purchase) : approval_id
}
