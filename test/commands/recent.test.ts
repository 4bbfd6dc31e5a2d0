/** `dray recent`: resources created on this machine, and their statuses. */
import { expect, test } from 'vitest'
import type { ClientCallOptions, Client } from '../../src/client/client.ts'
import { withOperationTypes } from '../../src/client/client.ts'
import type { WithState } from '../../src/commands/recent-states.ts'
import { recent } from '../../src/commands/recent.command.ts'
import { AppError } from '../../src/core/errors.ts'
import { type CreatedResource, saveCreatedResource, saveEntry } from '../../src/local-state/recent.ts'
import { type Home, makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { runCommand } from '../support/run-command.ts'

const URL = 'http://127.0.0.1:9'

/** Stores rides as if they had been requested on this machine. */
function saveRides(home: Home, ids: readonly string[], over: Partial<CreatedResource> = {}): void {
  for (const ride_id of ids)
    saveCreatedResource(home, { profile: 'default', service: URL, account: null, ...over }, 'request_ride', {
      value: { ride_id, status: 'processing', fare: { amount: 860, currency: 'GBP' } },
      status: 201,
      replayed: false,
      requestId: 'req_1',
      serviceTime: { now: 0, frozen: true },
    })
}

type RideStatusCall = { id: unknown; as: ClientCallOptions['as'] }

/** Opens a service with these statuses of rides. */
function serviceOf(
  states: Readonly<Record<string, string>>,
  asked: RideStatusCall[] = [],
): () => Promise<Client> {
  const call = withOperationTypes(async (_operation, input, options) => {
    const id = String(input['ride_id'])
    asked.push({ id, as: options?.as })
    const status = states[id]
    if (status === undefined) throw new AppError('ride_not_found', `There is no ride ${id}.`)
    if (status === 'hidden') throw new AppError('insufficient_scope', 'The token may not read rides.')
    const value = { ride_id: id, status, status_history: [], stops: [], driver: null, refund: null }
    return { value: { ...RIDE, ...value }, status: 200, replayed: false, requestId: '', serviceTime: TIME }
  })
  return async () => ({ call, close: async () => {} }) as unknown as Client
}
const TIME = { now: 0, frozen: true }
const RIDE = {
  tier: 'economy',
  fare: { amount: 860, currency: 'GBP' },
  pickup: { name: 'A', location: { latitude: 51.5, longitude: -0.1 } },
  dropoff: { name: 'B', location: { latitude: 51.6, longitude: -0.1 } },
  pickup_eta_seconds: null,
  dropoff_eta_at: null,
  vehicle: null,
  vehicle_location: null,
  cancellation: null,
  receipt: null,
}

const look = (home: Home, openClient: () => Promise<Client>, ...argv: string[]) =>
  runCommand(home, recent, ['--base-url', URL, ...argv], { openClient, io: memoryIo({ env: home.env }) })

async function rowsOf(home: Home, openClient: () => Promise<Client>, ...argv: string[]): Promise<unknown[]> {
  const { data } = (await look(home, openClient, '--json', ...argv)).json() as { data: WithState[] }
  return data.map(({ id, state, is_over, is_current }) => [id, state, is_over, is_current])
}

test('says how each thing is, and asks no more about what has ended', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  saveRides(home, ['rid_1', 'rid_2'])
  const asked: RideStatusCall[] = []
  expect(await rowsOf(home, serviceOf({ rid_1: 'completed', rid_2: 'arriving' }, asked))).toEqual([
    ['rid_2', 'arriving', false, true],
    ['rid_1', 'completed', true, true],
  ])
  expect(await rowsOf(home, serviceOf({ rid_2: 'cancelled' }, asked))).toEqual([
    ['rid_2', 'cancelled', true, true],
    ['rid_1', 'completed', true, true],
  ])
  expect(asked.map(({ id }) => id)).toEqual(['rid_2', 'rid_1', 'rid_2'])
})

test('lists what was seen last when the service cannot be reached', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  saveRides(home, ['rid_1', 'rid_2'])
  await rowsOf(home, serviceOf({ rid_1: 'completed', rid_2: 'arriving' }))
  const gone = async (): Promise<Client> => {
    throw new AppError('network_error', 'Nobody answers.')
  }
  expect(await rowsOf(home, gone)).toEqual([
    ['rid_2', 'arriving', false, false],
    ['rid_1', 'completed', true, true],
  ])
  const io = memoryIo({ tty: true, columns: 100, env: { ...home.env, NO_COLOR: '1' } })
  await runCommand(home, recent, ['--base-url', URL], { openClient: gone, io })
  expect(io.out()).toMatch(/rid_2 .*was arriving/)
  expect(io.err()).toContain('Nobody answers. Some statuses are the last known ones.')
})

test('a long list is not a long wait: the newest are read, the others are as they were', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  const ids = Array.from({ length: 80 }, (_, at) => `rid_${at}`)
  saveRides(home, ids)
  const asked: RideStatusCall[] = []
  const states = Object.fromEntries(ids.map((id) => [id, 'arriving']))
  const rows = await rowsOf(home, serviceOf(states, asked))
  expect(rows).toHaveLength(80)
  expect(asked).toHaveLength(50)
  expect(rows.at(-1)).toEqual(['rid_0', 'processing', false, false])
  asked.length = 0
  await rowsOf(home, serviceOf(states, asked), '--limit', '2')
  expect(asked.map(({ id }) => id)).toEqual(['rid_79', 'rid_78'])
  const limited = (...argv: string[]) => look(home, serviceOf(states), '--limit', '2', ...argv)
  expect((await limited('--json')).json()).toMatchObject({ has_more: true })
  // The command has no --all.
  for (const flags of [[], ['--json'], ['--output', 'csv']])
    expect((await limited(...flags)).err).not.toContain('--all')
})

test('a resource that is elsewhere or gone shows its last known status', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  saveRides(home, ['rid_far'], { service: 'https://elsewhere.example' })
  saveRides(home, ['rid_here', 'rid_hidden', 'rid_gone'])
  const asked: RideStatusCall[] = []
  const states = { rid_here: 'completed', rid_hidden: 'hidden' }
  expect(await rowsOf(home, serviceOf(states, asked))).toEqual([
    ['rid_gone', 'processing', false, false],
    ['rid_hidden', 'processing', false, false],
    ['rid_here', 'completed', true, true],
    ['rid_far', 'processing', false, false],
  ])
  expect(asked.map(({ id }) => id)).toEqual(['rid_gone', 'rid_hidden', 'rid_here'])
})

test('in a store each thing is read as the account that created it', async () => {
  using home = makeHome()
  const service = `${home.paths.data}/default/dray.db`
  saveRides(home, ['rid_1'], { service, account: 'member' })
  const asked: RideStatusCall[] = []
  await runCommand(home, recent, ['--json'], { openClient: serviceOf({ rid_1: 'completed' }, asked) })
  expect(asked).toEqual([{ id: 'rid_1', as: 'member' }])
})

test('an upload is one line for people: how many, of which file, and how to list them', async () => {
  using home = makeHome()
  const service = `${home.paths.data}/default/dray.db`
  const counts = { created: 500, duplicate: 2, rejected: 1, not_sent: 7 }
  saveEntry(home, {
    id: 'bat_1',
    operation: 'create_shipments_batch',
    quote_id: null,
    total: { amount: 204000, currency: 'GBP' },
    status: 'interrupted',
    created_at: '2026-11-20T09:00:00.000Z',
    profile: 'default',
    service,
    account: 'everything',
    upload: { file: 'big.csv', batch_ids: ['bat_1', 'bat_2'], ...counts },
  })
  const io = memoryIo({ tty: true, columns: 200, env: { ...home.env, NO_COLOR: '1' } })
  await runCommand(home, recent, [], { io })
  expect(io.out()).toContain('500 created, 2 already there, 1 rejected, 7 not sent in 2 batches: big.csv')
  expect(io.out() + io.err()).toContain(
    '`dray carrier list --batch bat_1 --as everything` lists the parcels of an upload',
  )
})

test('a parcel that was cancelled after it was lost is read again, and shown as cancelled', async () => {
  using home = makeHome({ DRAY_TOKEN: 'dray_sbx_test' })
  const answer = { status: 201, replayed: false, requestId: 'req_1', serviceTime: TIME }
  const by = { profile: 'default', service: URL, account: null }
  const value = { tracking_number: 'ZC968043370GB', status: 'pre_transit' }
  saveCreatedResource(home, by, 'create_shipment', { ...answer, value })
  const parcelThatIs = (status: string) => async () =>
    ({ call: async () => ({ ...answer, value: { ...value, status } }), close: async () => {} }) as never
  expect(await rowsOf(home, parcelThatIs('lost'))).toEqual([['ZC968043370GB', 'lost', false, true]])
  expect(await rowsOf(home, parcelThatIs('cancelled'))).toEqual([['ZC968043370GB', 'cancelled', true, true]])
  expect(await rowsOf(home, parcelThatIs('pre_transit'))).toEqual([
    ['ZC968043370GB', 'cancelled', true, true],
  ])
})

test('help names the same most rows as --limit, and says how many the journal has', () => {
  expect(recent.description).toContain('the last 200')
  expect(recent.description).toContain('`--limit` lists at most 100 of them; without it all are listed.')
})
