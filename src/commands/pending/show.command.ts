import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { selectPendingCall, redactInput, toPendingCallRow } from './view.ts'

export const pendingShow = defineCommand({
  words: 'pending show',
  summary: 'Show a call without a response, and its input',
  positionals: [
    { name: 'call_id', description: 'ID from `dray pending list`; optional if there is only one' },
  ],
  examples: ['dray pending show', 'dray pending show key_01m7vkystgef38d6j5p56t9yfw'],
  async run(cli, args) {
    const found = selectPendingCall(cli, args.call_id)
    const { scenario } = found.intent
    await printResult(
      cli,
      {
        ...toPendingCallRow(found),
        ...(scenario !== null && { scenario }),
        input: redactInput(found.intent),
      },
      found.running === undefined ? { next: `dray pending resolve ${found.intent.key}` } : {},
    )
    return 0
  },
})
