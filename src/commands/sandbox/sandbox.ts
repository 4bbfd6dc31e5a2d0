/** What the sandbox commands share: reading their arguments, and calling the control plane. */
import { askMissing } from '../../cli/ask-missing.ts'
import type { Cli } from '../../cli/cli.ts'
import type { Args } from '../../cli/command.ts'
import { confirmProtected } from '../../cli/confirm.ts'
import { buildInput, findMissing } from '../../cli/input.ts'
import { readMoment, requireMoment } from '../../cli/moment.ts'
import { printResult } from '../../cli/print.ts'
import type { Client } from '../../client/client.ts'
import { AppError } from '../../core/errors.ts'
import type { Column } from '../../core/operation.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ControlAnswer, ControlInput, ControlName } from '../../sandbox/control/index.ts'

export type SandboxAccount = ControlAnswer<'list_accounts'>['data'][number]

export const CLOCK_COLUMNS: readonly Column[] = [
  { field: 'now', label: 'Time there' },
  { field: 'mode', label: 'Clock' },
  { field: 'factor', label: 'Speed' },
  { field: 'next_due_at', label: 'Next event' },
]

export const ACCOUNT_COLUMNS: readonly Column[] = [
  { field: 'handle', label: 'Account' },
  { field: 'name' },
  { field: 'membership.status', label: 'Membership' },
  { field: 'carrier_agreement.status', label: 'Carrier' },
  { field: 'business_agreement.status', label: 'Business' },
  { field: 'stores' },
  { field: 'scopes' },
]

export async function listAccounts(client: Client): Promise<SandboxAccount[]> {
  return (await client.control('list_accounts', {})).data
}

/** The account of an id or a short name. Throws AppError('account_not_found') that lists what there is. */
export function findAccount(accounts: readonly SandboxAccount[], asked: string): SandboxAccount {
  const found = accounts.find(({ handle, account_id }) => handle === asked || account_id === asked)
  if (found !== undefined) return found
  throw new AppError(
    'account_not_found',
    `The sandbox has no account ${asked.slice(0, 60)}; it has ${accounts.map(({ handle }) => handle).join(', ')}.`,
  )
}

async function sandboxNow(cli: Cli): Promise<number> {
  const { now } = await (await cli.client()).control('get_clock', {})
  return Date.parse(now)
}

/** What stands where `field` says, what is missing asked for. Throws AppError('usage'). */
export async function readInput(cli: Cli, given: Args): Promise<Record<string, unknown>> {
  const world = {
    currency: 'GBP',
    moment: (typed: string) => readMoment(cli, typed, { now: () => sandboxNow(cli) }),
  }
  const missing = findMissing(cli.spec, given)
  const args = missing.length === 0 ? given : await askMissing(cli, given, missing, world)
  for (const { name, choices } of cli.spec.positionals) {
    const value = args[name]
    if (choices === undefined || typeof value !== 'string' || choices.includes(value)) continue
    throw new AppError(
      'usage',
      `<${name}> must be one of ${choices.join(', ')}, not ${JSON.stringify(value.slice(0, 40))}.`,
    )
  }
  return buildInput(cli.spec, args, world)
}

export type Hints = Parameters<typeof printResult>[2]

/** Carries out a control call that changes something, and prints its answer. */
export async function changeSandbox<N extends ControlName>(
  cli: Cli,
  name: N,
  input: Readonly<Record<string, unknown>>,
  hints: Hints | ((answer: ControlAnswer<N>) => Hints | Promise<Hints>) = {},
): Promise<number> {
  if (cli.globals.dryRun) {
    await printResult(cli, { control: name, input })
    await cli.say('Dry run: this was not sent.')
    return 0
  }
  await confirmProtected(cli)
  // The service holds what was typed against the schema that gives its type.
  const answer = await (await cli.client()).control(name, input as ControlInput<N>)
  await printResult(cli, answer, typeof hints === 'function' ? await hints(answer) : hints)
  return 0
}

/** The instant that a person means, by the sandbox's clock: `tomorrow 09:00`, `+2h`, `2026-11-21`, RFC 3339. */
export async function readInstant(cli: Cli, text: string, flag: string): Promise<string> {
  const examples = '"tomorrow 09:00", 2026-11-21 or +2h'
  return toTimestamp(await requireMoment(cli, text, { flag, examples, now: () => sandboxNow(cli) }))
}
