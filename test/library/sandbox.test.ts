/** Sandboxes within a test's own process, by `dray/testing`. */
import { describe, expect, test } from 'vitest'
import type { Input, Sandbox } from '../../src/library/testing-types.ts'
import { DrayError, sandboxTest, startSandbox, withSandbox } from '../../src/library/testing.ts'
import { makeParcel } from '../support/parcel.ts'

const NOON = { seed: 7, now: '2026-11-20T12:00:00Z' }
const CARD = { method: 'card', payment_token: 'tok_ok' } as const

/** Requests a ride of a customer. */
async function requestRide(sandbox: Sandbox) {
  const rider = sandbox.as('member')
  const { quote_id } = await rider.quoteRide({
    pickup: { name: 'kings-cross' },
    dropoff: { name: 'bank' },
  })
  return rider.requestRide({ quote_id, tier: 'economy', payment: CARD })
}

describe('a sandbox', () => {
  test('is the same each time for a seed, a time and the same calls, to the byte', async () => {
    const bytesOf = async (options: object): Promise<string> => {
      await using sandbox = await startSandbox({ ...NOON, ...options })
      await requestRide(sandbox)
      await sandbox.token('shipper')
      await sandbox.clock.advance('1h')
      return Buffer.from(await sandbox.snapshot()).toString()
    }
    const first = await bytesOf({})
    expect(await bytesOf({})).toBe(first)
    // As `DRAY_SEED` has it.
    expect(await bytesOf({ seed: '7' })).toBe(first)
    expect(await bytesOf({ seed: 7n, now: new Date(NOON.now) })).toBe(first)
    expect(await bytesOf({ seed: 'seven' })).not.toBe(first)
    expect(
      await withSandbox(NOON, async (sandbox) => {
        await requestRide(sandbox)
        await sandbox.token('shipper')
        await sandbox.clock.advance('1h')
        return Buffer.from(await sandbox.snapshot()).toString()
      }),
    ).toBe(first)
  })

  test('sees nothing of another one beside it', async () => {
    await using one = await startSandbox(NOON)
    await using other = await startSandbox(NOON)
    const { ride_id } = await requestRide(one)
    expect((await other.as('member').refused('get_ride', { ride_id })).code).toBe('ride_not_found')
    await one.clock.advance('1h')
    expect([await one.clock.now(), await other.clock.now()]).toEqual([
      '2026-11-20T13:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ])
  })

  test('refuses options that fit no sandbox, with their name', async () => {
    const wrong: [options: object, member: string][] = [
      [{ sead: 7 }, 'sead'],
      [{ seed: -1 }, 'seed'],
      [{ seed: 1.5 }, 'seed'],
      [{ seed: 2 ** 53 }, 'seed'],
      [{ seed: '' }, 'seed'],
      [{ seed: null }, 'seed'],
      [{ now: '2026-11-20' }, 'now'],
      [{ now: new Date('never') }, 'now'],
      [{ supply: 'many' }, 'supply'],
      [{ http: 'yes' }, 'http'],
    ]
    for (const [options, member] of wrong) {
      const refusal = await startSandbox(options as object).catch((error: unknown) => error)
      expect([options, refusal]).toEqual([options, expect.any(DrayError)])
      expect((refusal as DrayError).errors).toMatchObject([{ pointer: `/${member}` }])
    }
  })

  test('refuses every call after its end', async () => {
    const sandbox = await startSandbox(NOON)
    const member = sandbox.as('member')
    await Promise.all([sandbox.close(), sandbox.close()])
    await expect(member.getMembershipStatus()).rejects.toThrow('The sandbox is closed.')
    await expect(sandbox.clock.advance('1h')).rejects.toThrow('The sandbox is closed.')
    await expect(sandbox.snapshot()).rejects.toThrow('The sandbox is closed.')
  })

  test('comes back to a snapshot, and its tokens stay valid', async () => {
    await using sandbox = await startSandbox({ ...NOON, http: true })
    const headers = { Authorization: `Bearer ${await sandbox.token('member')}` }
    const { ride_id } = await requestRide(sandbox)
    const before = await sandbox.snapshot()
    await sandbox.clock.until(ride_id, 'completed')
    await sandbox.restore(before)
    const answer = await fetch(`${sandbox.url}/v1/rides/${ride_id}`, { headers })
    expect(await answer.json()).toMatchObject({ status: 'processing' })
    await expect(sandbox.restore(before.subarray(0, 5000))).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await sandbox.snapshot()).toEqual(before)
  })
})

describe('a sandbox that begins anew', () => {
  test('tells its listeners of what happens then, and of nothing that it began with', async () => {
    await using sandbox = await startSandbox(NOON)
    const told: string[] = []
    sandbox.on('ride.*', ({ type }) => told.push(type))
    await requestRide(sandbox)
    const before = await sandbox.snapshot()
    await sandbox.restore(before)
    await sandbox.control.reset({ at: NOON.now })
    await requestRide(sandbox)
    expect(told).toEqual(['ride.processing', 'ride.processing'])
  })

  test('tells of nothing that a snapshot brought along, and of what happens after it', async () => {
    const saved = await withSandbox(NOON, async (sandbox) => {
      await requestRide(sandbox)
      await sandbox.clock.advance('1h')
      return sandbox.snapshot()
    })
    await using sandbox = await startSandbox(NOON)
    const told: string[] = []
    sandbox.on('ride.*', ({ type }) => told.push(type))
    await sandbox.restore(saved)
    await sandbox.as('member').listRides()
    expect(told).toEqual([])
    await requestRide(sandbox)
    expect(told).toEqual(['ride.processing'])
  })

  test('refuses the positions of before, and so does the next sandbox', async () => {
    const read = async (sandbox: Sandbox, after?: string) =>
      sandbox.as('member').listAccountEvents(after === undefined ? {} : { after })
    const { last } = await withSandbox(NOON, async (sandbox) => {
      await requestRide(sandbox)
      const { last } = await read(sandbox)
      const before = await sandbox.snapshot()
      await sandbox.restore(before)
      await expect(read(sandbox, last)).rejects.toMatchObject({ code: 'position_gone' })
      return read(sandbox)
    })
    await withSandbox(NOON, async (sandbox) => {
      await requestRide(sandbox)
      await expect(read(sandbox, last)).rejects.toMatchObject({ code: 'position_gone' })
    })
  })
})

describe('the world that tests take in turn', () => {
  test('forgets all that a test did, and what was read meanwhile', async () => {
    const balance = (sandbox: Sandbox) => sandbox.control.getWallet({ account: 'member' })
    const look = async (sandbox: Sandbox) => ({
      now: await sandbox.clock.now(),
      wallet: await balance(sandbox),
      rides: (await sandbox.as('member').listRides()).data,
      menu: (await sandbox.as('owner').listCatalogItems({ limit: 3 })).data,
      accounts: (await sandbox.control.listAccounts()).data.length,
      membership: (await sandbox.as('guest').getMembershipStatus()).status,
      calls: await sandbox.calls(),
    })
    const before = await withSandbox(NOON, look)
    await withSandbox(NOON, async (sandbox) => {
      await requestRide(sandbox)
      const [item] = before.menu
      if (item === undefined) throw new Error('the store has no items')
      await sandbox.as('owner').updateCatalogItem({ item_id: item.item_id, name: 'Something else' })
      await sandbox.control.setMembership({ account: 'guest', status: 'active' })
      await sandbox.control.addAccount({ handle: 'newcomer' })
      await sandbox.clock.advance('3d')
      expect(await look(sandbox)).not.toEqual(before)
    })
    expect(await withSandbox(NOON, look)).toEqual(before)
  })

  test('is given back by a test that fails', async () => {
    const failing = withSandbox(NOON, async (sandbox) => {
      await requestRide(sandbox)
      throw new Error('as it should')
    })
    await expect(failing).rejects.toThrow('as it should')
    expect(await withSandbox(NOON, async ({ as }) => (await as('member').listRides()).data)).toEqual([])
  })

  test('is that of its own seed, time and supply, whatever others were before', async () => {
    const look = (options: object) =>
      withSandbox({ ...NOON, ...options }, async ({ control }) => {
        const { supply, seed, clock } = await control.getStatus()
        return [supply, seed, clock.now]
      })
    const noon = '2026-11-20T12:00:00.000Z'
    expect(await look({})).toEqual(['normal', '7', noon])
    expect(await look({ supply: 'scarce' })).toEqual(['scarce', '7', noon])
    expect(await look({ supply: 'unlimited' })).toEqual(['unlimited', '7', noon])
    expect(await look({ seed: 8 })).toEqual(['normal', '8', noon])
    expect(await look({ now: '2026-11-21T12:00:00Z' })).toEqual(['normal', '7', '2026-11-21T12:00:00.000Z'])
    expect(await look({})).toEqual(['normal', '7', noon])
  })

  test('gets no call that a test before it left running', async () => {
    let left: Promise<unknown> | undefined
    await withSandbox(NOON, async (sandbox) => {
      left = Promise.allSettled([requestRide(sandbox), sandbox.control.setSupply({ supply: 'scarce' })])
    })
    const supply = await withSandbox(NOON, async ({ as, control }) => {
      await left
      expect((await as('member').listRides()).data).toEqual([])
      return (await control.getStatus()).supply
    })
    expect(supply).toBe('normal')
  })

  test('is another one for each of two tests at the same time', async () => {
    const ride = () =>
      withSandbox(NOON, async (sandbox) => {
        await requestRide(sandbox)
        return (await sandbox.as('member').listRides()).data.length
      })
    expect(await Promise.all([ride(), ride(), ride()])).toEqual([1, 1, 1])
  })

  test('undoes a call that failed within, and keeps those before it', () =>
    withSandbox(NOON, async (sandbox) => {
      const ride = await requestRide(sandbox)
      const refusals = await Promise.all([
        sandbox.as('member').refused('cancel_ride', { ride_id: 'rid_0', reason_code: 'changed_plans' }),
        sandbox.as('guest').refused('get_ride', { ride_id: ride.ride_id }),
      ])
      expect(refusals.map(({ code }) => code)).toEqual(['ride_not_found', 'ride_not_found'])
      expect((await sandbox.as('member').getRide({ ride_id: ride.ride_id })).status).toBe('processing')
    }))
})

describe('the clock', () => {
  test('moves until a resource comes to a status, and tells by which event', () =>
    withSandbox(NOON, async (sandbox) => {
      const ride = await requestRide(sandbox)
      expect(await sandbox.clock.until(ride, 'arriving')).toMatchObject({
        type: 'ride.arriving',
        to: 'arriving',
      })
      // It has the status: nothing moves.
      const now = await sandbox.clock.now()
      await sandbox.clock.until(ride, 'arriving')
      expect(await sandbox.clock.now()).toBe(now)
      await expect(sandbox.clock.until(ride, 'accepted')).rejects.toMatchObject({
        code: 'invalid_state',
        message: `${ride.ride_id} is completed, and comes to no other status.`,
      })
    }))

  test('moves for no resource that there is not, and no longer than it may', () =>
    withSandbox(NOON, async (sandbox) => {
      const { clock } = sandbox
      await expect(clock.until('rid_0', 'completed')).rejects.toMatchObject({ code: 'ride_not_found' })
      await expect(clock.until({ name: 'a ride' }, 'completed')).rejects.toMatchObject({
        code: 'invalid_request',
      })
      const ride = await requestRide(sandbox)
      await expect(clock.until(ride, 'completed', { within: '1m' })).rejects.toMatchObject({
        message: `${ride.ride_id} is accepted, and is not completed within 1m.`,
      })
    }))
})

describe('listeners', () => {
  test('are told of each event of their type, in order, before the call returns', () =>
    withSandbox(NOON, async (sandbox) => {
      const told: string[] = []
      const end = sandbox.on('ride.*', ({ type }) => told.push(type))
      const paid: [string, number][] = []
      sandbox.on('payment.paid', ({ data: { resource_id, amount } }) =>
        paid.push([resource_id, amount.amount]),
      )
      const ride = await requestRide(sandbox)
      expect(paid).toEqual([[ride.ride_id, ride.fare.amount]])
      expect(told).toContain('ride.processing')
      await sandbox.clock.until(ride, 'arrived')
      expect(told.filter((type) => type.startsWith('ride.'))).toEqual([
        'ride.processing',
        'ride.accepted',
        'ride.arriving',
        'ride.arrived',
      ])
      end()
      const { length } = told
      await sandbox.as('member').cancelRide({ ride_id: ride.ride_id, reason_code: 'changed_plans' })
      expect(told.length).toBe(length)
    }))

  test('may fail the call that they are told of, and are refused for a type that no event has', () =>
    withSandbox(NOON, async (sandbox) => {
      expect(() => sandbox.on('rides.completed' as 'ride.completed', () => {})).toThrow(
        'must be *, or begin with',
      )
      expect(() => sandbox.on('ride' as 'ride.completed', () => {})).toThrow('must be *, or begin with')
      expect(() => sandbox.on('payment.settled' as 'payment.paid', () => {})).toThrow(
        'must be one of payment.*, payment.unpaid, payment.paid',
      )
      sandbox.on('ride.processing', () => {
        throw new Error('not this ride')
      })
      await expect(requestRide(sandbox)).rejects.toThrow('not this ride')
    }))

  test('fail the end of a sandbox for what a call over HTTP made', async () => {
    const sandbox = await startSandbox({ ...NOON, http: true })
    sandbox.on('membership.*', () => {
      throw new Error('no membership')
    })
    const answer = await fetch(`${sandbox.url}/sandbox/accounts/guest/membership`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${sandbox.controlToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'active' }),
    })
    expect(answer.status).toBe(500)
    await sandbox.close()
  })
})

test('the calls say who called what, in the order of their answers', () =>
  withSandbox({ ...NOON, http: true }, async (sandbox) => {
    const { ride_id } = await requestRide(sandbox)
    await sandbox.as('guest').refused('get_ride', { ride_id })
    await fetch(`${sandbox.url}/v1/rides?limit=2`, {
      headers: { Authorization: `Bearer ${await sandbox.token('lapsed')}` },
    })
    const calls = await sandbox.calls()
    expect(
      calls.map(({ account, operation, status, code, transport }) => [
        account,
        operation,
        status,
        code,
        transport,
      ]),
    ).toEqual([
      ['member', 'quote_ride', 200, null, 'embedded'],
      ['member', 'request_ride', 201, null, 'embedded'],
      ['guest', 'get_ride', 404, 'ride_not_found', 'embedded'],
      ['lapsed', 'list_rides', 200, null, 'http'],
    ])
    expect(calls.map(({ input }) => input)).toMatchObject([
      { dropoff: { name: 'bank' } },
      { tier: 'economy' },
      { ride_id },
      { limit: '2' },
    ])
    expect(await sandbox.calls({ operation: 'get_ride', status: 404 })).toHaveLength(1)
  }))

test('a call that must be refused fails when it is carried out', () =>
  withSandbox(NOON, async ({ as }) => {
    await expect(as('member').refused('list_rides', {})).rejects.toThrow(
      'list_rides was to be refused, and answered {"data":[]',
    )
  }))

test('a test of any runner gets a sandbox, its own arguments, and no parameter of its own', async () => {
  const made: { name: string; run: (...context: string[]) => Promise<void>; rest: unknown[] }[] = []
  const runner = (name: string, run: (...context: string[]) => Promise<void>, ...rest: never[]) =>
    made.push({ name, run, rest })
  const seen: unknown[] = []
  const it = sandboxTest(runner, { seed: 9 })
  it('is a test', async (sandbox, context) => void seen.push(sandbox.seed, context), 500)
  const [{ name, run, rest } = expect.fail('no test was made')] = made
  await run('its context')
  expect([name, run.length, rest, seen]).toEqual(['is a test', 0, [500], ['9', 'its context']])
})

describe('injected faults', () => {
  test('lose the answer of a call whose retry buys once', () =>
    withSandbox(NOON, async (sandbox) => {
      await sandbox.fault({ operation: 'request_ride', after_commit: true, times: 1 })
      const member = sandbox.as('member')
      const places = { pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } }
      const { quote_id } = await member.quoteRide(places)
      const payment = { method: 'card', payment_token: 'tok_ok' } as const
      const buy = () => member.requestRide({ quote_id, tier: 'economy', payment }, { idempotencyKey: 'mine' })
      await expect(buy()).rejects.toMatchObject({
        code: 'network_error',
        extra: { idempotency_key: 'mine' },
      })
      const { ride_id } = await buy()
      expect((await member.listRides()).data.map((ride) => ride.ride_id)).toEqual([ride_id])
      expect((await sandbox.control.listFaults()).data).toMatchObject([{ seen: 1, hits: 1 }])
    }))

  test('fail one call that names its fault', () =>
    withSandbox(NOON, async (sandbox) => {
      const lost = sandbox.as('member').listRides({}, { fault: 'status=503' })
      await expect(lost).rejects.toMatchObject({ code: 'service_unavailable' })
      expect((await sandbox.as('member').listRides()).data).toEqual([])
    }))
})

test('two snapshots differ by their digest, and sandbox.diff says in what', async () => {
  await using sandbox = await startSandbox({ seed: 7 })
  const before = await sandbox.snapshot()
  expect((await sandbox.snapshot()).digest).toBe(before.digest)
  expect(Object.keys(before)).not.toContain('digest')
  await sandbox.as('shipper').createShipment(makeParcel() as unknown as Input<'create_shipment'>)
  const after = await sandbox.snapshot()
  expect(after.digest).not.toBe(before.digest)
  expect(after.digest).toMatch(/^[0-9a-f]{64}$/)
  const changed = await sandbox.diff(before)
  expect(changed.same).toBe(false)
  expect(changed.data).toContainEqual(expect.objectContaining({ kind: 'parcel', change: 'added' }))
  expect(await sandbox.diff(before, after)).toEqual(changed)
  expect(await sandbox.diff(before, before)).toMatchObject({ same: true, data: [] })
  await sandbox.restore(before)
  await sandbox.control.setSupply({ supply: 'scarce' })
  expect(await sandbox.diff(before, undefined, { ignore: ['supply'] })).toMatchObject({ same: true })
  await expect(sandbox.diff(before, undefined, { ignore: ['a b'] })).rejects.toThrow('ignore: a b is not')
})

test('the coverage is that of the calls of this sandbox', async () => {
  await using sandbox = await startSandbox({ seed: 7 })
  await sandbox.as('member').refused('get_ride', { ride_id: 'rid_00000000000000000000000000' })
  const { operations, data } = await sandbox.coverage()
  expect(operations.seen).toBe(1)
  expect(data.find(({ subject }) => subject === 'get_ride')?.seen).toEqual(['404 ride_not_found'])
  expect((await sandbox.coverage({ account: 'shipper' })).operations.seen).toBe(0)
})
