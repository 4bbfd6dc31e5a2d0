/** Shows help at a terminal: as wide as it is, with headings that stand out, in the pager when it is long. */
import type { CommandSpec } from './command.ts'
import { helpView, type HelpView, renderCommandHelp } from './help.ts'
import type { Io, OutputStream } from './io.ts'
import { hasColour } from './output/colour.ts'
import { usableWidth } from './output/text.ts'

export type HelpOptions = {
  color?: string | undefined
  noPager?: boolean
  /** True if the line asks for JSON; the settings of a person who reads help do not count. */
  json?: boolean
}

/** Returns the view of a stream; undefined for a pipe, whose help is always the same. */
export function findHelpView(
  out: OutputStream,
  { env }: Pick<Io, 'env'>,
  { color }: HelpOptions,
): HelpView | undefined {
  if (!out.isTTY && color !== 'always') return undefined
  return helpView(usableWidth(out.columns, env), hasColour(out, env, color))
}

/** Shows the help of one command. */
export async function printCommandHelp(spec: CommandSpec, io: Io, options: HelpOptions): Promise<void> {
  if (options.json) {
    const { commandDocument, writeHelpDocument } = await import('./help-document.ts')
    return writeHelpDocument(commandDocument(spec), io)
  }
  await printHelpText(renderCommandHelp(spec, findHelpView(io.stdout, io, options)), io, options)
}

export async function printHelpText(text: string, io: Io, { noPager = false }: HelpOptions): Promise<void> {
  if (io.stdout.isTTY && !noPager) {
    const { needsPager, printInPager } = await import('./output/pager.ts')
    if (needsPager(text, io)) return printInPager(text, io)
  }
  await io.stdout.write(text)
}
