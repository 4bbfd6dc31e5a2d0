import { type Page, readRest } from '../../client/pages.ts'
import { EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { Args, OperationHints } from '../command.ts'
import { buildInput, findMissing } from '../input.ts'
import type { InputWorld } from '../input.ts'
import { printResult } from '../print.ts'

/** The command of any operation: flags to input, the call, the answer as asked for. */
export async function runOperation(cli: Cli, args: Args): Promise<number> {
  const { operation } = cli.spec
  if (operation === undefined) throw new Error(`${cli.spec.words} is not the command of an operation`)
  const order = cli.spec.words.startsWith('food ') ? await orderNamed(cli, args) : { args }
  const { input, said } = await readInput(cli, order.args)
  const item = await itemNamed(cli, input)
  if (item !== undefined) input['item_id'] = item.item_id
  if (!operation.read && !cli.globals.dryRun) await confirm(cli, input, item?.name ?? order.name)
  return callOperation(cli, operation, input, said)
}

/** What a customer says for an order is its number, or nothing. */
async function orderNamed(cli: Cli, args: Args): Promise<{ args: Args; name?: string }> {
  if (!cli.spec.positionals.some(({ field }) => field === 'order_id')) return { args }
  return (await import('../food/find-order.ts')).nameOrder(cli, args)
}

/** What a person says for an item of the own menu is its name. */
async function itemNamed(
  cli: Cli,
  { item_id: typed }: Record<string, unknown>,
): Promise<{ item_id: string; name: string } | undefined> {
  if (!cli.spec.positionals.some(({ field }) => field === 'item_id')) return undefined
  if (typeof typed !== 'string' || typed.startsWith('itm_')) return undefined
  const { findItem } = await import('../menu/find-item.ts')
  return findItem(await cli.client(), typed)
}

/** What cannot be taken back is confirmed by name; what is protected by the profile's name. */
async function confirm(cli: Cli, input: Record<string, unknown>, name?: string): Promise<void> {
  if (cli.spec.danger !== 'destructive' && !cli.settings.protected) return
  const { confirmName, confirmProtected } = await import('../confirm.ts')
  const field = cli.spec.positionals[0]?.field
  if (cli.spec.danger === 'destructive' && field !== undefined)
    await confirmName(cli, name ?? String(input[field]))
  else await confirmProtected(cli)
}

/**
 * Carries out an operation with an input that is complete, and prints its answer. `said` is what the user said: by
 * that a call which is no read is found again when its answer was lost.
 */
export async function callOperation(
  cli: Cli,
  operation: OperationHints,
  input: Record<string, unknown>,
  said: unknown,
): Promise<number> {
  if (operation.read) return readOperation(cli, operation, input)
  if (cli.globals.dryRun) {
    await printResult(cli, { operation: operation.name, input }, { columns: [] })
    await cli.say('Dry run: this was not sent.')
    return EXIT.ok
  }
  const { callOnce } = await import('../intents/call-once.ts')
  await callOnce(cli, said, { operation: operation.name, input }, ({ value, replayed }) =>
    printAnswer(cli, operation, value, replayed),
  )
  return EXIT.ok
}

async function readOperation(
  cli: Cli,
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
  const whole =
    cli.globals.all && operation.list
      ? await wholeOf(first as Page<unknown>, async (cursor) => (await call({ cursor })) as Page<unknown>)
      : first
  await printAnswer(cli, operation, whole, false)
  return EXIT.ok
}

async function printAnswer(
  cli: Cli,
  operation: OperationHints,
  value: unknown,
  replayed: boolean,
): Promise<void> {
  await printResult(cli, value, {
    ...operation,
    replayed,
    declared: async () => (await import('../declared-fields.ts')).declaredFields(operation),
  })
}

async function wholeOf(
  first: Page<unknown>,
  next: (cursor: string) => Promise<Page<unknown>>,
): Promise<Page<unknown>> {
  return { data: await readRest(first, next), has_more: false, next_cursor: null }
}

/** `said`: the flags and answers as typed, and the file. */
async function readInput(cli: Cli, given: Args): Promise<{ input: Record<string, unknown>; said: unknown }> {
  const { spec, globals } = cli
  const world: InputWorld = {
    timezone: () => Temporal.Now.timeZoneId(),
    currency: 'GBP',
    now: async () => (await (await cli.client()).serviceTime()).now,
  }
  const base = await readInputFile(cli, given)
  const named = await lastMeant(cli, given)
  const args = findMissing(spec, named, base).includes('--near') ? await nearIn(cli, named) : named
  const missing = findMissing(spec, args, base)
  const complete =
    missing.length === 0
      ? args
      : await (await import('../ask-missing.ts')).askMissing(cli, args, missing, world)
  const paging =
    spec.operation?.list === true
      ? {
          ...(globals.limit !== undefined ? { limit: globals.limit } : globals.all && { limit: 100 }),
          ...(globals.cursor !== undefined && { cursor: globals.cursor }),
        }
      : {}
  const input = merge(base, { ...(await buildInput(spec, complete, world)), ...paging })
  return { input, said: [complete, base] }
}

/** With the id of the last one in the place of `last`; what only reads means that one without a word, too. */
async function lastMeant(cli: Cli, args: Args): Promise<Args> {
  const [positional] = cli.spec.positionals
  if (positional?.last === undefined) return args
  const typed = args[positional.name]
  if (typed !== 'last' && (typed !== undefined || cli.spec.operation?.read !== true)) return args
  const { namedOrLast } = await import('../last.ts')
  return { ...args, [positional.name]: await namedOrLast(cli, args, positional.name) }
}

/** In a sandbox, who does not say where is in the City. */
async function nearIn(cli: Cli, args: Args): Promise<Args> {
  const { isSandbox } = await import('../payment.ts')
  if (!isSandbox(cli)) return args
  const { SANDBOX_POINT } = await import('../places.ts')
  await cli.say('Near the City of London, for this is a sandbox; --near looks elsewhere.')
  return { ...args, near: `${SANDBOX_POINT.latitude},${SANDBOX_POINT.longitude}` }
}

/** `--input FILE|-` of `dray api`: the whole input as JSON; flags add to it. */
async function readInputFile(cli: Cli, args: Args): Promise<Record<string, unknown>> {
  const file = args['input']
  if (typeof file !== 'string') return {}
  const { readJsonInput } = await import('../json-input.ts')
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
