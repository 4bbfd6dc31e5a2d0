/** Measures sandboxes of `dray/testing`: the first one of a process, one for each test, and what they hold in memory. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { count, type FigureLine, median, type FigureTable } from './figures.ts'
import { runChild } from './program.ts'
import type { Homes } from './startup.ts'

const LIBRARY = pathToFileURL(join(import.meta.dirname, '../dist/testing.mjs')).href
/** The budgets, in milliseconds of processor and MB. */
const SANDBOX_BUDGETS = { first: 100, forked: 1.5, rolledBack: 0.3, alive: 1000 }
const ALIVE = 1000
const FLAT = 10_000
const TIMES = 300

const TIMED = `
// Processor time, which other programs change little.
const spent = () => Object.values(process.threadCpuUsage()).reduce((sum, each) => sum + each, 0) / 1000
const started = spent()
const { startSandbox, withSandbox } = await import('${LIBRARY}')
const first = await startSandbox({ seed: 7 })
const figures = { first: spent() - started }
const look = (sandbox) => sandbox.as('member').getMembershipStatus()
const fork = async () => {
  const sandbox = await startSandbox({ seed: 7 })
  await look(sandbox)
  return sandbox
}
const each = async (work) => {
  for (let at = 0; at < 30; at++) await work()
  const began = spent()
  for (let at = 0; at < ${TIMES}; at++) await work()
  return (spent() - began) / ${TIMES}
}
figures.forked = await each(async () => (await fork()).close())
figures.rolledBack = await each(() => withSandbox({ seed: 7 }, look))
const call = () => look(first)
figures.call = await each(call)
console.log(JSON.stringify(figures))
`

const MEMORY = `
const { startSandbox, withSandbox } = await import('${LIBRARY}')
const look = (sandbox) => sandbox.as('member').getMembershipStatus()
const size = () => (gc(), process.memoryUsage().rss / 1e6)
const flat = async (work) => {
  // The memory of the process settles only after thousands of worlds.
  for (let at = 0; at < ${FLAT}; at++) await work()
  const before = size()
  for (let at = 0; at < ${FLAT}; at++) await work()
  return size() - before
}
const forked = await flat(async () => {
  const sandbox = await startSandbox({ seed: 7 })
  await look(sandbox)
  await sandbox.close()
})
const rolledBack = await flat(() => withSandbox({ seed: 7 }, look))
const before = size()
const alive = []
for (let at = 0; at < ${ALIVE}; at++) {
  const sandbox = await startSandbox({ seed: 7 })
  await look(sandbox)
  alive.push(sandbox)
}
console.log(JSON.stringify({ forked, rolledBack, alive: size() - before }))
`

/** Measures a new process each round. */
export async function measureSandboxes({ folder, fresh }: Homes, rounds: number): Promise<FigureTable[]> {
  const script = (name: string, text: string): string => {
    const file = join(folder, `${name}.mjs`)
    writeFileSync(file, text)
    return file
  }
  const timed = script('timed', TIMED)
  const times: Record<string, number>[] = []
  for (let round = 0; round < rounds; round++) {
    const { stdout } = await runChild({ args: [timed], home: fresh })
    times.push(JSON.parse(stdout) as Record<string, number>)
  }
  const line = (what: string, name: string, budget?: number): FigureLine => {
    const ms = median(times.map((each) => each[name] ?? Number.NaN))
    return {
      what,
      cells: [ms.toFixed(2)],
      ...(budget !== undefined && { measured: ms, budget }),
    }
  }
  const { stdout } = await runChild({ args: ['--expose-gc', script('memory', MEMORY)], home: fresh })
  const held = JSON.parse(stdout) as Record<'forked' | 'rolledBack' | 'alive', number>
  return [
    {
      title: `Sandboxes of dray/testing, in processor time, medians of ${rounds} processes`,
      heads: ['ms'],
      lines: [
        line('the first of a process, with the import', 'first', SANDBOX_BUDGETS.first),
        line('forked, with its first call and its end', 'forked', SANDBOX_BUDGETS.forked),
        line('rolled back, with its first call', 'rolledBack', SANDBOX_BUDGETS.rolledBack),
        line('a further call', 'call'),
      ],
    },
    {
      title: 'Memory of sandboxes',
      heads: ['MB more'],
      lines: [
        {
          what: `${count(ALIVE)} alive`,
          cells: [count(held.alive)],
          measured: held.alive,
          budget: SANDBOX_BUDGETS.alive,
        },
        { what: `${count(FLAT)} forked and closed`, cells: [held.forked.toFixed(1)] },
        { what: `${count(FLAT)} rolled back`, cells: [held.rolledBack.toFixed(1)] },
      ],
    },
  ]
}
