import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { classifyFailure } from '../../src/client/outcome.ts'
import { openRemote } from '../../src/client/remote.ts'
import { type Login, type LoginStore, makeTokenSession } from '../../src/client/session.ts'
import { sendValidResponse, raw, startFaults } from '../support/faults.ts'

/** Makes a login store in memory that records its use, and a service that renews logins. */
function makeParts(first: Login = { token: 't1', refreshToken: 'r1', account: 'shipper' }) {
  let kept: Login | undefined = first
  const steps: string[] = []
  let queue: Promise<unknown> = Promise.resolve()
  const store: LoginStore = {
    read: async () => kept,
    write: async (login) => {
      steps.push(`write ${login.token}`)
      kept = login
    },
    exclusive: (work) => {
      const done = queue.then(work)
      queue = done.catch(() => undefined)
      return done
    },
  }
  let count = 1
  const renew = async (login: Login): Promise<Login> => {
    count += 1
    steps.push(`renew ${login.refreshToken ?? login.client?.id}`)
    return { ...login, token: `t${count}`, refreshToken: `r${count}` }
  }
  const session = (account: string | undefined = 'shipper') =>
    makeTokenSession({ token: 't1', account, kept: store, renew })
  return { store, steps, session, put: (login: Login | undefined) => (kept = login) }
}

describe('a rejected token', () => {
  test('is renewed once for all calls of a process, and kept before it is used', async () => {
    const { session, steps } = makeParts()
    const { token, renewed } = session()
    expect(await token()).toBe('t1')
    expect(await Promise.all([renewed('t1'), renewed('t1'), renewed('t1')])).toEqual(['t2', 't2', 't2'])
    expect(steps).toEqual(['renew r1', 'write t2'])
    expect(await token()).toBe('t2')
    expect(await renewed('t1')).toBe('t2')
    expect(steps).toHaveLength(2)
  })

  test('is renewed once for all processes: the others use the first one’s token', async () => {
    const { session, steps } = makeParts()
    const processes = [session(), session(), session(), session()]
    expect(await Promise.all(processes.map(({ renewed }) => renewed('t1')))).toEqual(['t2', 't2', 't2', 't2'])
    expect(steps).toEqual(['renew r1', 'write t2'])
  })

  test('is renewed again when the next one is rejected too', async () => {
    const { session, steps } = makeParts()
    const { renewed } = session()
    await renewed('t1')
    expect(await renewed('t2')).toBe('t3')
    expect(steps).toEqual(['renew r1', 'write t2', 'renew r2', 'write t3'])
  })

  test('is requested with the secret of a program', async () => {
    const { session, steps } = makeParts({
      token: 't1',
      client: { id: 'cli_1', secret: 's' },
      account: 'shipper',
    })
    expect(await session().renewed('t1')).toBe('t2')
    expect(steps[0]).toBe('renew cli_1')
  })

  test.each<[string, Login | undefined]>([
    ['nothing is kept any more', undefined],
    ['it was given by hand', { token: 't1', account: 'shipper' }],
  ])('stays refused when %s', async (_name, login) => {
    const { session, put, steps } = makeParts()
    const { renewed } = session()
    put(login)
    expect(await renewed('t1')).toBeUndefined()
    expect(steps).toEqual([])
  })

  test('is not replaced by that of another account that logged in meanwhile', async () => {
    const { session, put, steps } = makeParts()
    const { renewed } = session()
    put({ token: 't9', refreshToken: 'r9', account: 'member' })
    await expect(renewed('t1')).rejects.toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    expect(steps).toEqual([])
  })

  test('is not used when it could not be saved, and the next call tries again', async () => {
    const { session, store } = makeParts()
    let full = true
    const keep = store.write
    store.write = async (login) => {
      if (full) throw new Error('disk full')
      return keep(login)
    }
    const { token, renewed } = session()
    await expect(renewed('t1')).rejects.toThrow('disk full')
    expect(await token()).toBe('t1')
    full = false
    expect(await renewed('t1')).toBe('t3')
  })
})

test('a token in a keyring is read once, when it is first needed', async () => {
  let reads = 0
  const kept: LoginStore = {
    read: async () => {
      reads += 1
      return { token: 'in the keyring' }
    },
    write: () => Promise.reject(new Error('not written here')),
    exclusive: (work) => work(),
  }
  const session = makeTokenSession({
    token: undefined,
    account: undefined,
    kept,
    renew: (login) => Promise.resolve(login),
  })
  expect(reads).toBe(0)
  expect([await session.token(), await session.token()]).toEqual(['in the keyring', 'in the keyring'])
  expect(reads).toBe(1)
})

describe('over HTTP', () => {
  /** Opens a service that accepts only the token `next`, and issues it for `dray_ref_1`. */
  async function openRenewing(renewal: (response: ServerResponse) => void, { lost = 0 } = {}) {
    const faults = await startFaults((response, nth, { url, headers }) => {
      if (nth < lost) return void raw(response).resetAndDestroy()
      if (url === '/oauth/token') return renewal(response)
      if (headers.authorization !== 'Bearer next')
        return sendValidResponse(response, 401, { code: 'invalid_token' })
      return sendValidResponse(response, 200, {})
    })
    let kept: Login = { token: 'old', refreshToken: 'dray_ref_1' }
    const client = await openRemote(
      {
        kind: 'remote',
        baseUrl: faults.url,
        token: 'old',
        controlToken: undefined,
        timeoutMs: 60_000,
        login: { profile: 'work', account: undefined },
      },
      {
        env: {},
        paths: { config: '/nowhere', data: '/nowhere', state: '/nowhere' },
        now: () => 0,
        elapsed: () => performance.now(),
        random: (count) => new Uint8Array(count).fill(7),
        weakRandomBytes: (count) => new Uint8Array(count),
        sleep: () => Promise.resolve(),
        debug() {},
        kept: {
          read: async () => kept,
          write: async (login) => void (kept = login),
          exclusive: (work) => work(),
        },
      },
    )
    onTestFinished(() => client.close())
    return { client, asked: faults.asked, kept: () => kept }
  }
  const given = (response: ServerResponse) =>
    sendValidResponse(response, 200, {
      access_token: 'next',
      refresh_token: 'dray_ref_2',
      token_type: 'Bearer',
    })
  const over = (response: ServerResponse): void => {
    response.writeHead(400, { 'Content-Type': 'application/json' })
    response.end('{"error":"invalid_grant"}')
  }

  test('the same call is made again with the same key, and the next pair is kept', async () => {
    const { client, asked, kept } = await openRenewing(given)
    // The response of this call does not matter.
    await client.call('cancel_ride', { ride_id: 'ride_1' }).catch(() => undefined)
    expect(asked.map(({ url, headers }) => [url, headers.authorization, headers['idempotency-key']])).toEqual(
      [
        ['/v1/rides/ride_1/cancel', 'Bearer old', expect.stringMatching(/^key_/)],
        ['/oauth/token', undefined, undefined],
        ['/v1/rides/ride_1/cancel', 'Bearer next', asked[0]?.headers['idempotency-key']],
      ],
    )
    expect(asked[2]?.body).toBe(asked[0]?.body)
    expect(kept()).toEqual({ token: 'next', refreshToken: 'dray_ref_2' })
  })

  test('a call is not repeated after the login has ended', async () => {
    const { client, asked, kept } = await openRenewing(over)
    await expect(client.call('cancel_ride', { ride_id: 'ride_1' })).rejects.toMatchObject({ exitCode: 4 })
    expect(asked.map(({ url }) => url)).toEqual(['/v1/rides/ride_1/cancel', '/oauth/token'])
    expect(kept().token).toBe('old')
  })

  test('a call that was lost before its login ended may have been carried out, and its error has the key', async () => {
    const { client } = await openRenewing(over, { lost: 1 })
    const failed = await client.call('cancel_ride', { ride_id: 'ride_1' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      code: 'invalid_token',
      extra: { idempotency_key: expect.stringMatching(/^key_/) as string },
    })
    expect(classifyFailure(failed)).toBe('unknown')
  })

  test('a token that is rejected again is not renewed forever', async () => {
    const { client, asked } = await openRenewing((response) =>
      sendValidResponse(response, 200, { access_token: 'no_better', refresh_token: 'dray_ref_2' }),
    )
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({ code: 'invalid_token' })
    expect(asked).toHaveLength(3)
  })
})
