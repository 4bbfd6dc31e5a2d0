/** Scenarios against a service with real money. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { withOperationTypes } from '../../../src/client/client.ts'
import { scenarioRun } from '../../../src/commands/scenario/run.command.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

let home: Home
let called: string[]

beforeEach(() => {
  called = []
  home = makeHome()
  home.writeConfig({
    profiles: {
      work: { base_url: 'https://api.example.com', token: 'live', protected: false },
      guarded: { base_url: 'https://api.example.com', token: 'live' },
      trial: { base_url: 'https://api.example.com', token: 'dray_sbx_x', protected: false },
    },
  })
})
afterEach(() => home[Symbol.dispose]())

/** Opens a service that accepts every call and records its name. */
async function openClient(): Promise<Client> {
  const call = withOperationTypes(async (name) => {
    called.push(name)
    return { value: {}, status: 200, replayed: false, requestId: '', serviceTime: { now: 0, frozen: false } }
  })
  const serviceTime = async () => ({ now: 0, frozen: false })
  return { call, serviceTime, close: async () => {} } as unknown as Client
}

async function run(step: string, ...flags: string[]) {
  const file = join(home.cwd, 'story.yaml')
  writeFileSync(file, `steps:\n  - call: list_hubs\n  - ${step}\n`)
  const { code, error } = await runCommand(home, scenarioRun, [file, '--quiet', ...flags], { openClient })
  return { code, error, called: called.splice(0) }
}

const BUYS = 'call: place_food_order'

test('a story that buys sends nothing to a live service before a user confirms it', async () => {
  const refused = await run(BUYS, '--profile', 'work')
  expect(refused).toMatchObject({ code: 3, error: { code: 'not_confirmed' }, called: [] })
  expect(refused.error?.message).toContain(
    'The steps buy once at https://api.example.com, which is not a sandbox: place_food_order.',
  )
  expect(refused.error?.hint).toMatch(/Confirm it with --yes: dray scenario run .* --yes$/)
  expect(await run(BUYS, '--profile', 'work', '--yes')).toMatchObject({
    code: 0,
    called: ['list_hubs', 'place_food_order'],
  })
})

test.each([
  ['broken', 'steps:\n  - call: nothing_like_it\n', []],
  ['in need of a variable', 'variables: { pay: null }\nsteps:\n  - call: list_hubs\n', []],
  ['given a wrong variable', 'variables: { seats: 4 }\nsteps:\n  - call: list_hubs\n', ['--set', 'seats=x']],
])('no story is told to a service when a later file is %s', async (_, text, flags) => {
  const [good, bad] = ['good.yaml', 'bad.yaml'].map((name) => join(home.cwd, name)) as [string, string]
  writeFileSync(good, `steps:\n  - ${BUYS}\n`)
  writeFileSync(bad, text)
  const { code } = await runCommand(home, scenarioRun, [good, bad, '--yes', '--profile', 'work', ...flags], {
    openClient,
  })
  expect({ code, called }).toEqual({ code: 2, called: [] })
})

test('the error for a missing file says how to make a first one', async () => {
  const { code, err } = await runCommand(home, scenarioRun, ['story.yaml'], { openClient })
  expect(code).toBe(2)
  expect(err).toContain('`dray <command> … --record story.yaml` records a scenario')
  expect(err).toContain('Paths are relative to this folder.')
})

test('a protected profile wants its name and the yes', async () => {
  for (const flags of [['--yes'], ['--confirm', 'guarded']])
    expect(await run(BUYS, '--profile', 'guarded', ...flags)).toMatchObject({ code: 3, called: [] })
  expect((await run(BUYS, '--profile', 'guarded', '--confirm', 'guarded', '--yes')).code).toBe(0)
})

test.each([
  ['it only reads', ['--profile', 'work'], 'call: get_membership_status'],
  [
    'it only asks for prices',
    ['--profile', 'work'],
    '{call: create_shipments_batch, input: {price_only: true}}',
  ],
  ['the token is of a sandbox', ['--profile', 'trial'], BUYS],
  ['the service is on this machine', ['--base-url', 'http://127.0.0.1:9'], BUYS],
  ['the store is embedded', [], BUYS],
])('nobody is asked where %s', async (_, flags, step) => {
  expect((await run(step, ...flags)).code).toBe(0)
})
