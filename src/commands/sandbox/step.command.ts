import { isTrackingNumber } from '../../areas/carrier/rules/tracking-number.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { changeSandbox, readInput } from './sandbox.ts'

export const sandboxStep = defineCommand({
  words: 'sandbox step',
  summary: 'Make the next thing happen to one parcel, order, ride or membership, now',
  description:
    'Whatever is planned next for it happens at once; the clock stays where it is. An order’s courier is its own next thing.',
  positionals: [
    {
      name: 'resource',
      field: 'resource_id',
      description: 'tracking number, order, ride, delivery, task or account',
      required: true,
    },
  ],
  examples: [
    'dray sandbox step ZC968043370GB',
    'dray sandbox step ord_01m7vkystgfp1b10jk5dh9yvxy',
    'dray sandbox step member',
  ],
  danger: 'write',
  takes: ['dry-run'],
  async run(cli, args) {
    return changeSandbox(cli, 'step_resource', await readInput(cli, args), ({ resource_id }) => ({
      columns: [{ field: 'resource_id', label: 'What' }, { field: 'event' }, { field: 'at', label: 'At' }],
      done: '{resource_id}: {event}.',
      next: nextOf(String(resource_id)),
    }))
  },
})

function nextOf(resource: string): string {
  if (isTrackingNumber(resource)) return 'dray carrier show {resource_id}'
  if (resource.startsWith('ord_')) return 'dray food show {resource_id}'
  if (resource.startsWith('rid_')) return 'dray rides show {resource_id}'
  return resource.startsWith('dlv_') ? 'dray sandbox events' : 'dray sandbox account list'
}
