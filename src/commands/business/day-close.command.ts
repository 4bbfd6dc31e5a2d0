import { defineCommand } from '../../cli/define-command.ts'
import { pickOperationFlags } from '../../cli/fields.ts'
import { spec } from '../../generated/specs/close_business_day.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const FLAGS = pickOperationFlags(spec, {
  'counted-cash': { field: 'counted_cash', description: 'counted cash, where one day is closed' },
})

/** `dray business day close`: the documents of the days that have ended. */
export const businessDayClose = defineCommand({
  words: 'business day close',
  summary: 'Close the business days that have ended',
  description:
    'A business day runs from 05:00 to 05:00 at the store, and ends earlier once its last opening hours are over and no order promised for it is open. Each day gets a document that never changes: later payments and refunds count in the next day. dray shows each day first, and asks for the counted cash of a single one. --yes answers for days that have ended. A day that has not ended is closed only if --through names it, and its date is typed to confirm (--confirm DATE). Fails while an unpaid order due by the end of the day is open. At most 31 days are closed at once, the earliest first.',
  danger: 'destructive',
  takes: ['dry-run', 'idempotency-key', 'new'],
  flags: [
    {
      flag: 'through',
      kind: 'text',
      value: 'DATE',
      description: 'last business day to close, from 05:00 on: 2026-11-28, yesterday or today',
    },
    ...FLAGS,
    MERCHANT_FLAG,
  ],
  answer: { of: ['close_business_day'] },
  examples: [
    'dray business day close',
    'dray business day close --counted-cash 312.40 --yes',
    'dray business day close --through yesterday --dry-run',
    'dray business day close --through 2026-11-28 --confirm 2026-11-28',
  ],
  async run(cli, { through, merchant, ...args }) {
    const [{ readInputFromFlags }, { runDayClose }] = await Promise.all([
      import('../../cli/fields.ts'),
      import('./day/close.ts'),
    ])
    return runDayClose(cli, { ...(await readInputFromFlags(cli, FLAGS, args)), through, merchant })
  },
})
