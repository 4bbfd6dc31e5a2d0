import type { CommandContext } from '../cli.ts'
import { canRedraw } from '../output/colour.ts'

/** Takes the `^C` that a terminal shows for Ctrl-C off its line, or leaves that line. */
export async function clearTyped({ io, settings }: CommandContext): Promise<void> {
  if (!io.stderr.isTTY) return
  await io.stderr.write(canRedraw(io.stderr, io.env, settings.accessible) ? '\r\x1b[K' : '\n')
}
