import { assertNotRunning, finishPendingCall } from '../../cli/calls/resolve.ts'
import { assertProfileConfirmed, confirmYes } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { printResult } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { deletePendingCall } from '../../local-state/pending-calls.ts'
import { selectPendingCall, toPendingCallRow } from './view.ts'

export const pendingResolve = defineCommand({
  words: 'pending resolve',
  summary: 'Find out whether a call without a response was carried out',
  description:
    'Sends the same call with the same key: a server that already carried it out returns the result and does nothing twice; otherwise it is carried out now. A call older than 23 hours is only looked up. --discard forgets the call without asking.',
  danger: 'write',
  answer: {
    fields: ['call_id', 'outcome', 'operation', 'total.amount', 'total.currency', 'resource_id', 'detail'],
  },
  takes: ['dry-run'],
  positionals: [
    { name: 'call_id', description: 'ID from `dray pending list`; optional if there is only one' },
  ],
  flags: [{ flag: 'discard', kind: 'boolean', description: 'forget the call, whatever its result' }],
  examples: ['dray pending resolve', 'dray pending resolve key_01m7vkystgef38d6j5p56t9yfw --discard --yes'],
  async run(cli, args) {
    const found = selectPendingCall(cli, args.call_id)
    if (cli.globals.dryRun) {
      await printResult(cli, toPendingCallRow(found))
      await cli.say('Dry run: nothing was sent.')
      return EXIT.ok
    }
    if (args.discard === true) {
      assertNotRunning(found)
      await confirmYes(
        cli,
        `Forget the call \`${commandLine(['dray', ...found.intent.argv])}\`, whatever its result?`,
      )
      deletePendingCall(found)
      const { call_id, operation, total } = toPendingCallRow(found)
      await printResult(
        cli,
        { call_id, outcome: 'discarded', operation, total, resource_id: null, detail: 'Forgotten.' },
        { columns: [{ field: 'call_id' }, { field: 'outcome' }] },
      )
      return EXIT.ok
    }
    await assertProfileConfirmed(cli)
    await printResult(cli, await finishPendingCall(cli, found), {
      columns: [
        { field: 'call_id' },
        { field: 'outcome' },
        { field: 'operation' },
        { field: 'total' },
        { field: 'resource_id', label: 'ID' },
      ],
      done: '{detail}',
    })
    return EXIT.ok
  },
})
