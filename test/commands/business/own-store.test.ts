import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHome } from '../../support/home.ts'
import { runLine } from '../../support/printed-hints.ts'

const FROZEN = { DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' }

const run = async (line: string, { piped = true } = {}) => {
  using home = makeHome({ ...FROZEN })
  return await runLine(home, `dray business ${line}`, { piped })
}

test.each([
  "orders list --merchant 'Goosefoot Grocer Spitalfields'",
  "orders watch --json --merchant 'goosefoot spitalfields'",
  "orders show 7K2M --merchant 'Goosefoot Grocer Spitalfields'",
  "report today --merchant 'GOOSEFOOT SPITALFIELDS'",
  'catalog list --merchant spitalfields',
  "catalog export --merchant 'Goosefoot Grocer Spitalfields'",
  "catalog create --name Cider --category Drinks --price 6 --json --merchant 'spitalfields'",
])('an owner of two stores names one: %s', async (line) => {
  const byName = await run(`${line} --as chain`)
  const id = /"merchant_id": "(mer_\w+)"/.exec(
    (await run('report --as chain --merchant spitalfields --json')).out,
  )?.[1]
  const byId = await run(`${line.replace(/--merchant (?:'[^']*'|\S+)/, `--merchant ${id}`)} --as chain`)
  expect(byName.code).toBe(line.includes('show') ? 5 : line.includes('watch') ? 8 : 0)
  expect(byName).toEqual({ ...byId, err: byName.err })
})

test('the only store of an owner goes by its name, too', async () => {
  expect((await run('catalog list --as owner --merchant lime')).code).toBe(0)
})

test('a name of no store names those there are, and the one that is meant', async () => {
  const { code, err } = await run("orders list --as chain --merchant 'Goosefot Grocer Clerkenwel'")
  expect(code).toBe(5)
  expect(err).toContain('error: You have no store "Goosefot Grocer Clerkenwel".')
  expect(err).toContain(
    'Did you mean Goosefoot Grocer Clerkenwell? You have Goosefoot Grocer Spitalfields (mer_',
  )
})

test('a name of two stores leads to a prompt at a terminal, and to an error in a script', async () => {
  const { code, err } = await run('report --as chain --merchant goosefoot')
  expect(code).toBe(2)
  expect(err).toMatch(
    /Several stores have that name: Goosefoot Grocer Spitalfields \(mer_\w+\), Goosefoot Grocer Cl/,
  )
  expect((await run('report --as chain --merchant goosefoot', { piped: false })).asked).toBe(true)
})

test.each(['orders watch', 'orders list', 'report', 'catalog export'])(
  '%s asks which of several stores, and gives a script the choices',
  async (words) => {
    const { asked, err: question } = await run(`${words} --as chain`, { piped: false })
    expect(asked).toBe(true)
    expect(question).toContain('Choose a store')
    const { code, err } = await run(`${words} --as chain`)
    expect(code).toBe(2)
    expect(err).toContain('You have 2 stores; choose one: Goosefoot Grocer Spitalfields (mer_')
    expect(err).toContain(
      `Complete the command: dray business ${words} --as chain --merchant 'Goosefoot Grocer Spitalfields'`,
    )
  },
)

test('an import asks which of several stores before it says or asks anything about the file', async () => {
  using home = makeHome({ ...FROZEN })
  writeFileSync(join(home.cwd, 'menu.csv'), 'Section,Dish,Amount\nSoups,Tom Kha,8.00\n')
  const { asked, err } = await runLine(home, 'dray business catalog import menu.csv --as chain', {
    piped: false,
  })
  expect(asked).toBe(true)
  expect(err).toMatch(/Choose a store/)
  expect(err).not.toContain('menu.csv')
})

test('a name that is too long for an id is a name of no store', async () => {
  expect((await run(`catalog list --as chain --merchant '${'Nowhere '.repeat(20)}'`)).code).toBe(5)
})
