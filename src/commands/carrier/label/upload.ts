/** An upload with labels that are written at once. */
import { hasLabel } from '../../../areas/carrier/label/label.ts'
import { usualDpi } from '../../../areas/carrier/label/parameters.ts'
import { countOutcomes } from '../../../cli/calls/send-each.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { PurchasePrice } from '../../../cli/confirm-purchase.ts'
import { confirmYes } from '../../../cli/confirm.ts'
import { InterruptedError } from '../../../cli/io.ts'
import { assertPriceWithinLimit } from '../../../cli/max-total.ts'
import type { FileFlags } from '../../../cli/upload/flags.ts'
import { runUpload } from '../../../cli/upload/run.ts'
import { AppError } from '../../../core/errors.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { findTrackingNumber, type ParcelOutcome } from '../../../tabular/manifest/outcomes.ts'
import { sendBulkAction } from '../bulk/act.ts'
import { findParcels, resolveParcelNames, type Parcel } from '../bulk/parcels.ts'
import { priceReturns, returnsOf } from '../bulk/returns.ts'
import type { manifestUpload } from '../manifest/upload.ts'
import { renderParcelLabels, warnOfMissingGlyphs } from './draw.ts'
import { assertDocumentOutput, formatOf, writeDocument } from './files.ts'

type Upload = ReturnType<typeof manifestUpload>

/**
 * Runs the upload, then writes the labels of what it created and of what was there before, each followed by that of its return
 * if returns are wanted. Returns its exit code.
 */
export async function uploadWithLabels(
  cli: CommandContext,
  {
    labels: path,
    'with-return-labels': withReturns = false,
    ...flags
  }: FileFlags & { labels: string; 'with-return-labels'?: boolean | undefined },
  upload: Upload,
): Promise<number> {
  const out = { path, force: flags.force === true, flag: '--labels' }
  const format = formatOf(path, ['pdf', 'zpl'])
  if (format === undefined)
    throw new AppError('usage', `--labels ${path}: the name must end with .pdf or .zpl.`, {
      hint: '`dray carrier label --manifest RESULTS.csv` writes other formats.',
    })
  assertDocumentOutput(cli, out, format, 'labels')
  const numbers: string[] = []
  let parcels: Parcel[] | undefined
  let failure: Error | undefined
  const code = await runUpload(cli, flags, {
    ...upload,
    complete(outcomes) {
      numbers.push(...outcomes.flatMap((outcome) => upload.report.idOf(outcome) ?? []))
      return outcomes.map((outcome) => ({ ...outcome, ...(withReturns && { return_number: null }) }))
    },
    // An upload that changes something says so in a dry run: this one only creates.
    ...(withReturns &&
      !cli.globals.dryRun && {
        async change(outcomes) {
          if (numbers.length === 0) return { outcomes: [...outcomes], stopped: undefined }
          const spent = upload.sumUp(outcomes, []).total
          try {
            failure = await createReturns(cli, numbers, { spent, limit: upload.limit })
            parcels = await findParcels(await cli.client(), numbers)
            return { outcomes: withReturnNumbers(outcomes, parcels), stopped: undefined }
          } catch (error) {
            // The parcels exist: their results are written, even when the question about returns is interrupted.
            if (error instanceof AppError || error instanceof InterruptedError)
              return { outcomes: [...outcomes], stopped: error }
            throw error
          }
        },
      }),
  })
  if (numbers.length === 0) return code
  parcels ??= await findParcels(await cli.client(), numbers)
  const labelled = await findLabelled(cli, parcels, withReturns)
  const style = { format, size: '4x6', dpi: Number(usualDpi(format)), start: 1 } as const
  const { bytes, missing, title } = await renderParcelLabels(cli, labelled, style).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'font_not_installed' ? undrawn(error) : error
  })
  await writeDocument(cli, out, { bytes, format, title }).catch((error: unknown) => {
    throw error instanceof AppError ? unwritten(error) : error
  })
  await warnOfMissingGlyphs(cli, labelled, missing)
  await cli.say(`${labelled.length === 1 ? '1 label' : `${labelled.length} labels`} in ${path}.`)
  if (failure !== undefined) throw failure
  return code
}

/** Returns the rows of the results with the number of the return that each parcel has now. */
function withReturnNumbers(outcomes: readonly ParcelOutcome[], parcels: readonly Parcel[]): ParcelOutcome[] {
  const returns = new Map(parcels.map((parcel) => [parcel.tracking_number, parcel.return_number]))
  return outcomes.map((outcome) => ({
    ...outcome,
    return_number: returns.get(findTrackingNumber(outcome) ?? '') ?? null,
  }))
}

/** Returns the parcels with a label in their order, each followed by its return if returns are wanted. */
async function findLabelled(
  cli: CommandContext,
  all: readonly Parcel[],
  withReturns: boolean,
): Promise<Parcel[]> {
  const parcels = all.filter(hasLabel)
  if (!withReturns) return parcels
  const named = parcels.flatMap(({ return_number }) => return_number ?? [])
  const returns = new Map(
    (await findParcels(await cli.client(), named)).map((each) => [each.tracking_number, each]),
  )
  return parcels.flatMap((parcel) => {
    const back = returns.get(parcel.return_number ?? '')
    return back !== undefined && hasLabel(back) ? [parcel, back] : [parcel]
  })
}

/**
 * Creates the returns of an upload's parcels that have none. The limit counts what the upload spent, too. Returns why some
 * were not created; the labels of the others are written all the same.
 */
async function createReturns(
  cli: CommandContext,
  numbers: readonly string[],
  { spent, limit }: { spent: Money | null; limit: string | undefined },
): Promise<Error | undefined> {
  // The scenario of the upload is that of its parcels.
  const own: CommandContext = { ...cli, globals: { ...cli.globals, scenario: undefined } }
  try {
    const set = await resolveParcelNames(await own.client(), numbers)
    const deed = await returnsOf(own, set, { label: 'box' })
    if (!own.settings.yes || limit !== undefined)
      await agree(own, await priceReturns(own, set, deed), spent, limit)
    const { outcomes, stopped } = await sendBulkAction(own, set, deed)
    const count = countOutcomes(outcomes).done
    await own.say(`${count === 1 ? '1 return' : `${count} returns`} created.`)
    return stopped ?? outcomes.find(({ error }) => error !== undefined)?.error
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Asks for consent to the price of returns. Throws AppError('price_above_limit' | 'not_confirmed'). */
async function agree(
  cli: CommandContext,
  price: PurchasePrice,
  spent: Money | null,
  limit: string | undefined,
): Promise<void> {
  if (price === 'free' || price.total === undefined) return
  const { total, what } = price
  const sum = { ...total, amount: total.amount + (spent?.amount ?? 0) }
  if (limit !== undefined) assertPriceWithinLimit(sum, limit, 'The parcels exist; no return was created.')
  await confirmYes(cli, `Create ${what} for ${formatGroupedMoney(total)}? Each is billed when it is sent.`)
}

/** The parcels are created by now, so the error must not look like one that was found before. */
const AGAIN = 'The parcels exist: run the same command again to get their labels; nothing is created twice.'

function unwritten(error: AppError): AppError {
  return new AppError('output_failed', error.message, { hint: AGAIN, cause: error })
}

function undrawn({ code, message, hint = '', extra }: AppError): AppError {
  return new AppError(code, message, { hint: `${hint} ${AGAIN}`, extra })
}
