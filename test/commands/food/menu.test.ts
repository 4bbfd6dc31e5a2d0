import { describe, expect, test } from 'vitest'
import { foodMenu } from '../../../src/commands/food/menu.command.ts'
import { loadOperation } from '../../../src/generated/commands.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z' }
const search = await loadOperation('search_restaurants')

const run = (home: Home, argv: readonly string[], tty = false) =>
  runCommand(home, foodMenu, argv, {
    openClient: embeddedIn(home),
    io: memoryIo({ tty: { stdout: tty }, columns: 80, env: { NO_COLOR: '1' } }),
  })

type Menu = { merchant_id: string; categories: { name: string; items: { name: string }[] }[] }

describe('a menu', () => {
  test('is drawn under the name of its store on a terminal', async () => {
    using home = makeHome(FROZEN)
    const { out } = await run(home, ['lime street'], true)
    expect(out).toMatch(/^Lime Street Noodles\n\nSMALL PLATES\n/)
    expect(out).toMatch(/^ {2}Pad Thai +£11\.50$/m)
    expect(out.split('\n').every((line) => line.length <= 80)).toBe(true)
  })

  test('is one line for each item in a pipe, whole', async () => {
    using home = makeHome(FROZEN)
    const lines = (await run(home, ['lime street'])).out.trimEnd().split('\n')
    expect(lines[0]).toBe('category\titem_id\tname\tprice\tavailable\tdietary_tags\tallergens')
    expect(lines.find((line) => line.includes('\tPad Thai\t'))).toMatch(
      /^Noodles\titm_\w+\tPad Thai\t11\.50 GBP\tyes\t\teggs, peanuts, soya, fish$/,
    )
    const names = (await run(home, ['lime street', '--output', 'csv', '--fields', 'category,name'])).out
    expect(names).toMatch(/^category,name\r?\nSmall plates,Summer Rolls/)
  })

  test('is the answer of the service as JSON, by name or by id', async () => {
    using home = makeHome(FROZEN)
    const menu = (await run(home, ['lime street', '--json'])).json() as Menu
    expect(menu).toMatchObject({ currency: 'GBP', menu_version: 1 })
    expect((await run(home, [menu.merchant_id, '--json'])).json()).toEqual(menu)
  })

  test('may be one section, or only what can be had', async () => {
    using home = makeHome(FROZEN)
    const section = (await run(home, ['lime street', '--category', 'noodles', '--json'])).json() as Menu
    expect(section.categories.map(({ name }) => name)).toEqual(['Noodles'])
    const names = (menu: Menu) => menu.categories.flatMap(({ items }) => items.map(({ name }) => name))
    expect(names(section)).toContain('Boat Noodle Soup')
    const open = (await run(home, ['lime street', '--available-only', '--json'])).json() as Menu
    expect(names(open)).not.toContain('Boat Noodle Soup')
    const { error } = await run(home, ['lime street', '--category', 'sushi'])
    expect(error?.message).toBe(
      '--category must be a category of this menu: Small plates, Noodles, Curries and rice, Drinks; not "sushi".',
    )
  })
})

describe('a store', () => {
  test('that several could be is not guessed', async () => {
    using home = makeHome(FROZEN)
    const { error } = await run(home, ['goosefoot'])
    expect(error).toMatchObject({ code: 'usage' })
    expect(error?.message).toMatch(
      /^Several stores have that name: Goosefoot Grocer Spitalfields \(mer_\w+\), /,
    )
  })

  test('goes by its name also while it is closed', async () => {
    using home = makeHome({ DRAY_NOW: '2026-11-20T03:00:00Z' })
    const { out, error } = await run(home, ['Lime Street Noodles'])
    expect(error).toBeUndefined()
    expect(out).toContain('Pad Thai')
  })

  test('that does not exist is looked for elsewhere', async () => {
    using home = makeHome(FROZEN)
    const { error } = await run(home, ['Lime Streeet'])
    expect(error).toMatchObject({ code: 'merchant_not_found', exitCode: 5 })
    expect(error?.hint).toContain('`dray food search --include-closed`')
  })

  test('must be named where dray cannot prompt', async () => {
    using home = makeHome(FROZEN)
    expect((await run(home, [])).error?.message).toBe('Missing: MERCHANT.')
    const { error } = await run(home, ['lime', '--near', 'nowhere'])
    expect(error?.message).toContain('--near must be an address such as')
  })

  test('is looked for near the place that is named', async () => {
    using home = makeHome(FROZEN)
    const far = await run(home, ['lime street', '--near', '51.0,-2.5'])
    expect(far.error?.code).toBe('merchant_not_found')
    expect((await run(home, ['lime street', '--near', 'kings-cross'], true)).code).toBe(0)
  })
})

test('a search leads with what decides, and fits eighty columns', async () => {
  using home = makeHome(FROZEN)
  const { out } = await runCommand(home, search, ['--near', 'bank'], {
    openClient: embeddedIn(home),
    io: memoryIo({ tty: { stdout: true }, columns: 80, env: { NO_COLOR: '1' } }),
  })
  expect(out).toMatch(/^Name +Distance +Delivery +Rating +Delivery minutes$/m)
  expect(out).toContain('Goosefoot Grocer Spitalfields')
  expect(out.split('\n').every((line) => line.length <= 80)).toBe(true)
})

test('a search without a place looks around the City in a sandbox, and says so', async () => {
  using home = makeHome(FROZEN)
  const { out, err, code } = await runCommand(home, search, ['noodles', '--json'], {
    openClient: embeddedIn(home),
    io: memoryIo(),
  })
  expect(code).toBe(0)
  expect((JSON.parse(out) as { data: { name: string }[] }).data[0]?.name).toBe('Lime Street Noodles')
  expect(err).toContain('Use --near to change it')
})

test('a search of a service elsewhere needs a place, by one flag', async () => {
  using home = makeHome(FROZEN)
  const { error } = await runCommand(home, search, ['--base-url', 'https://api.example.com'])
  expect(error?.message).toBe('Missing: --near.')
})
