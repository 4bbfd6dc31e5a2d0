import { assertExclusiveFlag } from '../../cli/assert-alone.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { spec } from '../../generated/specs/resend_webhooks.ts'
import { spec as testSpec } from '../../generated/specs/test_webhook_endpoint.ts'
import { runOperation } from '../operation.ts'

/** `dray webhooks resend ENDPOINT`: sends deliveries again, or a test message. */
export const webhooksResend = defineCommand({
  ...spec,
  summary: 'Send one delivery again, those of a period, or a test message',
  flags: [
    ...spec.flags,
    {
      flag: 'test',
      kind: 'boolean',
      description: 'Send a message of type webhook.test instead; its delivery shows the response',
    },
  ],
  answer: ({ test }) => ({ of: [(test === true ? testSpec : spec).operation.name] }),
  takes: ['dry-run', 'idempotency-key', 'new'],
  examples: [
    'dray webhooks resend whe_01m7vkystgf7vtyybg4s0p9p1s --delivery whd_01m7vkystgf7vtyybg4s0p9p1s',
    'dray webhooks resend whe_01m7vkystgf7vtyybg4s0p9p1s --since 2026-11-20',
    'dray webhooks resend whe_01m7vkystgf7vtyybg4s0p9p1s --test',
  ],
  async run(cli, args) {
    if (args.test !== true) return runOperation({ ...cli, spec }, args)
    const { delivery, since, until } = args
    assertExclusiveFlag('--test', { '--delivery': delivery, '--since': since, '--until': until })
    return runOperation({ ...cli, spec: testSpec }, args)
  },
})
