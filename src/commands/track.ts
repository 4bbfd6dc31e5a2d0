/** The command that tracks a resource with a life: derived from its resource and its story. */
import { namedOrLast } from '../cli/calls/last.ts'
import type { CommandContext } from '../cli/cli.ts'
import { type Command, defineCommand } from '../cli/define-command.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'

/** The words of every `track` after `dray`. */
const TRACK = /^dray (.* track)$/

/** Returns the words of the command that tracks a resource; undefined where another command shows its state. */
export function trackWords(kind: LivingName): string | undefined {
  return TRACK.exec(RESOURCES[kind].life?.track ?? '')?.[1]
}

/** Returns `dray rides track [RIDE]`. */
export function makeTrackCommand(kind: LivingName): Command {
  const { noun, id, prefix = '', life } = RESOURCES[kind]
  const words = trackWords(kind) ?? ''
  return defineCommand({
    words,
    summary: `Track ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} until it ends`,
    description: `Without an ID it tracks your last ${noun}. A terminal shows one screen, redrawn with every change; piped, it prints one line for each change. On a frozen sandbox clock it ends at once with exit code 8: \`dray sandbox clock advance ${life?.suggestedAdvance ?? '15m'}\` advances it. With --json it prints the final state once; --output ndjson prints each change.`,
    positionals: [{ name: id, description: `${noun}; default: the last one` }],
    examples: [
      `dray ${words}`,
      `dray ${words} ${prefix}_01m7vkystgfx5vsa9mkvef9ews --output ndjson --timeout 1h`,
    ],
    async run(cli, args) {
      const typed = args[id as keyof typeof args] as string | undefined
      const { followResource } = await import('../cli/track/follow.ts')
      return followResource(cli, kind, await idOf(cli, kind, typed))
    },
  })
}

/** A customer also names an order by its number. */
async function idOf(cli: CommandContext, kind: LivingName, typed: string | undefined): Promise<string> {
  if (kind !== 'food_order') return namedOrLast(cli, typed, RESOURCES[kind].id)
  return (await import('./food/find-order.ts')).orderIdOf(cli, typed)
}
