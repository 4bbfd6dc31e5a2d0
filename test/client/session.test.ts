import { describe, expect, test } from 'vitest'
import { type Login, type LoginStore, makeSession } from '../../src/client/session.ts'

/** A place in memory where logins are kept, that tells what was done there, and a service that renews them. */
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
    makeSession({ token: 't1', account, kept: store, renew })
  return { store, steps, session, put: (login: Login | undefined) => (kept = login) }
}

describe('a token that is refused', () => {
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

  test('is renewed once for all processes: the others take what the first was given', async () => {
    const { session, steps } = makeParts()
    const processes = [session(), session(), session(), session()]
    expect(await Promise.all(processes.map(({ renewed }) => renewed('t1')))).toEqual(['t2', 't2', 't2', 't2'])
    expect(steps).toEqual(['renew r1', 'write t2'])
  })

  test('is renewed again when the next one is refused, too', async () => {
    const { session, steps } = makeParts()
    const { renewed } = session()
    await renewed('t1')
    expect(await renewed('t2')).toBe('t3')
    expect(steps).toEqual(['renew r1', 'write t2', 'renew r2', 'write t3'])
  })

  test('is asked for with the secret of a program', async () => {
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

  test('is not replaced by that of somebody who was logged in meanwhile', async () => {
    const { session, put, steps } = makeParts()
    const { renewed } = session()
    put({ token: 't9', refreshToken: 'r9', account: 'member' })
    await expect(renewed('t1')).rejects.toMatchObject({ code: 'not_logged_in', exitCode: 4 })
    expect(steps).toEqual([])
  })

  test('is not used when it could not be kept, and the next call tries again', async () => {
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

test('a token that lies elsewhere is read once, when it is first needed', async () => {
  let reads = 0
  const kept: LoginStore = {
    read: async () => {
      reads += 1
      return { token: 'in the keyring' }
    },
    write: () => Promise.reject(new Error('not written here')),
    exclusive: (work) => work(),
  }
  const session = makeSession({
    token: undefined,
    account: undefined,
    kept,
    renew: (login) => Promise.resolve(login),
  })
  expect(reads).toBe(0)
  expect([await session.token(), await session.token()]).toEqual(['in the keyring', 'in the keyring'])
  expect(reads).toBe(1)
})
