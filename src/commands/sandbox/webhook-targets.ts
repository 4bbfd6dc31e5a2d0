/** The webhook endpoints that a restored file brought along: a service would send events to addresses that its user never chose. */
import type { CommandContext } from '../../cli/cli.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'

/** Returns the addresses in the response to a loaded snapshot; none in that of an older service. */
export function targetsOf(loaded: unknown): readonly string[] {
  const { webhook_targets: targets = [] } = (loaded ?? {}) as { webhook_targets?: readonly string[] }
  return targets
}

/** Names the addresses to which events go from now on. */
export async function nameTargets(
  { say }: Pick<CommandContext, 'say'>,
  targets: readonly string[],
): Promise<void> {
  if (targets.length === 0) return
  await say(
    `Webhook endpoints came along: \`dray serve\` sends events to ${targets.map((target) => sanitizeForTerminal(target)).join(', ')}. \`dray webhooks list\` shows an account's.`,
  )
}
