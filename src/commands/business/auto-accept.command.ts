import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { spec } from '../../generated/specs/set_store_settings.ts'
import { callOperation } from '../operation.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const FLAGS = pickOperationFlags(spec, {
  prep: {
    field: 'auto_accept.prep_time_minutes',
    value: 'MINUTES',
    description: 'prep time of these orders, 1 to 180; the usual time if omitted',
  },
  until: {
    field: 'auto_accept.until',
    value: 'TIME',
    description: 'end, in the local time of the store; no end if omitted',
  },
})

const COLUMNS = ['name', 'auto_accept.prep_time_minutes', 'auto_accept.until'].map((field) => ({ field }))

const DONE = {
  on: '{name} accepts new orders automatically while it is open; allergy notes and scheduled orders wait for you.',
  off: '{name} accepts no orders automatically: new orders wait for you.',
} as const

/** `dray business auto-accept on --prep 15 --until 22:00`, `off`, or nothing to see it. */
export const businessAutoAccept = defineCommand({
  words: 'business auto-accept',
  summary: 'Accept new orders automatically, or show whether your store does',
  description:
    'Off unless you turn it on. The service accepts each new order at the moment of its payment, cash and table orders when they are placed, whether a screen is open or not. Orders wait for a person while the store is closed or paused, with a note about an allergy, and for a later time. Orders that were placed before stay as they are.',
  danger: 'write',
  answer: ({ switch: given }) => ({
    of: [given === undefined ? 'get_store_settings' : 'set_store_settings'],
  }),
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'switch', description: 'on or off; omitted, shows the rule', choices: ['on', 'off'] },
  ],
  flags: [...FLAGS, MERCHANT_FLAG],
  examples: [
    'dray business auto-accept on --prep 15 --until 22:00',
    'dray business auto-accept off',
    'dray business auto-accept',
  ],
  async run(cli, { switch: given, merchant, ...args }) {
    const { auto_accept: rule } = await readInputFromFlags(cli, FLAGS, args)
    const store = merchant === undefined ? {} : { merchant_id: merchant }
    if (given !== 'on' && given !== 'off' && given !== undefined)
      throw new AppError('usage', `<switch> must be on or off, not ${JSON.stringify(given.slice(0, 40))}.`)
    if (given !== 'on' && rule !== undefined)
      throw new AppError('usage', '--prep and --until go with on: `dray business auto-accept on --prep 15`.')
    if (given === undefined) return showRule(cli, store)
    if (!cli.globals.dryRun) await assertProfileConfirmed(cli)
    const input = { auto_accept: given === 'on' ? (rule ?? {}) : null, ...store }
    const operation = {
      ...(await loadOperationHints('set_store_settings')),
      columns: COLUMNS,
      done: DONE[given],
    }
    return callOperation(cli, operation, { input, said: [given, args, store] })
  },
})

async function showRule(cli: CommandContext, store: { merchant_id?: string }): Promise<number> {
  const { value } = await (await cli.client()).call('get_store_settings', store)
  await printResult(cli, value, { columns: COLUMNS, done: DONE[value.auto_accept === null ? 'off' : 'on'] })
  return EXIT.ok
}
