import { askValues, assertComplete } from '../../cli/ask-values.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/answer_order_problem.ts'
import { makeMissingLineInput, MISSING_ORDER_INPUT } from '../order-lines.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'
import { runProblemAnswer } from './orders/adjust.ts'

const FLAGS = pickOperationFlags(spec, {
  accept: 'accept',
  note: { field: 'note', description: 'note to the customer; needed with --accept none' },
})

const ACCEPT = {
  key: 'accept',
  flag: '--accept',
  value: 'full',
  description: 'part of the problem that you accept: full, part or none',
  message: 'Accept the problem?',
  choices: [
    { value: 'full', name: 'full: refund all of it' },
    { value: 'part', name: 'part: refund one line' },
    { value: 'none', name: 'none: refund nothing, with a note to the customer' },
  ],
} as const

const NOTE = { key: 'note', flag: '--note', value: 'NOTE', description: 'note to the customer' } as const

/** `dray business orders answer ORDER --accept full`. */
export const businessOrdersAnswer = defineCommand({
  words: 'business orders answer',
  summary: 'Answer a problem that a customer reported',
  description:
    '`business orders list --problem open` shows the orders whose problems wait for you: after 24 hours the platform pays. With --accept full or part, dray shows how much goes back: type the order number to confirm, or pass it with --confirm.',
  danger: 'destructive',
  takes: ['dry-run', 'idempotency-key', 'new'],
  positionals: [
    { name: 'order', description: 'order ID or number', required: true },
    { name: 'problem', description: 'problem ID, if several are open' },
  ],
  flags: [
    ...FLAGS,
    {
      flag: 'line',
      kind: 'text',
      value: 'LINE[=UNITS]',
      repeat: true,
      description: 'line to refund with --accept part, by its number or item',
    },
    {
      ...MERCHANT_FLAG,
      field: 'merchant_id',
      description: 'store of the order number, by name or ID, if you have several',
    },
  ],
  answer: { of: ['answer_order_problem'] },
  examples: [
    'dray business orders answer 7K2M --accept full --confirm 7K2M',
    'dray business orders answer 7K2M --accept part --line 1=1 --confirm 7K2M',
    'dray business orders answer 7K2M --accept none --note "All three were packed"',
  ],
  async run(cli, { order, problem, merchant, line, ...args }) {
    const given = await readInputFromFlags(cli, FLAGS, args)
    await assertComplete(cli, [
      ...(order === undefined ? [MISSING_ORDER_INPUT] : []),
      ...(given.accept === undefined ? [ACCEPT] : []),
      ...(given.accept === 'part' && line === undefined ? [makeMissingLineInput('--line')] : []),
      ...(given.accept === 'none' && given.note === undefined ? [NOTE] : []),
    ])
    const { accept = given.accept } = await askValues(cli, given.accept === undefined ? [ACCEPT] : [])
    const noted = accept === 'none' && given.note === undefined ? await askValues(cli, [NOTE]) : {}
    return runProblemAnswer(cli, {
      order,
      problem,
      merchant,
      typed: line,
      body: { ...given, accept, ...noted },
    })
  },
})
