import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineCommand } from '../../../src/cli/define-command.ts'
import { GUARD_FLAGS } from '../../../src/commands/mcp/guard-flags.ts'
import { readGuard } from '../../../src/commands/mcp/guard.ts'
import type { GuardOptions } from '../../../src/mcp/guard-types.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

let home: Home

beforeEach(() => {
  home = makeHome()
  home.writeConfig({
    profiles: {
      work: { base_url: 'https://api.example.com', token: 'dray_sbx_x' },
      nearby: { base_url: 'http://127.0.0.1:8080', token: 'dray_sbx_x' },
      kept: { account: 'ada', protected: true },
    },
  })
})

afterEach(() => home[Symbol.dispose]())

/** Returns the rules of a server started with these words, or why it does not start. */
async function guard(...argv: string[]) {
  let read: GuardOptions | undefined
  const command = defineCommand({
    words: 'mcp',
    summary: '',
    flags: GUARD_FLAGS,
    async run(cli, args) {
      read = readGuard(cli, args)
      return 0
    },
  })
  const { error } = await runCommand(home, command, argv)
  return { read, error }
}

describe('a person has to agree', () => {
  test.each([
    [[], false],
    [['--confirm'], true],
    [['--as', 'ada'], false],
    [['--profile', 'kept'], true],
    [['--profile', 'kept', '--allow-confirm'], false],
    [['--profile', 'work'], true],
    [['--profile', 'work', '--allow-confirm'], false],
    [['--profile', 'nearby'], true],
    [['--base-url', 'http://127.0.0.1:1'], true],
  ])('with %j: %s', async (argv, gate) => {
    expect((await guard(...argv)).read?.gate).toBe(gate)
  })

  test.each([
    [[], true],
    [['--as', 'ada'], true],
    [['--profile', 'work'], true],
    [['--allow-confirm'], false],
  ])('before a price jumps, also in the sandbox, with %j: %s', async (argv, asks) => {
    expect((await guard(...argv)).read?.priceGate).toBe(asks)
  })

  test('or not: both at once is a mistake', async () => {
    expect((await guard('--confirm', '--allow-confirm')).error).toMatchObject({ code: 'usage' })
  })
})

test('a record that cannot be saved is reported before anything starts', async () => {
  writeFileSync(join(home.cwd, 'taken'), '')
  expect((await guard('--audit', 'taken/calls.ndjson')).error).toMatchObject({
    code: 'file_error',
    hint: expect.stringContaining('--audit') as string,
  })
})

test.each([
  [[], 'dray recent'],
  [['--profile', 'work'], 'dray recent --profile work'],
  [
    ['--profile', 'work', '--base-url', 'http://127.0.0.1:1'],
    'dray recent --profile work --base-url http://127.0.0.1:1',
  ],
  [['--store', '/srv/a shop.db'], "dray recent --store '/srv/a shop.db'"],
])('a command that it names for a terminal reaches the same service, with %j', async (argv, line) => {
  expect((await guard(...argv)).read?.commandOf(['recent'])).toBe(line)
})

test('limits and the record are what the flags say', async () => {
  const { read } = await guard('--max-spend', '5GBP/hour', '--max-spend', '20GBP', '--audit', 'calls.ndjson')
  expect(read).toMatchObject({
    limits: [
      { max: { amount: 500, currency: 'GBP' }, per: 'hour' },
      { max: { amount: 2000, currency: 'GBP' }, per: 'total' },
    ],
    auditFile: `${home.cwd}/calls.ndjson`,
    actor: { profile: 'default', account: 'everything' },
  })
  expect((await guard()).read?.auditFile).toBe(`${home.paths.state}/mcp/audit.ndjson`)
  expect((await guard('--max-spend', '5')).error).toMatchObject({ code: 'usage' })
})
