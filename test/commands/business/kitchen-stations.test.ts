/** Stations, ticks of lines and the rule to accept, as people type them. */
import { expect, test } from 'vitest'
import { makeHome } from '../../support/home.ts'
import { runLine } from '../../support/printed-hints.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }

/** Runs commands of the owner of Lime Street Noodles, each on its own line. */
function makeShell() {
  const home = makeHome({ ...FROZEN })
  const run = async (line: string, as = 'owner') => runLine(home, `dray ${line} --as ${as}`, { piped: true })
  return {
    run,
    /** As a person at a terminal reads it. */
    show: async (line: string) => runLine(home, `dray ${line} --as owner`),
    json: async (line: string, as?: string) => JSON.parse((await run(`${line} --json`, as)).out),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  }
}

const namesOf = (some: readonly { name: string }[]): string[] => some.map(({ name }) => name)

test('a station gets categories and items by their names, which leave the station they were at', async () => {
  using shell = makeShell()
  const { unassigned_categories: sections } = await shell.json('business station list')
  const [first, second] = namesOf(sections)
  const hot = await shell.json(`business station add Hot --category '${first}' --category '${second}'`)
  expect(hot).toMatchObject({ version: 1, stations: [{ name: 'Hot' }] })
  const item = (await shell.json('business catalog list --limit 1')).data[0].name
  const both = await shell.json(
    `business station add Bar --category '${second?.toUpperCase()}' --item '${item}'`,
  )
  expect(
    both.stations.map((each: { name: string; categories: []; items: [] }) => ({
      name: each.name,
      categories: namesOf(each.categories),
      items: namesOf(each.items),
    })),
  ).toEqual([
    { name: 'Hot', categories: [first], items: [] },
    { name: 'Bar', categories: [second], items: [item] },
  ])
  expect((await shell.run('business station list')).out).toContain('Bar')
  expect((await shell.json('business station remove hot')).stations).toMatchObject([{ name: 'Bar' }])
  const unknown = await shell.run('business station remove Hot')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Your stations: Bar.')])
  const wrong = await shell.run('business station add Bar --category Nowhere')
  expect([wrong.code, wrong.err]).toEqual([5, expect.stringContaining('Your categories: ')])
  expect((await shell.run('business station add Bar')).code).toBe(2)
})

test('a store accepts automatically until the time that was typed, in its own zone', async () => {
  using shell = makeShell()
  expect((await shell.json('business auto-accept')).auto_accept).toBeNull()
  const on = await shell.json('business auto-accept on --prep 15 --until 22:00')
  expect(on.auto_accept).toEqual({ prep_time_minutes: 15, until: '2026-11-20T22:00:00.000Z' })
  expect((await shell.json('business auto-accept')).auto_accept).toEqual(on.auto_accept)
  const lost = await shell.run('business auto-accept off --prep 15')
  expect([lost.code, lost.err]).toEqual([2, expect.stringContaining('--prep and --until go with on')])
  expect((await shell.run('business auto-accept maybe')).code).toBe(2)
  expect((await shell.json('business auto-accept off')).auto_accept).toBeNull()
})

test('lines are ticked by number, item or station, and shown as made', async () => {
  using shell = makeShell()
  await shell.run('business auto-accept on')
  const order = `food order 'Lime Street Noodles' --item 'Summer Rolls x3' --fulfillment pickup --max-total 15.00 --yes`
  const { display_number: number, status } = await shell.json(order, 'member')
  expect(status).toBe('accepted')
  await shell.run(`business station add Cold --item 'Summer Rolls'`)
  const ticked = await shell.json(`business orders tick ${number} 1`)
  expect(ticked.kitchen_lines).toEqual([{ line_id: 'line_1', station: 'Cold', done: true }])
  const { out: shown } = await shell.show(`business orders show ${number}`)
  expect(shown).toContain('3 × Summer Rolls, made')
  expect(shown).toContain('Accepted automatically')
  const back = await shell.json(`business orders tick ${number} 'Summer Rolls' --undo`)
  expect(back.kitchen_lines).toMatchObject([{ done: false }])
  expect((await shell.json(`business orders tick ${number} --station cold`)).kitchen_lines).toMatchObject([
    { done: true },
  ])
  const other = await shell.run(`business orders tick ${number} --station Bar`)
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('Its stations: Cold.')])
  expect((await shell.run(`business orders tick ${number} 1=2`)).code).toBe(2)
  expect((await shell.run(`business orders tick ${number}`)).code).toBe(2)
})
