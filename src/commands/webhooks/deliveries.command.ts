import { assertExclusiveFlag } from '../../cli/assert-alone.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { spec as oneSpec } from '../../generated/specs/get_webhook_delivery.ts'
import { spec } from '../../generated/specs/list_webhook_deliveries.ts'
import { runOperation } from '../operation.ts'

/** `dray webhooks deliveries ENDPOINT [DELIVERY]`: what was sent, or one message with the responses to it. */
export const webhooksDeliveries = defineCommand({
  ...spec,
  summary: 'List the deliveries to a webhook endpoint, newest first, or show one',
  positionals: [
    ...spec.positionals,
    { name: 'delivery_id', description: 'Delivery to show with its body and the responses' },
  ],
  answer: ({ delivery_id }) => ({ of: [(delivery_id === undefined ? spec : oneSpec).operation.name] }),
  takes: ['limit', 'cursor', 'all'],
  examples: [
    'dray webhooks deliveries whe_01m7vkystgf7vtyybg4s0p9p1s',
    'dray webhooks deliveries whe_01m7vkystgf7vtyybg4s0p9p1s --status failed --all --json',
    'dray webhooks deliveries whe_01m7vkystgf7vtyybg4s0p9p1s whd_01m7vkystgf7vtyybg4s0p9p1s --json',
  ],
  async run(cli, args) {
    if (args.delivery_id === undefined) return runOperation({ ...cli, spec }, args)
    const { limit, cursor, all } = cli.globals
    assertExclusiveFlag('<delivery_id>', {
      '--status': args.status,
      '--limit': limit,
      '--cursor': cursor,
      '--all': all || undefined,
    })
    return runOperation({ ...cli, spec: oneSpec }, args)
  },
})
