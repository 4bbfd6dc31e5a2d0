/** Links to pages and restored files, on the built program: neither gives more than its purpose. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { builtProgram, readServerUrl, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

async function makeMachine() {
  const cwd = await makeTempFolder()
  const options = { cwd, env: { DRAY_HOME: join(cwd, 'home'), DRAY_NO_KEYRING: '1' } }
  const run = (line: string) => startDray(splitCommandLine(line), options)
  return { cwd, run, dray: (line: string) => run(`${line} --store ./s.db --json`).ended }
}

test('a kitchen’s link of the serving machine opens the kitchen, and nothing of the sandbox', async () => {
  const { run, dray } = await makeMachine()
  const server = run('serve --store ./s.db --port 0 --json --quiet')
  onTestFinished(() => server.kill('SIGKILL'))
  const url = await readServerUrl(server)
  const signIn = async (page: string): Promise<string> => {
    const { link } = (await dray(`open ${page} --as owner --no-browser`)).json<{ link: string }>()
    const opened = await fetch(link, { redirect: 'manual' })
    return (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  }
  const [kitchen, world] = [await signIn('kitchen'), await signIn('world')]
  const status = async (cookie: string, page: string, call: string, more = {}): Promise<number> => {
    const headers = {
      cookie,
      origin: url,
      'dray-page': page,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.7',
      ...more,
    }
    const body = call.endsWith('mint_token') ? '{"account":"owner"}' : '{}'
    return (await fetch(`${url}/pages/${call}`, { method: 'POST', headers, body })).status
  }
  expect({
    'its orders': await status(kitchen, 'kitchen', 'call/list_business_orders'),
    'an operation of another page': await status(kitchen, 'kitchen', 'call/create_catalog_item'),
    'another account': await status(kitchen, 'kitchen', 'call/list_business_orders', { 'dray-as': 'owner' }),
    'a token': await status(kitchen, 'kitchen', 'control/mint_token'),
    'as the world': await status(
      kitchen.replace('dray_kitchen', 'dray_world'),
      'world',
      'control/mint_token',
    ),
    'the world itself': await status(world, 'world', 'control/mint_token'),
  }).toEqual({
    'its orders': 200,
    'an operation of another page': 403,
    'another account': 403,
    'a token': 403,
    'as the world': 401,
    'the world itself': 200,
  })
})

test('a backup with a trigger is rejected, a good one is restored, and no copy stays', async () => {
  const { cwd, dray } = await makeMachine()
  await dray('sandbox status')
  await dray('sandbox backup ./a.backup')
  await dray('sandbox backup ./b.backup')
  {
    using db = new DatabaseSync(join(cwd, 'b.backup'))
    db.exec(
      'create trigger gift after update on world begin update wallets set balance = balance + 100000; end',
    )
  }
  const refused = await dray('sandbox restore ./b.backup --confirm sandbox')
  expect([refused.exitCode, refused.json()]).toEqual([
    expect.toSatisfy((code: number) => code !== 0),
    expect.objectContaining({
      code: 'store_error',
      detail: expect.stringContaining('it has the trigger gift on world that dray does not make') as string,
    }),
  ])
  const direct = await startDray(splitCommandLine('sandbox status --store ./b.backup --json'), {
    cwd,
    env: { DRAY_HOME: join(cwd, 'home') },
  }).ended
  expect(direct.json()).toMatchObject({ code: 'store_error' })
  expect((await dray('sandbox restore ./a.backup --confirm sandbox')).exitCode).toBe(0)
  expect(readdirSync(cwd).filter((name) => name.startsWith('.dray'))).toEqual([])
})
