import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { apiCommand } from '../../src/commands/api.command.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { runCommand } from '../support/run-command.ts'

let home: Home

beforeEach(() => {
  home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00.000Z' })
})

afterEach(() => home[Symbol.dispose]())

const QUOTED = ['Lime Street Noodles', '--item', 'Summer Rolls', '--fulfillment', 'pickup', '--as', 'member']

test.each([
  ['before', (file: string) => ['--no-input', '--input', file]],
  ['after', (file: string) => ['--input', file, '--no-input']],
])('the file of --input counts when --no-input stands %s it', async (_, flagsOf) => {
  const quote = await COMMANDS['food quote']?.load()
  if (quote === undefined) throw new Error('food quote is no command')
  const place = await apiCommand('place_food_order')
  const openClient = embeddedIn(home)
  const { json } = await runCommand(home, quote, [...QUOTED, '--json'], { openClient })
  const { quote_id } = json() as { quote_id: string }
  writeFileSync(
    join(home.cwd, 'guard.json'),
    JSON.stringify({ notes: 'NUT ALLERGY', expected_total: { amount: 1, currency: 'GBP' } }),
  )
  const { error } = await runCommand(
    home,
    place,
    [
      ...`--as member --quote-id ${quote_id} --yes --json`.split(' '),
      ...'--payment-method card --payment-payment-token tok_ok'.split(' '),
      ...flagsOf(join(home.cwd, 'guard.json')),
    ],
    { openClient },
  )
  expect(error?.code).toBe('quote_mismatch')
})
