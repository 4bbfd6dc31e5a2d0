/** What clients hold of an account: tokens, logins, devices that wait for a person, and browsers that are signed in. */
import { bodyOf, type HoldingClient, type Holder, toUse } from './holding.ts'
import type { ServedWorld } from './served-world.ts'
import { BUYER } from './shopping.ts'

const CLIENT_ID = 'dray-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** The schemas that made logins, and browsers that are signed in to one page. */
const LOGIN_SCHEMA = 5
const SESSION_SCHEMA = 15
/** The handles of accounts that clients make; another world has one of another name in its place. */
const NEW_ACCOUNT = 'courier'

const bearer = (token: unknown) => ({ Authorization: `Bearer ${String(token)}` })
const clockPath = '/v1/me/membership'

async function isTaken(world: ServedWorld, token: unknown) {
  return toUse(await world.request({ path: clockPath, headers: bearer(token) }), () => 'taken')
}

/** A program with a token. */
const holdToken: Holder = async ({ world }) => {
  const { token } = await world.control<{ token: string }>('mint_token', { account: BUYER })
  // The service may keep in memory whose it is.
  await isTaken(world, token)
  return {
    name: 'a token',
    partOf: 'login',
    goesOn: 'taken',
    codes: ['invalid_token'],
    use: () => isTaken(world, token),
  }
}

/** A program with the token of a new account. Another account takes that one's place, with its id, under another name. */
const holdTokenOfNewAccount: Holder = async ({ world, number }) => {
  const add = (handle: string) => world.control('add_account', { handle })
  const handle = `${NEW_ACCOUNT}-${number}`
  await add(handle)
  const { token } = await world.control<{ token: string }>('mint_token', { account: handle })
  return {
    name: 'the token of a new account',
    partOf: 'world',
    goesOn: 'taken',
    codes: ['invalid_token'],
    use: () => isTaken(world, token),
    rival: () => add(`stranger-${number}`),
  }
}

function startDevice({ world, number }: HoldingClient) {
  const form = { client_id: CLIENT_ID, device_name: `phone ${number}` }
  return world.request({ path: '/oauth/device_authorization', form })
}

function poll(world: ServedWorld, device_code: unknown) {
  const form = { grant_type: DEVICE_GRANT, client_id: CLIENT_ID, device_code: String(device_code) }
  return world.request({ path: '/oauth/token', form })
}

/** A device that shows a code, to which nobody has said yes. */
const holdDevice: Holder = async (client) => {
  const { world } = client
  const { device_code, user_code } = bodyOf(await startDevice(client))
  return {
    name: 'a device that waits for a person',
    partOf: 'login',
    since: LOGIN_SCHEMA,
    goesOn: 'logged in',
    codes: ['invalid_grant', 'expired_token'],
    async use() {
      const approved = await world
        .control('approve_device', { user_code, account: BUYER })
        .then(() => true)
        .catch(() => false)
      const use = toUse(await poll(world, device_code), () => 'logged in')
      return approved || 'told' in use ? use : { did: 'logged in without a yes' }
    },
  }
}

/** A device to which a person has said yes, and which has not asked since. */
const holdApprovedDevice: Holder = async (client) => {
  const { world } = client
  const { device_code, user_code } = bodyOf(await startDevice(client))
  await world.control('approve_device', { user_code, account: BUYER })
  return {
    name: 'a device that was approved',
    partOf: 'login',
    since: LOGIN_SCHEMA,
    goesOn: 'logged in',
    codes: ['invalid_grant', 'expired_token'],
    use: async () => toUse(await poll(world, device_code), () => 'logged in'),
  }
}

/** A device with a login that it renews. */
const holdLogin: Holder = async (client) => {
  const { world } = client
  const { device_code, user_code } = bodyOf(await startDevice(client))
  await world.control('approve_device', { user_code, account: BUYER })
  const { refresh_token } = bodyOf(await poll(world, device_code))
  return {
    name: 'a login',
    partOf: 'login',
    since: LOGIN_SCHEMA,
    goesOn: 'renewed',
    codes: ['invalid_grant'],
    async use() {
      const form = {
        grant_type: 'refresh_token',
        client_id: CLIENT_ID,
        refresh_token: String(refresh_token),
      }
      const renewed = await world.request({ path: '/oauth/token', form })
      if (renewed.status >= 400) return { told: renewed.code }
      const use = await isTaken(world, renewed.body['access_token'])
      return 'told' in use ? { told: `renewed, and then ${use.told}` } : { did: 'renewed' }
    },
  }
}

async function makePageLink(world: ServedWorld): Promise<string> {
  const made = await world.request({ as: BUYER, path: '/pages/links', body: { page: 'kitchen' } })
  return String(bodyOf(made)['path'])
}

/** A person with a link to a page that is not opened yet. */
const holdPageLink: Holder = async ({ world }) => {
  const path = await makePageLink(world)
  return {
    name: 'a link to a page',
    partOf: 'login',
    since: SESSION_SCHEMA,
    goesOn: 'opened',
    codes: ['spent'],
    async use() {
      const { cookie } = await world.request({ path })
      return cookie === '' ? { told: 'spent' } : { did: 'opened' }
    },
  }
}

/** A browser that is signed in to the kitchen. */
const holdBrowser: Holder = async ({ world }) => {
  const { cookie } = await world.request({ path: await makePageLink(world) })
  return {
    name: 'a browser that is signed in',
    partOf: 'login',
    since: SESSION_SCHEMA,
    goesOn: 'shown',
    codes: ['invalid_token'],
    use: async () =>
      toUse(
        await world.request({
          path: '/pages/call/list_business_orders',
          headers: { cookie, origin: world.url, 'dray-page': 'kitchen' },
          body: {},
        }),
        () => 'shown',
      ),
  }
}

export const LOGIN_HOLDERS: readonly Holder[] = [
  holdToken,
  holdTokenOfNewAccount,
  holdDevice,
  holdApprovedDevice,
  holdLogin,
  holdPageLink,
  holdBrowser,
]
