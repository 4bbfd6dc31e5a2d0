import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'

export const sandboxStatus = defineCommand({
  words: 'sandbox status',
  summary: 'What the sandbox holds, what time it is there, what comes next',
  examples: ['dray sandbox status', 'dray sandbox status --json'],
  async run(cli) {
    const status = await (await cli.client()).control('get_status', {})
    await printResult(cli, status, {
      columns: [
        { field: 'clock.now', label: 'Time there' },
        { field: 'clock.mode', label: 'Clock' },
        { field: 'clock.next_due_at', label: 'Next event' },
        { field: 'due', label: 'Events overdue' },
        { field: 'supply', label: 'People' },
        { field: 'counts.accounts', label: 'Accounts' },
        { field: 'counts.shipments', label: 'Parcels' },
        { field: 'counts.shipments_by_status', label: 'Parcels by status' },
        { field: 'counts.orders', label: 'Orders' },
        { field: 'counts.orders_by_status', label: 'Orders by status' },
        { field: 'counts.rides', label: 'Rides' },
        { field: 'counts.rides_by_status', label: 'Rides by status' },
        { field: 'counts.events', label: 'Changes so far' },
        { field: 'seed' },
        { field: 'store' },
      ],
      next: 'dray sandbox clock advance 2h',
    })
    return 0
  },
})
