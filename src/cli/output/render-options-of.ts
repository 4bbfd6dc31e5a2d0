import type { Cli } from '../cli.ts'
import { hasColour } from './colour.ts'
import type { RenderOptions } from './render-options.ts'
import { usableWidth } from './text.ts'

/** How what is drawn for people on that stream looks. */
export function renderOptionsOf(
  { io, settings }: Pick<Cli, 'io' | 'settings'>,
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

/** Whether the result is for eyes as it is: a table on a terminal, nothing picked out of it. */
export function isForPeople({ io, globals, settings }: Pick<Cli, 'io' | 'globals' | 'settings'>): boolean {
  return (
    settings.format === 'table' &&
    io.stdout.isTTY &&
    globals.fields === undefined &&
    globals.query === undefined
  )
}
