import { afterEach, beforeEach, expect, test } from 'vitest'
import { open } from '../../src/commands/open.command.ts'
import { embeddedIn } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { runCommand } from '../support/run-command.ts'

let home: Home

beforeEach(() => {
  home = makeHome({ DRAY_NOW: '2026-11-20T09:00:00.000Z' })
})

afterEach(() => home[Symbol.dispose]())

const run = (argv: readonly string[], interruption?: AbortSignal) =>
  runCommand(home, open, argv, {
    openClient: embeddedIn(home),
    ...(interruption !== undefined && { interruption }),
  })

test('an account that sees nothing on a page learns which accounts do', async () => {
  const { error } = await run(['kitchen', '--as', 'member', '--no-browser'])
  expect([error?.code, error?.hint]).toEqual([
    'insufficient_scope',
    'Open it as an account that has it: `dray open kitchen --as everything`, `dray open kitchen --as owner`, `dray open kitchen --as chain`.',
  ])
})

test('the world opens for any account: the holder of the store has its control token', async () => {
  const { code, json } = await run(['world', '--as', 'member', '--no-browser', '--json'], AbortSignal.abort())
  expect([code, json()]).toEqual([
    0,
    expect.objectContaining({ link: expect.stringContaining('page=world') }),
  ])
})

test('without a service it serves the sandbox until Ctrl-C, and prints one document', async () => {
  const { code, json, err } = await run(
    ['kitchen', '--as', 'owner', '--no-browser', '--json'],
    AbortSignal.abort(),
  )
  expect(code).toBe(0)
  expect(json()).toEqual({
    link: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/pages\/open\?ticket=dray_pgl_[\w-]{43}&page=kitchen$/,
    ),
    expires_in: 600,
    pid: expect.any(Number),
  })
  const { port } = new URL((json() as { link: string }).link)
  expect(err).toContain(`Ctrl-C stops it; \`dray serve --port ${port}\` starts it again.`)
})

test('--no-browser prints the link and starts no browser, though there is one', async () => {
  home.env['BROWSER'] = '/bin/true'
  const { code, err } = await run(['kitchen', '--as', 'owner', '--no-browser'], AbortSignal.abort())
  expect(code).toBe(0)
  expect(err).toContain('Kitchen: open the link in a browser.')
})

test('an unknown page is rejected, and a dry run opens nothing', async () => {
  const { error } = await run(['cellar'])
  expect(error?.message).toContain('kitchen')
  expect(error?.hint).toBe(
    '`dray open` lists the pages. To share one order, ride, delivery, parcel, booking or task, see `dray share --help`.',
  )
  expect((await run(['kitchen', '--dry-run'])).err).toContain('nothing was opened')
})
