import { defineCommand } from '../../cli/define-command.ts'
import { spec as oneSpec } from '../../generated/specs/get_webhook_endpoint.ts'
import { spec } from '../../generated/specs/list_webhook_endpoints.ts'
import { runOperation } from '../operation.ts'

/** `dray webhooks list [ENDPOINT]`: the endpoints, or one of them with its secret. */
export const webhooksList = defineCommand({
  ...spec,
  summary: 'List your webhook endpoints, or show one with its secret',
  positionals: [{ name: 'endpoint_id', description: 'Webhook endpoint to show with its secret' }],
  answer: ({ endpoint_id }) => ({ of: [(endpoint_id === undefined ? spec : oneSpec).operation.name] }),
  examples: ['dray webhooks list', 'dray webhooks list whe_01m7vkystgf7vtyybg4s0p9p1s'],
  run: (cli, args) => runOperation({ ...cli, spec: args.endpoint_id === undefined ? spec : oneSpec }, args),
})
