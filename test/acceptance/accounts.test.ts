import { expect } from 'vitest'
import type { PrintedFailure, MembershipOutput, Shipment } from '../support/answers.ts'
import { createCommand } from '../support/clerk.ts'
import { servedAcceptanceTest, acceptanceTest } from '../support/story.ts'

type Who = {
  account: string | null
  entitlements: Record<'service_one' | 'carrier_agreement' | 'business_agreement', boolean | null>
}

acceptanceTest('each account of the sandbox is told where its membership stands', async (told) => {
  const statuses: Record<string, [string, boolean]> = {}
  for (const account of ['everything', 'member', 'guest', 'lapsed', 'owner', 'shipper', 'shipper2']) {
    const { status, active } = (
      await told.dray(`account membership --as ${account} --json`)
    ).json<MembershipOutput>()
    statuses[account] = [status, active]
  }
  expect(statuses).toEqual({
    everything: ['active', true],
    member: ['active', true],
    guest: ['none', false],
    lapsed: ['expired', false],
    owner: ['none', false],
    shipper: ['none', false],
    shipper2: ['none', false],
  })
  const nobody = await told.dray('account membership --as nobody --json', { exit: 5 })
  expect(nobody.json<PrintedFailure>()).toMatchObject({ code: 'account_not_found' })
})

acceptanceTest('a membership is renewed, fails, and ends as the clock moves', async (told) => {
  const status = async (account: string): Promise<string> =>
    (await told.dray(`account membership --as ${account} --json`)).json<MembershipOutput>().status
  await told.dray('sandbox account membership guest trialing --json')
  expect(await status('guest')).toBe('trialing')
  await told.dray('sandbox clock advance 15d --json')
  expect(await status('guest')).toBe('active')
  await told.dray('sandbox account membership guest active --renewal fails --json')
  await told.dray('sandbox clock advance 31d --json')
  expect(await status('guest')).toBe('past_due')
  await told.dray('sandbox clock advance 7d --json')
  expect(await status('guest')).toBe('expired')
  expect(await status('member')).toBe('active')
})

acceptanceTest('an account without an agreement is refused, and told what to do', async (told) => {
  const refused = await told.dray(createCommand('A-1', '--as guest --json'), { exit: 4 })
  expect(refused.json<PrintedFailure>()).toMatchObject({
    code: 'insufficient_scope',
    required_scope: 'shipments.create',
  })
  await told.dray('sandbox account add clerk --scope shipments.create --scope shipments.read --json')
  const without = await told.dray(createCommand('A-1', '--as clerk --json'), { exit: 6 })
  expect(without.json<PrintedFailure>()).toMatchObject({ code: 'agreement_required', retryable: true })
  expect(without.json<PrintedFailure>().hint).toContain('--as')
  await told.dray('sandbox account add books --name "Strand Books" --carrier --json')
  const made = (await told.dray(createCommand('A-1', '--as books --json'))).json<Shipment>()
  expect(made.sender.company).toBe('Strand Books')
})

acceptanceTest('a clerk logs in to an account, works as it, and logs out', async (told) => {
  const dray = (line: string) => told.dray(`${line} --profile depot --json`, { bare: true })
  const address = told.url === undefined ? '' : `--base-url ${told.url}`
  const login = await dray(`login --sandbox --account shipper ${address} --query account`)
  expect(login.json<string>()).toBe('shipper')
  const who = (await dray('whoami --fields account,entitlements')).json<Who>()
  expect(who).toMatchObject({
    account: 'shipper',
    entitlements: { service_one: false, carrier_agreement: true },
  })
  const made = (await dray(createCommand('S-1'))).json<Shipment>()
  expect(made.sender.company).toBe('Thames Books')
  // A remote service revokes the login; an embedded store has nothing to revoke.
  expect((await dray('logout --query logged_out')).json<boolean>()).toBe(true)
  expect((await dray('logout --query logged_out')).json<boolean>()).toBe(false)
})

servedAcceptanceTest(
  'a token is read from a pipe or a file, tried, kept from others, and given up',
  async (told) => {
    const mint = async (): Promise<string> =>
      (await told.control('mint_token', { account: 'shipper', expires_in: '2h' })).token
    const bare = { bare: true }
    const login = `login --base-url ${told.url} --profile work --json`
    const hubs = 'carrier hubs --profile work --json'

    const unknown = await told.dray(`${login} --token-stdin`, {
      ...bare,
      input: 'dray_sbx_guessed\n',
      exit: 4,
    })
    expect(unknown.json<PrintedFailure>().code).toBe('invalid_token')
    await told.dray(`${login} --token-stdin`, { ...bare, input: '', exit: 2 })
    const token = await mint()
    const logged = await told.dray(`${login} --token-stdin`, { ...bare, input: `${token}\n` })
    expect(logged.stdout + logged.stderr).not.toContain(token)
    expect((await told.shell('stat -c %a "$DRAY_HOME/config/config.json" "$DRAY_HOME/config"')).stdout).toBe(
      '600\n700\n',
    )
    await told.dray(hubs, bare)

    await told.advance('2h')
    const expired = await told.dray(hubs, { ...bare, exit: 4 })
    expect(expired.json<PrintedFailure>()).toMatchObject({
      code: 'invalid_token',
      detail: expect.stringMatching(/^The token expired at .*; the sandbox clock is at /) as string,
    })
    await told.dray('logout --profile work --json', bare)
    expect((await told.dray(hubs, { ...bare, exit: 4 })).json<PrintedFailure>().code).toBe('not_logged_in')

    told.write('token.txt', `${await mint()}\n`)
    await told.dray(`${login} --token-file token.txt`, bare)
    await told.dray(hubs, bare)
  },
)

servedAcceptanceTest(
  'the token of the environment goes to the address of the environment only',
  async (told) => {
    const elsewhere = { exit: 4, env: { DRAY_BASE_URL: '' } }
    await told.dray(`profile add work --base-url ${told.url}`, { bare: true })
    const ran = await told.dray('carrier hubs --profile work --json', elsewhere)
    expect(ran.json<PrintedFailure>().code).toBe('not_logged_in')
    expect(ran.stderr).toContain('DRAY_TOKEN is not used')
  },
)

acceptanceTest('the profile in use is shown with where each setting comes from', async (told) => {
  const names = async () => (await told.dray('profile list --json --query "data[].name"')).json<string[]>()
  await told.dray('profile add demo --account shipper --default-output json')
  expect(await names()).toEqual(['default', 'demo'])
  const settings = await told.dray('profile show --profile demo --explain --output ndjson', { bare: true })
  expect(settings.lines<{ setting: string }>().find(({ setting }) => setting === 'account')).toMatchObject({
    value: 'shipper',
    source: 'profile',
  })
  await told.dray('profile use demo')
  expect((await told.dray('profile show', { bare: true })).json<{ name: string }>().name).toBe('demo')
  await told.dray('profile remove demo --confirm demo')
  expect(await names()).toEqual(['default'])
})
