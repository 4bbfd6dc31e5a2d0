import { defineCommand } from '../../cli/define-command.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { AppError } from '../../core/errors.ts'
import { parseDuration } from '../../core/time.ts'
import type { ControlAnswer } from '../../sandbox/control/index.ts'
import { readSandboxTime } from './arguments.ts'
import { callControl, type ControlPrintHints } from './call-control.ts'

export const sandboxClockAdvance = defineCommand({
  words: 'sandbox clock advance',
  summary: 'Advance the clock and run everything due',
  positionals: [{ name: 'span', description: 'duration: 90s, 15m, 2h, 3d, 1d12h' }],
  flags: [
    { flag: 'to', kind: 'text', value: 'TIME', description: 'target time instead, such as "tomorrow 18:00"' },
  ],
  examples: ['dray sandbox clock advance 2h', 'dray sandbox clock advance --to "tomorrow 18:00"'],
  danger: 'write',
  answer: { of: ['advance_clock'] },
  takes: ['dry-run'],
  async run(cli, { span, to }) {
    if (span !== undefined && to !== undefined)
      throw new AppError('usage', 'Use a duration or --to, not both.')
    if (span === undefined && to === undefined) {
      throw missingInputError(cli.argv, [
        { flag: 'SPAN', value: '2h', description: 'duration, such as 90s, 2h or 3d; or --to TIME' },
      ])
    }
    const input =
      typeof to === 'string'
        ? { to: await readSandboxTime(cli, to, '--to') }
        : { by: checkedSpan(String(span)) }
    return callControl(cli, 'advance_clock', input, hints)
  },
})

function checkedSpan(text: string): string {
  const span = text.replace(/^\+/, '')
  if (parseDuration(span) !== undefined) return span
  throw new AppError(
    'usage',
    `<span> must be a duration such as 90s, 2h, 3d or 1d12h, not ${JSON.stringify(text.slice(0, 40))}.`,
  )
}

async function hints({ happened, next_due_at }: ControlAnswer<'advance_clock'>): Promise<ControlPrintHints> {
  const total = happened.reduce((sum, { count }) => sum + count, 0)
  const { columns } = await loadOperationHints('advance_clock')
  const parcels = happened.some(({ type }) => type.startsWith('shipment.'))
  const plenty =
    next_due_at === null ? 'dray carrier upload examples/manifest.csv' : 'dray sandbox clock advance 1d'
  return {
    columns: columns.filter(({ field }) => total > 0 || field !== 'happened'),
    done:
      total === 0
        ? 'Nothing happened in that time.'
        : `${total} ${total === 1 ? 'change' : 'changes'} in that time.`,
    next: parcels ? 'dray carrier list' : plenty,
  }
}
