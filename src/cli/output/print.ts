/** Prints the result of every command to stdout. Plain JSON is printed directly; other formats are loaded on demand. */
import type { Io } from '../io.ts'
import { toJson } from './json.ts'
import type { RenderOptions } from './render-options.ts'
import type { PrintOptions } from './view.ts'

/** Prints a result with one write, and its notices on stderr. Throws AppError('usage'). */
export async function printValue(io: Io, value: unknown, view: PrintOptions): Promise<void> {
  if (view.format === 'json' && view.fields === undefined && view.query === undefined) {
    await write(io, `${toJson(value, 2)}\n`, view)
    return
  }
  const { render } = await import('./formats.ts')
  const text = await render(value, view, await renderOptionsOf(io, view))
  if (text !== '') await write(io, text, view)
  if (view.format === 'table' && view.quiet !== true && view.fields?.trim() !== 'help') {
    const { notices } = await import('./notices.ts')
    await notices(io, value, view)
  }
}

async function write(io: Io, text: string, { pager = false }: PrintOptions): Promise<void> {
  if (pager && io.stdout.isTTY) {
    const { needsPager, printInPager } = await import('./pager.ts')
    if (needsPager(text, io)) return printInPager(text, io)
  }
  await io.stdout.write(text)
}

/** Returns the colour, width and style for stdout. Only tables use them. */
async function renderOptionsOf(
  io: Io,
  { format, color, accessible, timezone }: PrintOptions,
): Promise<RenderOptions> {
  if (format !== 'table') return { tty: false, width: 80, colour: false }
  const [{ hasColour }, { usableWidth }] = await Promise.all([import('./colour.ts'), import('./text.ts')])
  return {
    tty: io.stdout.isTTY,
    width: usableWidth(io.stdout.columns, io.env),
    colour: hasColour(io.stdout, io.env, color),
    accessible,
    timezone,
  }
}
