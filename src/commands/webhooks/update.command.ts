import { assertExclusiveFlag } from '../../cli/assert-alone.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { spec as rotateSpec } from '../../generated/specs/rotate_webhook_secret.ts'
import { spec } from '../../generated/specs/update_webhook_endpoint.ts'
import { runOperation } from '../operation.ts'

/** `dray webhooks update ENDPOINT`: changes what is sent where, or the secret. */
export const webhooksUpdate = defineCommand({
  ...spec,
  summary: 'Change a webhook endpoint, disable or enable it, or give it a new secret',
  flags: [
    ...spec.flags,
    {
      flag: 'rotate',
      kind: 'boolean',
      description: 'Give it a new secret; for 24 hours by the sandbox clock the one before signs, too',
    },
  ],
  answer: ({ rotate }) => ({
    of: [(rotate === true ? rotateSpec : spec).operation.name],
  }),
  takes: ['dry-run', 'idempotency-key', 'new'],
  examples: [
    'dray webhooks update whe_01m7vkystgf7vtyybg4s0p9p1s --enabled',
    'dray webhooks update whe_01m7vkystgf7vtyybg4s0p9p1s --types ride.completed',
    'dray webhooks update whe_01m7vkystgf7vtyybg4s0p9p1s --rotate',
  ],
  async run(cli, args) {
    if (args.rotate !== true) return runOperation({ ...cli, spec }, args)
    const { url, types, description, enabled } = args
    assertExclusiveFlag('--rotate', {
      '--url': url,
      '--types': types,
      '--description': description,
      '--enabled': enabled,
    })
    // The flag among the arguments tells an open call from one of another change.
    return runOperation({ ...cli, spec: rotateSpec }, args)
  },
})
