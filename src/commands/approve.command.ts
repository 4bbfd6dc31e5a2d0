import { TIERS } from '../areas/rides/states.ts'
import type { CommandContext } from '../cli/cli.ts'
import { ConfirmationDeclined } from '../cli/declined.ts'
import { defineCommand } from '../cli/define-command.ts'
import { assertPriceWithinLimit, formatPlainAmount } from '../cli/max-total.ts'
import { renderOptionsOf } from '../cli/output/render-options-of.ts'
import { printResult } from '../cli/print.ts'
import { equivalentCommand } from '../cli/prompts.ts'
import { quoteText } from '../cli/quote-text.ts'
import { AppError, EXIT } from '../core/errors.ts'
import { formatGroupedMoney } from '../core/money.ts'
import { isPurchaseApproved, writeApproval } from '../local-state/approvals.ts'
import type { Purchase } from '../local-state/approvals.ts'
import { PURCHASE_NOUNS, findKnownQuote } from '../local-state/quotes.ts'
import { findCreatedByQuote } from '../local-state/recent.ts'
import { approvalNameOf, findRequest, listOpen } from './approvals.ts'
import type { ApprovalRequest } from './approvals.ts'

const SHARED_FIELDS = [
  'approval_id',
  'quote_id',
  'what',
  'total.amount',
  'total.currency',
  'expires_at',
  'profile',
  'account',
]
const WAITING = [...SHARED_FIELDS, 'state', 'asked_by']
const APPROVED = [...SHARED_FIELDS, 'operation', 'tier']
const PURCHASE = { field: 'approval_id', label: 'Purchase' }
const HOLDS_UNTIL = { field: 'expires_at', label: 'Expires' }

/** `dray approve`: a person approves a purchase that an agent wants to make. */
export const approve = defineCommand({
  words: 'approve',
  summary: 'Approve one purchase by an agent',
  description:
    'For agents whose MCP client cannot ask you (`dray mcp`). Shows the itemised price and all arguments of the agent’s call, then asks. After approval the agent can make exactly this call, once, at this price, until the quote expires, or for a day if there is no quote. A call with other arguments needs another approval. Without a name it lists pending purchases. Without a terminal --yes needs a --max-total.',
  danger: 'spend',
  answer: ({ purchase }) => ({ fields: purchase === undefined ? WAITING : APPROVED }),
  takes: ['dry-run'],
  positionals: [
    {
      name: 'purchase',
      description: 'quote or apr_ ID that the agent names. Default: list pending purchases',
    },
  ],
  flags: [
    { flag: 'max-total', kind: 'text', value: '25.00', description: 'agree to no more than this' },
    {
      flag: 'tier',
      kind: 'enum',
      choices: TIERS,
      description: 'ride tier, if an agent asks for several of one quote',
    },
  ],
  examples: [
    'dray approve',
    'dray approve quo_01m7vkystge8kbcf2tpy8vep2a',
    'dray approve quo_01m7vkystge8kbcf2tpy8vep2a --yes --max-total 30.00',
  ],
  run: (cli, { purchase, tier, 'max-total': limit }) =>
    purchase === undefined ? list(cli) : decide(cli, purchase, tier, limit ?? cli.settings.maxTotal),
})

async function list(cli: CommandContext): Promise<number> {
  const { runtime } = cli
  const all = await listOpen(cli)
  const data = all.map((waiting) => {
    const { purchase, client, service_time, declined = false } = waiting
    const { quote_id, total, expires_at, profile, account, about, adds } = purchase
    const approval_id = approvalNameOf(purchase, all)
    const what = nameOf(purchase)
    const open = declined ? 'declined' : 'waiting'
    const state = isPurchaseApproved(runtime, purchase, service_time) ? 'approved' : open
    const row = { approval_id, quote_id, what, total, state, expires_at, profile, account, asked_by: client }
    return { ...row, about: [...about, ...adds] }
  })
  const next = data.find(({ state }) => state === 'waiting')
  await printResult(
    cli,
    { data, has_more: false, next_cursor: null },
    {
      list: true,
      columns: [
        PURCHASE,
        { field: 'what' },
        { field: 'total' },
        { field: 'state' },
        HOLDS_UNTIL,
        { field: 'profile' },
        { field: 'account' },
        { field: 'asked_by' },
      ],
      empty: 'No pending approvals.',
      ...(next !== undefined && { next: `dray approve ${next.approval_id}` }),
    },
  )
  return EXIT.ok
}

async function decide(
  cli: CommandContext,
  id: string,
  asked: string | undefined,
  limit: string | undefined,
): Promise<number> {
  const { globals, runtime } = cli
  const request = await findRequest(cli, id, asked ?? null)
  const { purchase } = request
  assertOpen(cli, request)
  assertMayAnswer(cli, request, limit)
  if (limit !== undefined) assertPriceWithinLimit(purchase.total, limit, 'Nothing was approved.')
  await printPriceBreakdown(cli, request)
  if (globals.dryRun) {
    await cli.say('Dry run: nothing was approved.')
    return EXIT.ok
  }
  await ask(cli, request)
  writeApproval(runtime, purchase)
  const { approval_id, quote_id, operation, tier, total, expires_at, profile, account } = purchase
  const about = [...purchase.about, ...purchase.adds]
  const what = nameOf(purchase)
  await printResult(
    cli,
    { approval_id, quote_id, what, operation, tier, total, expires_at, profile, account, about },
    {
      columns: [
        PURCHASE,
        { field: 'what' },
        { field: 'total' },
        HOLDS_UNTIL,
        { field: 'profile' },
        { field: 'account' },
      ],
      done: 'Approved: the agent can buy it once, for {total}. Tell the agent to continue.',
    },
  )
  return EXIT.ok
}

/** Returns the resource and its tier: `ride (xl)`. */
function nameOf({ operation, tier }: Purchase): string {
  return `${PURCHASE_NOUNS[operation] ?? operation}${tier === null ? '' : ` (${tier})`}`
}

/** Throws AppError('quote_already_used' | 'quote_expired') when the approval would have no effect. */
function assertOpen({ runtime }: CommandContext, { purchase, left }: ApprovalRequest): void {
  const { quote_id, service } = purchase
  const bought = quote_id === null ? undefined : findCreatedByQuote(runtime, service, quote_id)
  if (bought !== undefined) {
    throw new AppError(
      'quote_already_used',
      `This quote was already used for ${bought.id}. Nothing was approved.`,
      { hint: 'To buy again, let the agent get a new quote.', extra: { quote_id, id: bought.id } },
    )
  }
  if (left() <= 0) throw over(purchase)
}

/** Throws AppError('not_confirmed') before anything is shown, when no person can answer. */
function assertMayAnswer(
  { settings, globals, argv }: CommandContext,
  { purchase, isProtected }: ApprovalRequest,
  limit?: string,
): void {
  const { profile } = purchase
  if (isProtected && !globals.confirm.includes(profile)) {
    throw new AppError('not_confirmed', `The profile ${profile} is protected. Nothing was approved.`, {
      hint: `Add --confirm ${profile} to continue: ${equivalentCommand(argv, [{ flag: '--confirm', value: profile }])}`,
    })
  }
  if (settings.yes && limit === undefined) {
    throw new AppError(
      'not_confirmed',
      'Approve at any price? --yes needs a --max-total here. Nothing was approved.',
      {
        hint: `Set a limit: ${equivalentCommand(argv, [{ flag: '--max-total', value: formatPlainAmount(purchase.total) }])}`,
      },
    )
  }
}

/** Shows the price item by item to people; scripts get only the approved purchase. */
async function printPriceBreakdown(
  cli: CommandContext,
  { purchase, client }: ApprovalRequest,
): Promise<void> {
  const { io, runtime, globals, settings } = cli
  const isShown = (io.stderr.isTTY || globals.dryRun) && !globals.quiet && settings.format === 'table'
  if (!isShown) return
  const { quote_id, tier, service, profile, account, about, adds } = purchase
  const known = quote_id === null ? undefined : findKnownQuote(runtime, service, quote_id)
  const bill =
    known === undefined ? [] : [await quoteText(known.quote, tier, renderOptionsOf(cli, 'stderr')), '']
  // The bill has the total; how it is paid is in the last line about the purchase.
  const rest = known === undefined ? about : about.slice(-1)
  const who = `${client ?? 'An agent'} wants to buy this with the profile ${profile}${account === null ? '' : ` as ${account}`}.`
  await cli.say([...bill, ...rest, ...adds, '', who, ''].join('\n').trimStart())
}

/** Asks for the approval. Throws AppError('not_confirmed' | 'quote_expired'). */
async function ask(cli: CommandContext, { purchase, left }: ApprovalRequest): Promise<void> {
  if (cli.settings.yes) return
  const message = `Let the agent buy this ${nameOf(purchase)} for ${formatGroupedMoney(purchase.total)}?`
  const questions = await cli.ask()
  if (questions === undefined) {
    const said = [{ flag: '--yes' }, { flag: '--max-total', value: formatPlainAmount(purchase.total) }]
    throw new AppError(
      'not_confirmed',
      `${message} Confirmation required, but this is not a terminal; nothing changed.`,
      {
        hint: `Confirm it with --yes and --max-total: ${equivalentCommand(cli.argv, said)}`,
      },
    )
  }
  const agreed = await questions.confirmWithin({ message, left })
  if (agreed === undefined) throw over(purchase)
  if (!agreed) throw new ConfirmationDeclined('Not approved; the agent cannot buy it.')
  cli.answered.push({ flag: '--yes' }, { flag: '--max-total', value: formatPlainAmount(purchase.total) })
}

function over({ total }: Purchase): AppError {
  return new AppError(
    'quote_expired',
    `The quote of ${formatGroupedMoney(total)} has expired. Nothing was approved.`,
    {
      hint: 'Let the agent get a new quote.',
    },
  )
}
