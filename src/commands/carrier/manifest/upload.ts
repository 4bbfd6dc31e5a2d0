/** A manifest on its way: from a file of rows to parcels with tracking numbers. */
import type { ServiceLevelCode } from '../../../areas/carrier/rules/rates.ts'
import { rememberUpload } from '../../../cli/calls/created.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { type ProgressBar, startProgressOf } from '../../../cli/output/progress.ts'
import { commandLine } from '../../../cli/output/shell.ts'
import type { FileFlags } from '../../../cli/upload/flags.ts'
import { makeImportPrompts } from '../../../cli/upload/reader.ts'
import { type ReportForm, REPORT_FIELDS, type UploadKind } from '../../../cli/upload/upload.ts'
import type { OperationInput } from '../../../client/operations.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import type { ValidRow } from '../../../tabular/import/row-file.ts'
import { MANIFEST_FILE_KIND } from '../../../tabular/manifest/kind.ts'
import manifest from '../../../tabular/manifest/manifest.json' with { type: 'json' }
import {
  cancelledLines,
  type ManifestRow,
  findTrackingNumber,
  type ParcelOutcome,
  type ParcelsReport,
  repeatLines,
  summarizeParcels,
  PARCEL_MESSAGES,
  warningLines,
} from '../../../tabular/manifest/outcomes.ts'
import type { PriceBatch } from '../../../tabular/manifest/plan.ts'
import { type ManifestLookups, openManifest, type UnitFlags } from '../../../tabular/manifest/read.ts'
import { USUAL_LEVEL } from '../../../tabular/manifest/services.ts'
import { parseInclude } from '../../../tabular/manifest/skipped-orders.ts'
import { resolveHub, loadHubs } from '../hubs.ts'

export type ManifestFlags = FileFlags &
  UnitFlags & {
    service?: ServiceLevelCode | undefined
    'fallback-service'?: ServiceLevelCode | undefined
    hub?: string | undefined
    customer?: string | undefined
    'manifest-reference'?: string | undefined
    'max-total'?: string | undefined
    'recreate-cancelled'?: boolean | undefined
  }

/** The fields of a row that `--fields` may name. */
export const PARCEL_FIELDS = { fields: [...REPORT_FIELDS, ...manifest.report.fields] }

export const MANIFEST_REPORT: ReportForm<ParcelOutcome> = {
  ...manifest.report,
  idOf: (outcome) => findTrackingNumber(outcome) ?? null,
  next: ({ created, duplicate }) => (created + duplicate > 0 ? 'dray carrier list' : undefined),
}

type ManifestUpload = UploadKind<'create_shipments_batch', ManifestRow, ParcelOutcome, ParcelsReport>

export function manifestUpload(cli: CommandContext, flags: ManifestFlags): ManifestUpload {
  const { file = '', service: level = USUAL_LEVEL, hub, customer, 'manifest-reference': reference } = flags
  // A misspelt word is rejected before anything else happens.
  parseInclude(flags.include ?? [])
  const toBody = (rows: readonly ValidRow<ManifestRow>[]): OperationInput<'create_shipments_batch'> => ({
    shipments: rows.map(({ draft }) => draft),
    default_service_level: level,
    ...(hub !== undefined && { default_hub_id: hub }),
    ...(customer !== undefined && { customer }),
    ...(reference !== undefined && { manifest_reference: reference }),
    on_cancelled: flags['recreate-cancelled'] === true ? 'create' : 'skip',
  })
  const again = commandLine(['dray', ...cli.argv, '--recreate-cancelled'])
  return {
    kind: MANIFEST_FILE_KIND,
    sending: { operation: 'create_shipments_batch', label: 'Creating parcels', name: 'upload' },
    ...PARCEL_MESSAGES,
    async open(path, content) {
      // Each row would be rejected for it, under a column that the file does not have.
      if (hub !== undefined) {
        const client = await cli.client()
        await resolveHub(client, hub, await loadHubs(client, true))
      }
      const opened = await openManifest(makeImportPrompts(cli), { path, content }, flags, lookupsOf(cli))
      const fallback = flags['fallback-service']
      if (fallback === undefined) return opened
      return {
        ...opened,
        async read() {
          const { withFallback } = await import('../../../tabular/manifest/fallback.ts')
          const read = await opened.read()
          return withPrices(cli, (price) => withFallback(price, read, fallback, toBody))
        },
      }
    },
    async plan(read, good) {
      const { planUpload } = await import('../../../tabular/manifest/plan.ts')
      return withPrices(cli, (price) => planUpload(price, read, good, { toBody, level, again }))
    },
    // Every batch is priced by a call; with --yes only to be held against a limit.
    planIsDear: true,
    limit: flags['max-total'] ?? cli.settings.maxTotal,
    toBody,
    resultsOf: ({ results }) => results,
    sumUp: (outcomes, answers) => summarizeParcels(outcomes, listBatchIds(answers)),
    advice: (outcomes) => [
      ...cancelledLines(outcomes, again),
      ...repeatLines(outcomes),
      ...warningLines(outcomes),
    ],
    remember: (summary, at) => rememberUpload(cli, file, summary, at),
    createdText: ({ counts: { created }, total }) =>
      created > 0 && total !== null
        ? `${created} created for ${formatGroupedMoney(total)}`
        : `${created} created`,
    report: MANIFEST_REPORT,
  }
}

function listBatchIds(answers: readonly { batch_id?: string | null }[]): string[] {
  return answers.flatMap(({ batch_id }) => batch_id ?? [])
}

function lookupsOf(cli: CommandContext): ManifestLookups {
  return {
    async listHubs() {
      const { value } = await (await cli.client()).call('list_hubs', { limit: 100 })
      return value.data
    },
    async findParcels(reference) {
      const { value } = await (await cli.client()).call('list_shipments', { reference })
      return value.data
    },
  }
}

/** Runs what asks the service for the prices of batches, and shows how far it is. */
async function withPrices<T>(cli: CommandContext, run: (price: PriceBatch) => Promise<T>): Promise<T> {
  let progress: ProgressBar | undefined
  let done = 0
  try {
    return await run(async (body, total) => {
      progress ??= startProgressOf(cli, 'Pricing parcels', total)
      const client = await cli.client()
      const { results } = (await client.call('create_shipments_batch', body)).value
      done += results.length
      progress.update(done)
      return results
    })
  } finally {
    progress?.stop()
  }
}
