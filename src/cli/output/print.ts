/** The one way from a command to stdout. JSON as it came goes straight through; everything else is loaded when used. */
import type { Io } from '../io.ts'
import type { Form } from './formats.ts'
import { toJson } from './json.ts'
import type { Manner } from './manner.ts'

export type View = Form & {
  color?: string | undefined
  accessible?: boolean | undefined
  /** IANA zone of the times shown; the system's when absent. */
  timezone?: string | undefined
  /** No notices on stderr. */
  quiet?: boolean | undefined
  /** Said on stderr of an empty list: one sentence. */
  empty?: string | undefined
  /** One sentence on what happened, `{field}` filled from the result; said on stderr to people only. */
  done?: string | undefined
  /** Said before `done`, as it is: it may hold what somebody wrote. */
  told?: string | undefined
  /** The next sensible command, filled likewise and quoted for a shell. */
  next?: string | undefined
}

/** Prints a result with one write, and on stderr what people need beside it. Throws AppError('usage'). */
export async function print(io: Io, value: unknown, view: View): Promise<void> {
  if (view.format === 'json' && view.fields === undefined && view.query === undefined) {
    await io.stdout.write(`${toJson(value, 2)}\n`)
    return
  }
  const { render } = await import('./formats.ts')
  const text = await render(value, view, await mannerOf(io, view))
  if (text !== '') await io.stdout.write(text)
  if (view.format === 'table' && view.quiet !== true && view.fields?.trim() !== 'help') {
    const { notices } = await import('./notices.ts')
    await notices(io, value, view)
  }
}

/** Colour, width and dress of what goes to stdout. Only tables have them. */
async function mannerOf(io: Io, { format, color, accessible, timezone }: View): Promise<Manner> {
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
