import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierTemplate } from '../../../src/commands/carrier/template.command.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

test('writes a manifest with an example next to it, and never over another file', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'my parcels.csv')
  const ran = await runCommand(home, carrierTemplate, [path])
  expect(ran).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(path, 'utf8')).toMatch(/^reference,recipient_name,.*\r\n$/)
  expect(ran.err).toContain(
    `Next: dray carrier upload '${join(home.cwd, 'my parcels.example.csv')}' --dry-run`,
  )
  // An unchanged template is dray's own; one with a row in it is the user's.
  expect((await runCommand(home, carrierTemplate, [path])).error).toBeUndefined()
  appendFileSync(path, 'A-1,Grace Okoro\n')
  expect((await runCommand(home, carrierTemplate, [path])).error?.message).toContain(
    'was not written by dray',
  )
})

test('a script gets its one document', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'm.csv')
  const printed = (await runCommand(home, carrierTemplate, ['--example', '--json'])).json()
  expect(printed).toEqual({ manifest: expect.stringContaining('A-1001,Amelia Hart') as string })
  expect((await runCommand(home, carrierTemplate, [path, '--json'])).json()).toEqual({
    file: path,
    example_file: path.replace('.csv', '.example.csv'),
  })
})

test('has no dry run', async () => {
  using home = makeHome()
  expect((await runCommand(home, carrierTemplate, ['m.csv', '--dry-run'])).error?.code).toBe('usage')
})
