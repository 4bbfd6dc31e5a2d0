import { ORDER_VERB_TEXTS, type OrderVerb } from '../../../areas/orders/rules/stages.ts'
import { assertComplete } from '../../../cli/ask-values.ts'
import { type Args, type Flag, readTextArgument } from '../../../cli/command.ts'
import { type Command, defineCommand } from '../../../cli/define-command.ts'
import { readInputFromFlags } from '../../../cli/fields.ts'
import { MISSING_ORDER_INPUT } from '../../order-lines.ts'
import { MERCHANT_FLAG } from '../merchant-flag.ts'
import { runBulkOrderAction, REJECT_REASON, SEVERAL_FIELDS } from './act.ts'
import type { SuccessMessage } from './act.ts'
import type { chooseOrder } from './choose.ts'
import type { BusinessOrderOutput } from './order.ts'

type Definition = {
  verb: OrderVerb
  summary: string
  /** The text before the sentences that all actions share. */
  description: string
  /** They fill the body. */
  flags: readonly Flag[]
  examples: readonly string[]
  telling: SuccessMessage
}

const SHARED =
  'Identify orders by ID or by their four-character number, with the day where it repeats (7K2M@2026-11-27). With several orders, each has its own result, and a failure does not stop the others: exit 0 if all succeeded, 9 if some did, otherwise the exit code of the error. With --json, one order is printed with its new values; several orders are one document with a row each.'

/** `dray business orders accept ID...` and its like. */
export function makeOrderActionCommand({
  verb,
  summary,
  description,
  flags,
  examples,
  telling,
}: Definition): Command {
  return defineCommand({
    words: `business orders ${verb}`,
    summary,
    description: `${description} ${SHARED}`.trim(),
    danger: verb === 'reject' ? 'destructive' : 'write',
    takes: ['dry-run', 'idempotency-key', 'new', 'wait'],
    positionals: [
      { name: 'order', description: 'one or more order IDs or numbers', required: true, repeat: true },
    ],
    flags: [
      ...flags,
      {
        ...MERCHANT_FLAG,
        field: 'merchant_id',
        description: 'store of the order numbers, by name or ID, if you have several',
      },
    ],
    examples,
    answer: ({ order = [] }) =>
      isSeveral(order) ? SEVERAL_FIELDS : { of: [ORDER_VERB_TEXTS[verb].operation] },
    run: async (cli, args) => {
      const { order: typed = [] } = args
      const body = await readInputFromFlags(cli, flags, args)
      if (verb === 'reject' && typed.length === 0)
        await assertComplete(cli, [MISSING_ORDER_INPUT, ...('reason_code' in body ? [] : [REJECT_REASON])])
      const words =
        typed.length > 0
          ? typed
          : [await (await import('./choose.ts')).chooseOrder(cli, '<order>...', activeOnes(verb))]
      return runBulkOrderAction(cli, {
        verb,
        words,
        merchantId: readTextArgument(args, 'merchant'),
        body,
        telling,
      })
    },
  })
}

/** Returns whether more than one order is named; one named twice counts once. */
function isSeveral(typed: Args[string]): boolean {
  return Array.isArray(typed) && new Set(typed.map((each) => each.replace(/^#/, '').toLowerCase())).size > 1
}

/** The orders that allow what the command does. They are active, so their numbers name them. */
function activeOnes(verb: OrderVerb): Parameters<typeof chooseOrder>[2] {
  return {
    fits: (order) => (order as BusinessOrderOutput).allowed_actions.includes(ORDER_VERB_TEXTS[verb].action),
    wordOf: (order) => (order as BusinessOrderOutput).display_number,
  }
}
