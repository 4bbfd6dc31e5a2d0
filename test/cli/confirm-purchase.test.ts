/** A purchase about which nobody is asked needs its consent and its limit: each alone buys nothing. */
import { expect, test } from 'vitest'
import { formatMajorUnits, type Money } from '../../src/core/money.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { createCommand } from '../support/clerk.ts'
import { embeddedThrough } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { splitCommandLine } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'

/** Creates a parcel without these words; returns its outcome, and how many parcels were sent. */
async function create(home: Home, without: readonly string[], more: readonly string[] = []) {
  const command = await COMMANDS['carrier create']?.load()
  if (command === undefined) throw new Error('there is no command that creates a parcel')
  let sent = 0
  const openClient = embeddedThrough(home, (call) => (operation, ...more) => {
    if (operation === 'create_shipment') sent += 1
    return call(operation, ...more)
  })
  const words = splitCommandLine(createCommand('A-1')).slice(2)
  const kept = words.filter(
    (word, at) =>
      !without.includes(word) && !(without.includes('--max-total') && words[at - 1] === '--max-total'),
  )
  const ran = await runCommand(home, command, [...kept, ...more], { openClient })
  return { code: ran.error?.exitCode ?? ran.code, message: ran.error?.message, hint: ran.error?.hint, sent }
}

test('--yes without --max-total, and --max-total without --yes, exit 3 and send nothing', async () => {
  using home = makeHome()
  expect(await create(home, ['--max-total'])).toEqual({
    code: 3,
    message: 'Buy this parcel at any price? --yes needs a --max-total here. Nothing was sent.',
    hint: expect.stringMatching(
      /^Confirm it with --max-total: dray carrier create .*--yes .*--max-total 25\.00$/,
    ),
    sent: 0,
  })
  expect(await create(home, ['--yes'])).toMatchObject({
    code: 3,
    hint: expect.stringMatching(/^Confirm it with --yes: /),
    sent: 0,
  })
  expect(await create(home, ['--yes', '--max-total'])).toMatchObject({
    code: 3,
    hint: expect.stringMatching(/^Confirm it with --yes and --max-total: /),
    sent: 0,
  })
})

test('both buy up to the limit, to the penny, and a limit of the environment counts like the flag', async () => {
  using home = makeHome()
  const over = await create(home, ['--max-total'], ['--max-total', '6.11'])
  expect(over).toMatchObject({ code: 7, sent: 0 })
  expect(await create(home, ['--max-total'], ['--max-total', '6.12'])).toMatchObject({ code: 0, sent: 1 })
  using limited = makeHome({ DRAY_MAX_TOTAL: '6.12' })
  expect(await create(limited, ['--max-total'])).toMatchObject({ code: 0, sent: 1 })
})

test('a protected profile asks for its name, too', async () => {
  using home = makeHome()
  home.writeConfig({ profiles: { default: { protected: true } } })
  expect(await create(home, [])).toMatchObject({ code: 3, sent: 0 })
})

test.each([
  ['--max-total', {}, ['--max-total', '5.00']],
  ['DRAY_MAX_TOTAL', { DRAY_MAX_TOTAL: '5.00' }, []],
] as const)('a corrected parcel is held against %s by its new price', async (_, env, flags) => {
  using home = makeHome(env)
  const create = await COMMANDS['carrier create']?.load()
  const correct = await COMMANDS['carrier correct']?.load()
  if (create === undefined || correct === undefined) throw new Error('there is no such command')
  const openClient = embeddedThrough(home, (call) => call)
  const words = splitCommandLine(createCommand('A-1')).slice(2)
  const made = await runCommand(home, create, [...words, '--max-total', '25', '--json'], { openClient })
  const { tracking_number } = made.json() as { tracking_number: string }
  const to = (line1: string, postcode: string, country: string) => [
    tracking_number,
    ...splitCommandLine(`--to-name "Nora Quill" --to-line1 "${line1}" --to-city "St Helier" --json --yes`),
    ...splitCommandLine(`--to-postal-code "${postcode}" --to-country ${country}`),
  ]
  const jersey = to('9 Dock Lane', 'JE2 3AB', 'JE')
  const { error: asked } = await runCommand(home, correct, jersey, { openClient })
  const total = asked?.extra['total'] as Money
  const expected = ['--expected-total', formatMajorUnits(total)]
  const { error } = await runCommand(home, correct, [...jersey, ...expected, ...flags], { openClient })
  expect([error?.code, error?.exitCode]).toEqual(['price_above_limit', 7])
  expect(error?.message).toContain('Nothing was changed.')
  const within = [...jersey, ...expected, '--max-total', formatMajorUnits(total)]
  expect((await runCommand(home, correct, within, { openClient })).code).toBe(0)
})
