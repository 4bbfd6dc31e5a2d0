/** Programs with a secret of their own, and the command line, which has none. */
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { loadAccount } from '../../src/areas/account/queries/accounts.ts'
import { addClient, authenticateClient, type ClientCredential } from '../../src/oauth/clients.ts'
import { loginsOver } from '../support/logins.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

let world: TestSandbox
let mine: { clientId: string; secret: string }
let other: { clientId: string; secret: string }

beforeAll(async () => {
  world = await openTestSandbox()
  const add = () =>
    world.write(async (tx, _stored, now) => {
      const { account_id: accountId } = await loadAccount(tx, 'shipper')
      return addClient(tx, { accountId, scopes: ['shipments.read'] }, now, randomBytes)
    })
  mine = await add()
  other = await add()
})

const ask = (credential: ClientCredential) => world.db.read((tx) => authenticateClient(tx, credential))

test('a program is known by its own secret, and has the account and scopes that it was made for', async () => {
  expect(mine).toMatchObject({
    clientId: expect.stringMatching(/^cli_/) as string,
    secret: expect.stringMatching(/^dray_sec_/) as string,
  })
  const { account_id } = await world.db.read((tx) => loadAccount(tx, 'shipper'))
  expect(await ask(mine)).toMatchObject({ client_id: mine.clientId, account_id, scopes: ['shipments.read'] })
})

test('the secret is not in the store', async () => {
  const rows = await world.db.read((tx) => tx.all('select * from oauth_clients'))
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain(mine.secret)
})

test('the command line has no secret', async () => {
  expect(await ask({ clientId: 'dray-cli', secret: undefined })).toBe('public')
})

test.each<[string, () => ClientCredential]>([
  ['without a name', () => ({ clientId: undefined, secret: mine.secret })],
  ['with the secret of another', () => ({ clientId: mine.clientId, secret: other.secret })],
  ['without its secret', () => ({ clientId: mine.clientId, secret: undefined })],
  ['that is not known', () => ({ clientId: 'cli_unknown', secret: mine.secret })],
  ['that is not known and shows its name as secret', () => ({ clientId: 'cli_none', secret: 'cli_none' })],
  ['that is the command line with a secret', () => ({ clientId: 'dray-cli', secret: mine.secret })],
])('a program %s is refused', async (_, credential) => {
  expect(await ask(credential())).toMatchObject({ code: 'invalid_client', status: 401 })
  const device = loginsOver(world).startDevice({ ...credential(), scope: undefined, device: 'A laptop' })
  await expect(device).rejects.toMatchObject({ code: 'invalid_client' })
})
