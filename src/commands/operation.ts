import type { CommandContext } from '../cli/cli.ts'
import { type Args, type CommandSpec, type OperationHints, readTextArgument } from '../cli/command.ts'
import { buildInput, findMissingArguments } from '../cli/input.ts'
import type { InputWorld } from '../cli/input.ts'
import { printResult, printSummary } from '../cli/print.ts'
import type { CallResult } from '../client/client.ts'
import { firstWithRows, type CursorPage, readRemainingPages } from '../client/pages.ts'
import { AppError, EXIT } from '../core/errors.ts'
import type { Money } from '../core/money.ts'
import { isRecord } from '../core/record.ts'
import { hasFieldSelection } from '../core/views.ts'
import { RESOURCES } from '../generated/resources.ts'
import type { Quote } from '../local-state/quotes.ts'
import type { ItemCall } from './business/item/change-item.ts'

/**
 * Runs the command of an operation: builds the input from flags, calls, and prints the response in the requested form.
 */
export async function runOperation(cli: CommandContext, args: Args): Promise<number> {
  const { operation } = cli.spec
  if (operation === undefined) throw new Error(`${cli.spec.words} is not the command of an operation`)
  const named = await nameThing(cli, args)
  const { input, said } = await readOperationInput(cli, named.args)
  if (operation.name === 'create_shipment' || operation.name === 'quote_rates')
    await (await import('./carrier/warn.ts')).warnOfParcel(cli, input)
  if (operation.plane === 'sandbox')
    return (await import('./sandbox/call-control.ts')).callControl(cli, operation.name, input)
  if (RESOURCES.catalog_item.changes?.includes(operation.name)) {
    const source = named.args['modifiers'] === undefined ? 'body' : 'flag'
    return changeItem(cli, { operation, input, said, source })
  }
  if (operation.buys) return callOperation(cli, operation, { input, said }, () => agree(cli, input, args))
  if (!operation.read && !cli.globals.dryRun) await confirm(cli, input, named.name)
  return callOperation(cli, operation, { input, said }, () => agreeToItem(cli, operation, input))
}

/** Asks before a new item goes on sale for nothing, or far from the price of the one that it replaces. */
async function agreeToItem(
  cli: CommandContext,
  operation: OperationHints,
  input: Record<string, unknown>,
): Promise<undefined> {
  if (operation.name !== 'create_catalog_item') return
  const doubts = await import('./business/menu/doubts.ts')
  await doubts.agreeToFreeItem(cli, input)
  await doubts.agreeToMovedItem(cli, input)
}

/** Shows the price of a purchase before sending it; returns the total that the person agreed to. */
async function agree(
  cli: CommandContext,
  input: Record<string, unknown>,
  args: Args,
): Promise<Money | undefined> {
  const { confirmPurchase } = await import('../cli/confirm-purchase.ts')
  return confirmPurchase(cli, cli.spec.operation?.name ?? '', input, args)
}

async function changeItem(cli: CommandContext, sending: ItemCall): Promise<number> {
  const changing = await import('./business/item/change-item.ts')
  return changing.runItemChange(cli, sending, {
    send: ({ operation, input, said }) => callOperation(cli, operation, { input, said }),
    print: async ({ value, replayed }) => {
      await printAnswer(cli, sending.operation, value, replayed)
      return EXIT.ok
    },
  })
}

/**
 * Lets a customer name an order by its number, or by no argument for the only one, a sender a parcel by its reference,
 * and a merchant an item by answers.
 */
async function nameThing(cli: CommandContext, args: Args): Promise<{ args: Args; name?: string }> {
  const { positionals, words } = cli.spec
  const takes = (id: string): boolean => positionals.some(({ field }) => field === id)
  if (words.startsWith('food ') && takes('order_id'))
    return (await import('./food/find-order.ts')).nameOrder(cli, args)
  if (takes('tracking_number')) return (await import('./carrier/find-parcel.ts')).nameParcel(cli, args)
  if (/^business catalog (?:create|update)$/.test(words))
    return { args: await (await import('./business/item/ask-item.ts')).askItem(cli, args) }
  return { args }
}

/** Asks for the name before an irreversible change, or for the profile's name when the profile is protected. */
async function confirm(cli: CommandContext, input: Record<string, unknown>, name?: string): Promise<void> {
  if (cli.spec.danger !== 'destructive' && !cli.settings.protected) return
  const { confirmName, assertProfileConfirmed, confirmYes, namesGiven } = await import('../cli/confirm.ts')
  const field = cli.spec.positionals[0]?.field
  if (cli.spec.danger === 'destructive' && field !== undefined) {
    const what = name ?? String(input[field])
    const { cancelsPurchase } = await import('./cancelling.ts')
    return cancelsPurchase(cli.spec.operation?.name ?? '')
      ? confirmCancelling(cli, input, what)
      : confirmName(cli, what, undefined, [String(input[field])])
  } else if (cli.spec.danger === 'destructive') {
    // `dray api` has no argument that names the thing: a field of the input does.
    const named = Object.values(input).filter((value) => typeof value === 'string')
    if (namesGiven(cli).some((name) => named.includes(name))) return assertProfileConfirmed(cli)
    await confirmYes(cli, `${cli.spec.summary}? This cannot be undone.`)
  } else await assertProfileConfirmed(cli)
}

/** Asks with the price and what goes back. The service refuses, without a question, to cancel a thing that has ended. */
async function confirmCancelling(
  cli: CommandContext,
  input: Record<string, unknown>,
  what: string,
): Promise<void> {
  const { confirmPrice, assertProfileConfirmed, namesGiven } = await import('../cli/confirm.ts')
  // `--confirm` answers the question already, so the cost is not shown.
  const isAnswered = namesGiven(cli).length > 0
  const cost = isAnswered ? '' : await costOf(cli, input)
  if (cost === undefined) return assertProfileConfirmed(cli)
  const id = String(input[cli.spec.positionals[0]?.field ?? ''])
  await confirmPrice(cli, what, `${what}. ${cost} Cancel it?`, [id])
}

/** Returns a sentence about what cancelling costs or brings back; undefined for any other operation. */
async function costOf(cli: CommandContext, input: Record<string, unknown>): Promise<string | undefined> {
  const name = cli.spec.operation?.name ?? ''
  const { cancelsPurchase, consequenceOf } = await import('./cancelling.ts')
  const field = cli.spec.positionals[0]?.field ?? ''
  return cancelsPurchase(name) ? consequenceOf(await cli.client(), name, String(input[field])) : undefined
}

/**
 * Calls an operation with a complete input and prints the response. `said` is the user's own input: it identifies the
 * same call again when a response was lost.
 */
export async function callOperation(
  cli: CommandContext,
  operation: OperationHints,
  { input, said }: { input: Record<string, unknown>; said: unknown },
  agree?: () => Promise<Money | undefined>,
): Promise<number> {
  if (operation.read) return readOperation(cli, operation, input)
  if (cli.globals.dryRun) {
    await printResult(cli, { operation: operation.name, input }, { columns: [] })
    const cost = await costOf(cli, input)
    const { previewTouched } = await import('./touched.ts')
    const touched = await previewTouched(cli, operation.name, input)
    await cli.say(['Dry run: nothing was sent.', cost ?? touched ?? ''].join(' ').trimEnd())
    return EXIT.ok
  }
  const { callOnce } = await import('../cli/calls/call-once.ts')
  return callOnce(
    cli,
    said,
    { operation: operation.name, input },
    {
      use: async (answer) => {
        if (cli.globals.wait) return printEnd(cli, operation, answer)
        await printAnswer(cli, operation, answer.value, answer.replayed)
        await printTouchedOrders(cli, answer)
        return EXIT.ok
      },
      agree,
    },
  )
}

/** Says which open orders a change of the hours or of the menu touches. */
async function printTouchedOrders(cli: CommandContext, { value, serviceTime }: CallResult): Promise<void> {
  if (!Object.hasOwn(Object(value), 'touched_orders')) return
  const { touchedWords } = await import('./touched.ts')
  const words = await touchedWords(value, serviceTime.now)
  if (words !== undefined) await cli.say(words)
}

/** `--wait`: reports the call at once, and prints the result when it has ended. */
async function printEnd(cli: CommandContext, operation: OperationHints, answer: CallResult): Promise<number> {
  const { waitAndPrint } = await import('../cli/track/wait.ts')
  await printSummary(cli, answer.value, operation.done)
  const { done: _, next: __, ...hints } = operation
  return waitAndPrint(cli, operation.name, answer, (value) => printAnswer(cli, hints, value, false))
}

async function readOperation(
  cli: CommandContext,
  operation: OperationHints,
  input: Record<string, unknown>,
): Promise<number> {
  const client = await cli.client()
  const { scenario } = cli.globals
  const call = async (extra: Record<string, unknown> = {}): Promise<unknown> => {
    const options = scenario === undefined ? {} : { scenario }
    return (await client.call(operation.name, { ...input, ...extra }, options)).value
  }
  const first = await call()
  const { quote_id, expires_at } = first as Partial<Quote>
  if (quote_id !== undefined && expires_at !== undefined && !hasFieldSelection(input)) {
    // The quote is stored, so that confirming it later can show its price.
    const { rememberQuote } = await import('../cli/quotes.ts')
    rememberQuote(cli, { quote: first as Quote, operation: operation.name, input })
  }
  const next = async (cursor: string): Promise<CursorPage<unknown>> =>
    (await call({ cursor })) as CursorPage<unknown>
  const shown = operation.list ? await listed(first as CursorPage<unknown>, next, cli.globals.all) : first
  await printAnswer(cli, operation, shown, false)
  return EXIT.ok
}

async function printAnswer(
  cli: CommandContext,
  operation: OperationHints,
  value: unknown,
  replayed: boolean,
): Promise<void> {
  await printResult(cli, value, { ...operation, replayed })
}

/** Returns all rows, or the first page that has any. */
async function listed(
  first: CursorPage<unknown>,
  next: (cursor: string) => Promise<CursorPage<unknown>>,
  all: boolean | undefined,
): Promise<CursorPage<unknown>> {
  if (all !== true) return firstWithRows(first, next)
  return { ...first, data: await readRemainingPages(first, next), has_more: false, next_cursor: null }
}

/** `said`: the flags and answers as typed, and the file. */
export async function readOperationInput(
  cli: CommandContext,
  given: Args,
): Promise<{ input: Record<string, unknown>; said: unknown }> {
  const { spec, globals } = cli
  const world: InputWorld = {
    currency: 'GBP',
    moment: async (typed) => (await import('../cli/moment.ts')).readMoment(cli, typed),
    modifiers: async (typed, currency) =>
      (await import('./business/menu/modifiers.ts')).parseModifierGroups(typed, currency),
  }
  const base = await readInputFile(cli, given)
  const named = await lastMeant(cli, given)
  const args = findMissingArguments(spec, named, base).includes('--near') ? await nearIn(cli, named) : named
  const missing = findMissingArguments(spec, args, base)
  const complete =
    missing.length === 0
      ? args
      : await (await import('../cli/ask-missing.ts')).askMissing(cli, args, missing, world)
  assertChoices(spec, complete)
  const paging = {
    ...(globals.limit !== undefined ? { limit: globals.limit } : globals.all && { limit: 100 }),
    ...(globals.cursor !== undefined && { cursor: globals.cursor }),
  }
  const input = merge(base, { ...(await buildInput(spec, complete, world)), ...paging })
  return { input, said: [complete, base] }
}

/** Checks plain arguments against their choices; the parser checks flags only. Throws AppError('usage'). */
function assertChoices({ positionals }: CommandSpec, args: Args): void {
  for (const { name, choices } of positionals) {
    const value = readTextArgument(args, name)
    if (choices === undefined || value === undefined || choices.includes(value)) continue
    throw new AppError(
      'usage',
      `<${name}> must be one of ${choices.join(', ')}, not ${JSON.stringify(value.slice(0, 40))}.`,
    )
  }
}

/** With the id of the last one in the place of `last`; what only reads means that one without a word, too. */
async function lastMeant(cli: CommandContext, args: Args): Promise<Args> {
  const [positional] = cli.spec.positionals
  if (positional?.last === undefined) return args
  const typed = args[positional.name]
  if (typed !== 'last' && (typed !== undefined || cli.spec.operation?.read !== true)) return args
  const { namedOrLast } = await import('../cli/calls/last.ts')
  return {
    ...args,
    [positional.name]: await namedOrLast(cli, readTextArgument(args, positional.name), positional.name),
  }
}

/** Uses a point in the City of London in a sandbox, when the user names no place. */
async function nearIn(cli: CommandContext, args: Args): Promise<Args> {
  const { canUseTestCards } = await import('../cli/payment.ts')
  if (!canUseTestCards(cli)) return args
  const { SANDBOX_POINT } = await import('../cli/places.ts')
  await cli.say('Searching near the City of London (sandbox default). Use --near to change it.')
  return { ...args, near: `${SANDBOX_POINT.latitude},${SANDBOX_POINT.longitude}` }
}

/** `--input FILE|-` of `dray api`: reads the whole input as JSON; flags add to it. */
async function readInputFile(cli: CommandContext, args: Args): Promise<Record<string, unknown>> {
  const file = args['input']
  if (typeof file !== 'string') return {}
  const { readJsonInput } = await import('../cli/json-input.ts')
  return readJsonInput(cli, file)
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] = isRecord(before) && isRecord(value) ? merge(before, value) : value
  }
  return merged
}
