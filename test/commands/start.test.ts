/** `dray start`: a guide whose steps are real commands in a sandbox of its own. */
import { mkdirSync, readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { start } from '../../src/commands/start/start.command.ts'
import { makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'
import { builtProgram, startDray } from '../support/program.ts'
import { runCommand } from '../support/run-command.ts'
import { KEY_BYTES, startInTerminal } from '../support/terminal.ts'

beforeAll(builtProgram)

test('without a terminal it prints the commands as a script, and says which guides there are', async () => {
  using home = makeHome()
  const script = await runCommand(home, start, ['store'])
  expect(script.code).toBe(0)
  expect(script.out).toMatch(/^#!\/bin\/sh\n# I run a store\./)
  expect(script.out).toContain('\ndray business orders accept X7KH --as owner --prep-time 10\n')
  expect((await runCommand(home, start, ['build'])).out).toContain('--json || [ $? -eq 5 ]\n')
  expect((await runCommand(home, start, [])).error?.message).toBe('Missing: ROLE.')
  expect((await runCommand(home, start, ['fly'])).error?.message).toContain('order, store, parcels, build')
})

test('ends with something delivered, and leaves nothing behind', async () => {
  using home = makeHome()
  // The sandbox of a guide that was killed.
  mkdirSync(`${home.cwd}/state/start-999999999`, { recursive: true })
  const env = { HOME: home.cwd, DRAY_HOME: home.cwd }
  const ran = await startDray(['start', 'order', '--yes'], { env, cwd: home.cwd }).ended
  expect(ran.exitCode, ran.stderr).toBe(0)
  expect(ran.stdout).toMatch(/completed\tby courier\n$/)
  expect(ran.stderr).toContain('$ dray food search thai --near kings-cross')
  expect([readdirSync(home.cwd), readdirSync(`${home.cwd}/state`)]).toEqual([['state'], []])
})

test('with --json it prints one document: the steps, and with --yes the result of each', async () => {
  using home = makeHome()
  const planned = await runCommand(home, start, ['parcels', '--json'])
  expect(JSON.parse(planned.out)).toMatchObject({
    tour: 'parcels',
    ran: false,
    steps: [{}, {}, { command: 'dray sandbox clock advance 3d --json', exit_code: 0 }, {}],
  })
  const env = { HOME: home.cwd, DRAY_HOME: home.cwd }
  const ran = await startDray(['start', 'build', '--yes', '--json', '--quiet'], { env, cwd: home.cwd }).ended
  expect(ran.stderr).toBe('')
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ran: true,
    steps: [
      { result: ['Lime Street Noodles'] },
      { exit_code: 5, result: { code: 'order_not_found' } },
      ...Array.from({ length: 4 }, () => ({ exit_code: 0 })),
      { command: 'dray food show last --json --query status', result: 'completed' },
    ],
    next: 'dray serve',
  })
  expect([ran.exitCode, readdirSync(`${home.cwd}/state`)]).toEqual([0, []])
})

test('breaks what a step is about between words, below its beginning', async () => {
  using home = makeHome()
  const io = memoryIo({ tty: true, columns: 80, env: { HOME: home.cwd, DRAY_HOME: home.cwd, NO_COLOR: '1' } })
  await runCommand(home, start, ['build', '--yes'], { io })
  expect(io.err()).toContain(
    '\n3 of 7  Order from a store. dray buys nothing above --max-total, and repeating\n        the command buys nothing twice.\n$ dray food order ',
  )
})

test('asks what to do and before each step, and ends cleanly at Ctrl-C', async () => {
  using home = makeHome()
  using terminal = startInTerminal(['start'], { env: { HOME: home.cwd, DRAY_HOME: home.cwd }, cwd: home.cwd })
  await terminal.shows('What do you want to do?')
  terminal.type(KEY_BYTES.enter)
  await terminal.shows('$ dray food search thai --near kings-cross')
  terminal.type(KEY_BYTES.enter)
  await terminal.shows(/2 of 6[^]*Run it\? \(Y\/n\)/)
  terminal.type(KEY_BYTES.ctrlC)
  expect((await terminal.ended()).exitCode).toBe(130)
  expect(readdirSync(`${home.cwd}/state`)).toEqual([])
})
