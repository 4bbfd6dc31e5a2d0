import type { CommandContext } from '../cli.ts'
import { hasColour } from './colour.ts'
import type { RenderOptions } from './render-options.ts'
import { usableWidth } from './text.ts'

/** Returns the render options for a stream. */
export function renderOptionsOf(
  { io, settings }: Pick<CommandContext, 'io' | 'settings'>,
  stream: 'stdout' | 'stderr',
): RenderOptions {
  const out = io[stream]
  return {
    tty: out.isTTY,
    width: usableWidth(out.columns, io.env),
    height: out.rows,
    colour: hasColour(out, io.env, settings.color),
    accessible: settings.accessible,
  }
}

/** Returns whether the result is a complete table on a terminal, for people. */
export function isInteractiveTable({
  io,
  globals,
  settings,
}: Pick<CommandContext, 'io' | 'globals' | 'settings'>): boolean {
  return (
    settings.format === 'table' &&
    io.stdout.isTTY &&
    globals.fields === undefined &&
    globals.query === undefined
  )
}
