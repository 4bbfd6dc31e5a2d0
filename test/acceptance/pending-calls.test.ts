import { expect } from 'vitest'
import type { Shipment, Shipments, CarrierUploadReport } from '../support/answers.ts'
import { createCommand, manifestLine, makeManifestCsv } from '../support/clerk.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { servedAcceptanceTest, acceptanceTest } from '../support/story.ts'
import type { AcceptanceContext } from '../support/story.ts'

const COMMAND = createCommand('A-1', '--json')

/** Runs the story through a proxy that can withhold responses. */
async function throughProxy(
  told: AcceptanceContext,
  tell: (env: { DRAY_BASE_URL: string }, holdNext: () => Promise<{ release(): void }>) => Promise<void>,
): Promise<void> {
  const proxy = await startFaultProxy(told.url ?? '')
  try {
    await tell({ DRAY_BASE_URL: proxy.url }, proxy.holdNext)
  } finally {
    await proxy.close()
  }
}

servedAcceptanceTest('killed after sending, the same command resumes with its key', async (told) => {
  await throughProxy(told, async (env, holdNext) => {
    const held = holdNext()
    const first = told.start(COMMAND, { env })
    await held
    first.kill('SIGKILL')
    await first.ended

    const open = await told.dray('pending list --json --query "data[].[state, operation]"', { env })
    expect(open.json()).toEqual([['open', 'create_shipment']])
    const again = await told.dray(COMMAND, { env })
    expect(again.stderr).toMatch(/^Resuming the call of \d\d:\d\d, £6\.12\.\n$/)
    expect(again.json<Shipment>().reference).toBe('A-1')
    expect((await told.dray('carrier list --json', { env })).json<Shipments>().data).toHaveLength(1)
    expect((await told.dray('pending list --json', { env })).json<Shipments>().data).toEqual([])
    expect((await told.dray('recent --query "data[].operation" --json', { env })).json()).toEqual([
      'create_shipment',
    ])
  })
})

servedAcceptanceTest(
  'killed after sending, the open call is shown, and given up by its key',
  async (told) => {
    await throughProxy(told, async (env, holdNext) => {
      const held = holdNext()
      const first = told.start(COMMAND, { env })
      await held
      first.kill('SIGKILL')
      await first.ended

      const shown = await told.dray('pending show --json', { env, isStarted: true })
      const { call_id, operation } = shown.json<{ call_id: string; operation: string }>()
      expect(operation).toBe('create_shipment')
      await told.dray(`pending resolve ${call_id} --discard --yes`, { env, isStarted: true })
      expect((await told.dray('pending list --json', { env })).json<Shipments>().data).toEqual([])
    })
  },
)

servedAcceptanceTest('two equal commands at once are two calls', async (told) => {
  await throughProxy(told, async (env, holdNext) => {
    const command = createCommand('', '--json').replace('--reference  ', '')
    const held = holdNext()
    const first = told.start(command, { env })
    const { release } = await held
    const second = await told.dray(command, { env })
    expect(second.stderr).toBe('')
    release()
    const ran = await first.ended
    expect(ran.exitCode).toBe(0)
    const { data } = (await told.dray('carrier list --json', { env })).json<Shipments>()
    expect(data.map(({ tracking_number }) => tracking_number).toSorted()).toEqual(
      [ran.json<Shipment>().tracking_number, second.json<Shipment>().tracking_number].toSorted(),
    )
    expect((await told.dray('pending list --json', { env })).json<Shipments>().data).toEqual([])
  })
})

acceptanceTest('dray recent lists created resources again, a file of parcels in one line', async (told) => {
  const made = (await told.dray(COMMAND)).json<Shipment>()
  const recent = await told.dray('recent --json --query "data[].[id, status, operation]"')
  expect(recent.json()).toEqual([[made.tracking_number, 'pre_transit', 'create_shipment']])
  await told.advance('5d')
  expect((await told.dray('recent --json --query "data[].[state, is_over]"')).json()).toEqual([
    ['delivered', true],
  ])

  told.write('day.csv', `${makeManifestCsv(3)}${manifestLine('BAD').replace('E1 6EA', 'nowhere')}\n`)
  const { batch_ids } = (
    await told.dray('carrier upload day.csv --yes --json', { exit: 9 })
  ).json<CarrierUploadReport>()
  await told.dray('carrier upload day.csv --yes --json', { exit: 9 })
  const [line] = (await told.dray('recent --json')).json<{ data: { command: string }[] }>().data
  expect(line).toMatchObject({
    id: batch_ids[0],
    state: 'partly_created',
    is_over: true,
    upload: { file: 'day.csv', batch_ids, created: 3, rejected: 1, not_sent: 0 },
  })
  const listed = await told.dray(`${line?.command.replace(/^dray /, '')} --json`)
  expect(listed.json<Shipments>().data).toHaveLength(3)
})
