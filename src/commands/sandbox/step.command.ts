import { isTrackingNumber } from '../../areas/carrier/rules/tracking-number.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { findByPrefix } from '../../core/resource.ts'
import { loadSpec } from '../../generated/registry.ts'
import { RESOURCES } from '../../generated/resources.ts'
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
    return changeSandbox(cli, 'step_resource', await readInput(cli, args), async ({ resource_id }) => ({
      columns: [{ field: 'resource_id', label: 'What' }, { field: 'event' }, { field: 'at', label: 'At' }],
      done: '{resource_id}: {event}.',
      next: await nextOf(resource_id),
    }))
  },
})

async function nextOf(id: string): Promise<string> {
  const resource = isTrackingNumber(id) ? RESOURCES.shipment : findByPrefix(RESOURCES, id)
  const spec = await loadSpec(resource?.show ?? '')
  return spec === undefined ? 'dray sandbox account list' : `dray ${spec.words} {resource_id}`
}
