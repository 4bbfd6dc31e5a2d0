import type { CommandContext } from '../cli.ts'
import { hasColour } from '../output/colour.ts'
import { renderTextTable } from '../output/table.ts'
import { usableWidth } from '../output/text.ts'

/** The first rows of what is about to be sent, for whoever is asked about it; `total` is how many there are. */
export async function planTable(
  { io, settings }: CommandContext,
  rows: readonly Record<string, unknown>[],
  total: number,
): Promise<string> {
  const text = await renderTextTable(
    rows,
    Object.keys(rows[0] ?? {}).map((field) => ({ field })),
    {
      tty: true,
      width: usableWidth(io.stderr.columns, io.env),
      colour: hasColour(io.stderr, io.env, settings.color),
      accessible: settings.accessible,
    },
  )
  const more = total - rows.length
  return more > 0 ? `${text}\n… and ${more} more` : text
}
