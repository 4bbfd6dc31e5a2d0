import { SHIPMENT_EVENT_CODES } from '../../areas/carrier/states.ts'
import { FAILURE_REASONS } from '../../areas/proofs/rules/failures.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxScan = defineCommand({
  words: 'sandbox scan',
  summary: 'Scan a parcel by hand, as a hub or a courier would',
  description:
    'A step that the parcel cannot take from where it is, is refused (exit 7). Attempts, delays, damage and returns want a --reason.',
  positionals: [
    { name: 'tracking_number', field: 'tracking_number', description: 'the parcel', required: true },
    {
      name: 'code',
      field: 'code',
      kind: 'enum',
      choices: SHIPMENT_EVENT_CODES.filter((code) => code !== 'label_created' && code !== 'cancelled'),
      description: 'what happens to it',
      required: true,
    },
  ],
  flags: [
    {
      flag: 'hub',
      kind: 'text',
      value: 'HUB',
      field: 'hub_id',
      description: 'hub where it is scanned, by id or code',
    },
    {
      flag: 'reason',
      kind: 'enum',
      choices: FAILURE_REASONS,
      field: 'reason',
      description: 'why, where something went wrong',
    },
    { flag: 'detail', kind: 'text', field: 'detail', description: 'why, in words' },
  ],
  examples: [
    'dray sandbox scan ZC968043370GB collected',
    'dray sandbox scan ZC968043370GB delivery_attempted --reason recipient_unavailable',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'scan_shipment', await readInput(cli, args), {
      columns: [
        { field: 'tracking_number' },
        { field: 'code', label: 'Scan' },
        { field: 'status' },
        { field: 'location' },
        { field: 'occurred_at' },
      ],
      done: '{tracking_number} is {status}.',
      next: 'dray carrier show {tracking_number}',
    })
  },
})
