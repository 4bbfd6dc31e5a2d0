import { isTrackingNumber } from '../../domain/tracking-number.ts'
import { defineCommand } from '../command.ts'
import { changeSandbox, readInput } from '../sandbox.ts'

export const sandboxStep = defineCommand({
  words: 'sandbox step',
  summary: 'Make the next thing happen to one parcel or membership, now',
  description: 'Whatever is planned next for it happens at once; the clock stays where it is.',
  positionals: [
    { name: 'resource', field: 'resource_id', description: 'tracking number, or account', required: true },
  ],
  examples: ['dray sandbox step ZC968043370GB', 'dray sandbox step member'],
  danger: 'write',
  async run(cli, args) {
    return changeSandbox(cli, 'step_resource', await readInput(cli, args), ({ resource_id }) => ({
      columns: [{ field: 'resource_id', label: 'What' }, { field: 'event' }, { field: 'at', label: 'At' }],
      done: '{resource_id}: {event}.',
      next: isTrackingNumber(String(resource_id))
        ? 'dray carrier show {resource_id}'
        : 'dray sandbox account list',
    }))
  },
})
