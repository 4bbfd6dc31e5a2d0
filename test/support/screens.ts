import type { RenderOptions } from '../../src/cli/output/render-options.ts'
import { measureTextWidth } from '../../src/cli/output/text.ts'

/** A narrow, a usual and a wide terminal, in columns. */
export const WIDTHS: readonly number[] = [40, 80, 120]

/** Returns the options of a terminal in London without colour. */
export function makeRenderOptions(columns: number, more: Partial<RenderOptions> = {}): RenderOptions {
  return { tty: true, width: columns, colour: false, timezone: 'Europe/London', ...more }
}

/** Returns the lines of a screen that do not fit. */
export function linesBeyond(columns: number, screen: string): string[] {
  return screen.split('\n').filter((line) => measureTextWidth(line) > columns)
}
