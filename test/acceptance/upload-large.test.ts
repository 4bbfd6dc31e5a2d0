import { expect } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import type { PrintedFailure, Shipments, CarrierUploadReport } from '../support/answers.ts'
import { makeManifestCsv } from '../support/clerk.ts'
import {
  isolatedAcceptanceTest,
  servedAcceptanceTest,
  type AcceptanceContext,
  acceptanceTest,
} from '../support/story.ts'

/** Enough batches for a signal to arrive during one of them. */
const MANY = 6000
const BATCHES = MANY / 500

acceptanceTest('more than 500 parcels need --split; without it nothing is sent', async (told) => {
  told.write('big.csv', makeManifestCsv(501))
  const refused = await told.dray('carrier upload big.csv --yes --json', { exit: 2 })
  expect(refused.json<PrintedFailure>()).toMatchObject({ code: 'usage', exit_code: 2 })
  expect(refused.json<PrintedFailure>().hint).toContain('--split')
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toEqual([])
  expect(told.exists('big.results.csv')).toBe(false)

  const report = (await told.dray('carrier upload big.csv --yes --split --json')).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 501, created: 501, rejected: 0, not_sent: 0 })
  expect(report.batch_ids).toHaveLength(2)
  expect(await told.store(countShipments)).toBe(501)

  const again = (await told.dray('carrier upload big.csv --yes --split --json')).json<CarrierUploadReport>()
  expect(again.counts).toMatchObject({ created: 0, duplicate: 501 })
})

acceptanceTest('exactly 500 parcels are one batch', async (told) => {
  told.write('full.csv', makeManifestCsv(500))
  const report = (await told.dray('carrier upload full.csv --yes --json')).json<CarrierUploadReport>()
  expect(report.counts.created).toBe(500)
  expect(report.batch_ids).toHaveLength(1)
})

isolatedAcceptanceTest(
  'an upload that was killed half-way is continued by the same command',
  async (told) => {
    const interrupted = await interruptUpload(told, 'SIGKILL')
    expect(interrupted.signal).toBe('SIGKILL')
    expect(told.exists('big.results.csv')).toBe(false)
    // The same file for another account is another upload, and does not touch the first one's record.
    const other = await told.start('carrier upload big.csv --as shipper --yes --split --json').ended
    expect(other.stderr).not.toContain('Continuing an earlier, unfinished upload')
    expect(other.json<CarrierUploadReport>().counts.created).toBe(MANY)
    await continueUpload(told)
    // The upload is complete: the same command starts again and finds all parcels.
    const again = await told.start('carrier upload big.csv --yes --split --json').ended
    expect(again.stderr).not.toContain('Continuing an earlier, unfinished upload')
    expect(again.json<CarrierUploadReport>().counts).toMatchObject({ created: 0, duplicate: MANY })
  },
)

isolatedAcceptanceTest(
  'Ctrl-C lets the batch under way end, and the same command goes on after it',
  async (told) => {
    const interrupted = await interruptUpload(told, 'SIGINT')
    expect(interrupted.exitCode).toBe(130)
    expect(interrupted.stderr).toContain('Running the same command again continues and creates nothing twice')
    const { counts, batch_ids } = interrupted.json<CarrierUploadReport>()
    expect(counts.created).toBe(500 * batch_ids.length)
    expect(counts.created + counts.not_sent).toBe(MANY)
    // Exactly the parcels reported as created exist.
    expect(await told.store(countShipments)).toBe(counts.created)
    expect(told.read('big.results.csv').match(/,not_sent,/g)).toHaveLength(counts.not_sent)
    await continueUpload(told)
  },
)

servedAcceptanceTest(
  'an upload outlives a crash of the service',
  async (told) => {
    told.write('big.csv', makeManifestCsv(MANY))
    const upload = told.start('carrier upload big.csv --yes --split --json --debug')
    await firstBatch(told)
    await told.crash()
    const { exitCode, stderr, json } = await upload.ended
    expect(exitCode, stderr).toBe(0)
    // At least one call was repeated: the crash happened during the upload.
    expect(stderr.match(/^POST \/v1\/shipments\/batch /gm)?.length).toBeGreaterThan(BATCHES)
    const report = json<CarrierUploadReport>()
    expect(report.counts).toMatchObject({ created: MANY, duplicate: 0, rejected: 0, not_sent: 0 })
    expect(await told.store(countShipments)).toBe(MANY)
  },
  { isStarted: true },
)

/** Uploads `big.csv` and sends the signal after the first batch, before the last. */
async function interruptUpload(told: AcceptanceContext, signal: 'SIGKILL' | 'SIGINT') {
  told.write('big.csv', makeManifestCsv(MANY))
  await told.dray('carrier hubs --json')
  const upload = told.start('carrier upload big.csv --yes --split --json')
  await firstBatch(told)
  upload.kill(signal)
  const ended = await upload.ended
  const done = await told.store(countShipments)
  expect(done % 500).toBe(0)
  expect(done / 500).toBeGreaterThan(0)
  expect(done / 500).toBeLessThan(BATCHES)
  return ended
}

async function firstBatch(told: AcceptanceContext): Promise<void> {
  await told.store(async (db) => {
    while ((await countShipments(db)) < 500) await new Promise((resolve) => setImmediate(resolve))
  })
}

async function continueUpload(told: AcceptanceContext): Promise<void> {
  const ran = await told.start('carrier upload big.csv --yes --split --json').ended
  expect(ran.exitCode, ran.stderr).toBe(0)
  expect(ran.stderr).toContain('Continuing an earlier, unfinished upload')
  // Completed batches get their first responses again: created, not duplicate.
  const report = ran.json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: MANY, created: MANY, duplicate: 0, rejected: 0, not_sent: 0 })
  expect(report.batch_ids).toHaveLength(BATCHES)
  expect(await told.store(countShipments)).toBe(MANY)
  const numbers = new Set(report.data.map(({ tracking_number }) => tracking_number))
  expect(numbers.size).toBe(MANY)
}

/** Counts the parcels of the story's account. */
async function countShipments(db: Db): Promise<number> {
  const row = await db.read((tx) =>
    tx.get(
      `select count(*) as count from shipments s join accounts a on a.carrier_agreement_id = s.agreement_id
       where a.handle = 'everything'`,
    ),
  )
  return Number(row?.['count'])
}
