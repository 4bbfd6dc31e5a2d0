import { isTerminal } from '../../../areas/carrier/states.ts'
import { hasPictures } from '../../../areas/proofs/rules/proof.ts'
import type { Cli } from '../../../cli/cli.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { canRedraw } from '../../../cli/output/colour.ts'
import { toJson } from '../../../cli/output/json.ts'
import { isForPeople, renderOptionsOf } from '../../../cli/output/render-options-of.ts'
import { stateWords } from '../../../cli/output/state-words.ts'
import { clean, width } from '../../../cli/output/text.ts'
import { printResult, sayNext } from '../../../cli/print.ts'
import { readUntilOver } from '../../../cli/track/read-until-over.ts'
import { EXIT } from '../../../core/errors.ts'
import { findParcel } from '../find-parcel.ts'
import { OPEN_PROOF, type Scan, type Shipment } from '../progress.ts'

/** Prints every scan as it happens, one line each, until the parcel has arrived or the world stands still. */
export async function trackOne(cli: Cli, typed: string): Promise<number> {
  const trackingNumber = await findParcel(await cli.client(), typed)
  let shown: Shown = { sequence: 0, rows: 0 }
  const { value, frozen } = await readUntilOver(
    cli,
    'get_shipment',
    { tracking_number: trackingNumber },
    async (shipment) => {
      shown = await showNew(cli, shipment, shown)
      return isTerminal(shipment.status)
    },
  )
  return finish(cli, value, frozen)
}

/** The output so far: its last scan, and the rows of the map below it. */
type Shown = { sequence: number; rows: number }

/** Prints the scans after the one shown last, and on a terminal the map below them. */
async function showNew(cli: Cli, shipment: Shipment, shown: Shown): Promise<Shown> {
  const { io, settings } = cli
  const { format } = settings
  const fresh = shipment.scan_history.filter(({ sequence }) => sequence > shown.sequence)
  if (fresh.length === 0) return shown
  if (shown.rows > 0) await io.stdout.write(`\x1b[${shown.rows}A\r\x1b[J`)
  for (const event of fresh) {
    if (format === 'ndjson') await cli.io.stdout.write(`${toJson(event)}\n`)
    if (format === 'table') await cli.io.stdout.write(`${line(cli, event)}\n`)
  }
  const canDraw = isForPeople(cli) && canRedraw(io.stdout, io.env, settings.accessible)
  const map = canDraw ? await mapOf(cli, shipment) : []
  if (map.length > 0) await io.stdout.write(`${map.join('\n')}\n`)
  return { sequence: fresh.at(-1)?.sequence ?? shown.sequence, rows: map.length }
}

/** Returns the map with a gap above it. One that is taller than the terminal could not be drawn over. */
async function mapOf(cli: Cli, shipment: Shipment): Promise<string[]> {
  const [{ mapText }, { parcelSketch }] = await Promise.all([
    import('../../../cli/track/map-text.ts'),
    import('./sketch.ts'),
  ])
  const sketch = parcelSketch(shipment)
  if (sketch === null) return []
  const renderOptions = renderOptionsOf(cli, 'stdout')
  return ['', ...mapText(sketch, renderOptions, (renderOptions.height ?? Infinity) - 2)]
}

async function finish(cli: Cli, shipment: Shipment, frozen: boolean): Promise<number> {
  const { format } = cli.settings
  if (format !== 'ndjson' && format !== 'table') await printResult(cli, shipment)
  if (isTerminal(shipment.status)) {
    if (hasPictures([shipment.proof_of_delivery]) && isForPeople(cli))
      await sayNext(cli, shipment, OPEN_PROOF)
    return EXIT.ok
  }
  const next = frozen
    ? `is ${stateWords(shipment.status)}, and the sandbox clock is frozen. \`dray sandbox clock advance 1d\` moves it on.`
    : `is still ${stateWords(shipment.status)}.`
  await cli.say(`${shipment.tracking_number} ${next}`)
  return EXIT.pending
}

function line(cli: Cli, { occurred_at, code, location, reason }: Scan): string {
  const renderOptions = { tty: cli.io.stdout.isTTY, width: 80, colour: false }
  const why = reason === null || reason === undefined ? '' : ` (${clean(reason.detail)})`
  const parts = [
    cellText(occurred_at, 'occurred_at', renderOptions),
    code.replaceAll('_', ' ') + why,
    `${clean(location.name)}, ${clean(location.city)}`,
  ]
  if (!renderOptions.tty) return parts.join('\t')
  const { width: room } = renderOptionsOf(cli, 'stdout')
  const whole = parts.join('  ')
  // The place begins below the scan where both would not fit.
  return width(whole) <= room ? whole : `${parts.slice(0, 2).join('  ')}\n  ${parts.slice(2).join('  ')}`
}
