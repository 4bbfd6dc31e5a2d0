/** Labels from parcels to files. */
import { type LabelSize, layOutLabels } from '../../../areas/carrier/label/sheets.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { startProgressOf } from '../../../cli/output/progress.ts'
import type { RenderedDocument, DocumentFormat } from '../../../rendering/render.ts'
import { joinFirst } from '../../../tabular/wording.ts'
import type { Parcel } from '../bulk/parcels.ts'

export type LabelStyle = {
  format: DocumentFormat
  size: LabelSize
  dpi: number
  /** The place of the first label on a sheet with several. */
  start: number
}

/** Sheets after which a signal gets its turn. */
const BREATH = 20

/** Called after each sheet with the number of sheets so far; throws when a signal came. */
type OnSheet = (done: number) => Promise<void>

/** Renders the labels of parcels into one file, with a progress bar; a PNG holds one label, and has none. */
export async function renderParcelLabels(
  cli: CommandContext,
  parcels: readonly Parcel[],
  { format, size, dpi, start }: LabelStyle,
): Promise<RenderedDocument & { title: string }> {
  const { renderDocument } = await import('../../../rendering/render.ts')
  const [first] = parcels
  const title =
    parcels.length === 1 && first !== undefined
      ? `Label ${first.tracking_number}`
      : `${parcels.length} labels`
  const sheets = layOutLabels(parcels, size, start)
  const draw = (onSheet?: OnSheet) => renderDocument({ title, sheets }, { format, dpi, onSheet })
  const paper = await (format === 'png' ? draw() : withProgress(cli, sheets.length, draw))
  return { ...paper, title }
}

/** Throws `font_not_installed` if one of these labels has a script without a font. */
export async function assertLabelFonts(
  parcels: readonly Parcel[],
  { size, start }: LabelStyle,
): Promise<void> {
  const { assertFontsInstalled } = await import('../../../rendering/assert-fonts.ts')
  assertFontsInstalled({ sheets: layOutLabels(parcels, size, start) })
}

/** Renders with a progress bar, and ends at a signal. */
export async function withProgress<T>(
  cli: CommandContext,
  total: number,
  draw: (onSheet: OnSheet) => Promise<T>,
): Promise<T> {
  const progress = startProgressOf(cli, 'Drawing labels', total)
  const signal = cli.runtime.interruption()
  try {
    return await draw(async (done) => {
      progress.update(done)
      if (done % BREATH === 0) await cli.runtime.sleep(0)
      signal.throwIfAborted()
    })
  } finally {
    progress.stop()
  }
}

/** So many characters without a font are shown; a name in a script without fonts has dozens. */
const SHOWN = 10

/** Says which parcels hold characters that no font here has, in any of their texts. */
export async function warnOfMissingGlyphs(
  cli: CommandContext,
  parcels: readonly { tracking_number: string }[],
  missing: readonly string[],
): Promise<void> {
  if (missing.length === 0) return
  const numbers = parcels
    .filter((parcel) => {
      // Paper shows text composed, as JSON need not be.
      const text = JSON.stringify(parcel).normalize('NFC')
      return missing.some((character) => text.includes(character))
    })
    .map(({ tracking_number }) => tracking_number)
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  await cli.say(
    `warning: No installed font has ${missing.slice(0, SHOWN).map(visible).join(' ')}${more} (${joinFirst(numbers, 3)}).`,
  )
}

/** A mark that is on a letter is shown on a circle. */
function visible(character: string): string {
  return /\p{M}/u.test(character) ? `\u25cc${character}` : character
}
