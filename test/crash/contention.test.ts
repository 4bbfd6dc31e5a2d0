/**
 * Concurrent writers create each reference once, and no caller gets a locking error
 * (docs/rules/failure-model.md#a-write-locks-before-it-reads).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentBatch, PrintedFailure, Shipment, CarrierUploadReport } from '../support/answers.ts'
import { createCommand, makeManifestCsv, referenceOf } from '../support/clerk.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel, makeRows } from '../support/parcel.ts'
import { builtProgram, type CommandResult, startDray, splitCommandLine } from '../support/program.ts'
import { ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'
import { type TestResponse, openServers, type TestSandbox } from '../support/world.ts'

const MANY = 16

describe('sixteen commands at once on one embedded store', () => {
  let home: string

  beforeAll(async () => {
    await builtProgram()
  })

  const run = (line: string): Promise<CommandResult> =>
    startDray(splitCommandLine(line), {
      cwd: home,
      env: { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_NOW: '2026-11-20T09:00:00Z' },
    }).ended

  async function runAll(lines: string[]): Promise<CommandResult[]> {
    const ran = await Promise.all(lines.map(run))
    for (const { stderr, stdout } of ran) expect(stderr + stdout).not.toMatch(/locked|busy|SQLITE/i)
    return ran
  }

  async function stored(): Promise<string[]> {
    const [engine] = ENGINES
    if (engine === undefined) throw new Error('there is SQLite')
    const db = await openTestStore(engine, { location: join(home, 'dray/data/default/dray.db') })
    expect(await checkInvariants(db)).toEqual([])
    const rows = await db.read((tx) => tx.all('select reference from shipments order by reference'))
    await db.close()
    return rows.map((row) => String(row['reference']))
  }

  test('uploading the same manifest, on a machine where nothing is there yet, create each parcel once', async () => {
    home = await makeTempFolder()
    writeFileSync(join(home, 'm.csv'), makeManifestCsv(60))
    const ran = await runAll(
      Array.from({ length: MANY }, () => 'carrier upload m.csv --yes --json --results none'),
    )
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(ran.map(() => 0))
    const reports = ran.map((each) => each.json<CarrierUploadReport>())
    expect(reports.reduce((sum, { counts }) => sum + counts.created, 0)).toBe(60)
    expect(reports.every(({ counts }) => counts.created + counts.duplicate === 60)).toBe(true)
    // all callers get the same parcels
    const told = new Set(
      reports.map(({ data }) =>
        JSON.stringify(data.map(({ reference, tracking_number }) => [reference, tracking_number])),
      ),
    )
    expect(told.size).toBe(1)
    expect(await stored()).toEqual(Array.from({ length: 60 }, (_, index) => referenceOf(index)))
  })

  test('uploading overlapping manifests create each parcel once', async () => {
    home = await makeTempFolder()
    for (let at = 0; at < MANY; at++) {
      const [header, ...rows] = makeManifestCsv(40).trimEnd().split('\n')
      const own = [...rows.slice(at), ...rows.slice(0, at)].slice(0, 20)
      writeFileSync(join(home, `m${at}.csv`), [header, ...(at % 2 === 0 ? own : own.toReversed())].join('\n'))
    }
    const ran = await runAll(
      Array.from({ length: MANY }, (_, at) => `carrier upload m${at}.csv --yes --json --results none`),
    )
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(ran.map(() => 0))
    const references = await stored()
    expect(new Set(references).size).toBe(references.length)
    expect(references).toHaveLength(35)
    expect(ran.reduce((sum, each) => sum + each.json<CarrierUploadReport>().counts.created, 0)).toBe(35)
  })

  test('creating the same parcel: one does, the others are told which it is', async () => {
    home = await makeTempFolder()
    const ran = await runAll(Array.from({ length: MANY }, () => createCommand('SAME', '--json')))
    const winners = ran.filter(({ exitCode }) => exitCode === 0)
    expect(winners).toHaveLength(1)
    const number = winners[0]?.json<Shipment>().tracking_number
    const losers = ran.filter(({ exitCode }) => exitCode === 7).map((each) => each.json<PrintedFailure>())
    expect(losers).toHaveLength(MANY - 1)
    expect(losers.every((each) => each['existing_tracking_number'] === number)).toBe(true)
    expect(await stored()).toEqual(['SAME'])
  })

  test('making one call with one key: all get the same answer', async () => {
    home = await makeTempFolder()
    const ran = await runAll(
      Array.from({ length: MANY }, () => createCommand('SAME', '--idempotency-key k --json')),
    )
    expect(ran.map(({ exitCode }) => exitCode)).toEqual(ran.map(() => 0))
    expect(new Set(ran.map(({ stdout }) => stdout)).size).toBe(1)
    expect(await stored()).toEqual(['SAME'])
  })
})

describe('sixteen connections at once on one PostgreSQL', () => {
  let worlds: TestSandbox[]

  async function openAll(): Promise<void> {
    worlds = await openServers(MANY)
  }

  /** Makes calls on all connections at once; each connection makes its calls one after the other. */
  async function callAll(calls: (at: number) => Parameters<TestSandbox['call']>[]): Promise<TestResponse[]> {
    const answers = await Promise.all(
      worlds.map(async (world, at) => {
        const own: TestResponse[] = []
        for (const call of calls(at)) own.push(await world.call(...call))
        return own
      }),
    )
    const all = answers.flat()
    expect(all.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
    const [first] = worlds
    expect(first && (await checkInvariants(first.db))).toEqual([])
    return all
  }

  async function references(): Promise<unknown[]> {
    const rows = await worlds[0]?.db.read((tx) =>
      tx.all('select reference from shipments order by reference'),
    )
    return rows?.map((row) => row['reference']) ?? []
  }

  test('creating the same references, in any order, create each once', async () => {
    await openAll()
    const rows = makeRows(50)
    const answers = await callAll((at) => [
      ['create_shipments_batch', { shipments: at % 2 === 0 ? rows : rows.toReversed() }],
      ['create_shipments_batch', { shipments: rows.slice(at) }],
    ])
    expect(await references()).toHaveLength(50)
    const batches = answers.map(({ body }) => body as unknown as ShipmentBatch)
    expect(batches.reduce((sum, { counts }) => sum + counts.created, 0)).toBe(50)
    expect(batches.reduce((sum, { counts }) => sum + counts.rejected, 0)).toBe(0)
    // the list is in the order of creation, whoever created the parcel
    const listed = await worlds[0]?.ok('list_shipments', { limit: 100 })
    expect(listed?.data).toHaveLength(50)
  })

  test('creating one parcel: one does, the others are told which it is', async () => {
    await openAll()
    const answers = await callAll(() => [['create_shipment', makeParcel({ reference: 'SAME' })]])
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(1)
    const number = created[0]?.body['tracking_number']
    const refused = answers.filter(({ body }) => body['code'] === 'duplicate_reference')
    expect(refused).toHaveLength(MANY - 1)
    expect(refused.every(({ body }) => body['existing_tracking_number'] === number)).toBe(true)
  })

  test('creating, calling off and reading while the clock has moved end well', async () => {
    await openAll()
    const made = await worlds[0]?.ok('create_shipments_batch', { shipments: makeRows(40, 'OLD') })
    const numbers = made?.results.map(({ tracking_number }) => tracking_number) ?? []
    // Collections of all forty are due, and no request has processed them yet.
    await worlds[0]?.db.write((tx) => tx.run('update world set clock_service = clock_service + 36000000'))
    const answers = await callAll((at) => [
      ['cancel_shipment', { tracking_number: numbers[at] }],
      ['list_shipments', { limit: 100 }],
      ['create_shipments_batch', { shipments: makeRows(10, `NEW${at % 4}-`) }],
      ['get_shipment', { tracking_number: numbers[39 - at] }],
      ['cancel_shipment', { tracking_number: numbers[(at + 1) % MANY] }],
    ])
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    expect(await references()).toHaveLength(80)
    const statuses = await worlds[0]?.db.read((tx) =>
      tx.all('select status, count(*) as count from shipments group by status order by status'),
    )
    expect(statuses?.map((row) => [row['status'], row['count']])).toEqual([
      ['cancelled', MANY],
      ['in_transit', 40 - MANY],
      ['pre_transit', 40],
    ])
  })
})
