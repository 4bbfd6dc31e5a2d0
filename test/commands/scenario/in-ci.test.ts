/** `dray scenario run` in CI: the same bytes twice, what went wrong in full, and what GitHub Actions shows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scenarioRun } from '../../../src/commands/scenario/run.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand, type InlineCommandResult } from '../../support/run-command.ts'

type Story = { flags?: string[]; env?: Record<string, string> }

/** Runs a scenario; `read` returns what it wrote into a file of its folder. */
async function play(
  yaml: string,
  { flags = [], env = {} }: Story = {},
): Promise<InlineCommandResult & { read(name: string): string }> {
  using home = makeHome({ NO_COLOR: '1', ...env })
  writeFileSync(join(home.cwd, 'story.yaml'), yaml)
  writeFileSync(join(home.cwd, 'summary.md'), '# Before\n')
  const inHome = Object.hasOwn(env, 'GITHUB_STEP_SUMMARY') ? join(home.cwd, 'summary.md') : undefined
  if (inHome !== undefined) home.env['GITHUB_STEP_SUMMARY'] = inHome
  const ran = await runCommand(home, scenarioRun, [join(home.cwd, 'story.yaml'), '--ephemeral', ...flags], {
    openClient: embeddedIn(home),
  })
  const files = new Map(
    ['summary.md', 'results.xml'].flatMap((name) => {
      try {
        return [[name, readFileSync(join(home.cwd, name), 'utf8')]]
      } catch {
        return []
      }
    }),
  )
  // The same in each home.
  const short = (text: string): string => text.replaceAll(`${home.cwd}/`, '')
  const out = short(ran.out)
  return { ...ran, out, err: short(ran.err), read: (name) => short(files.get(name) ?? '') }
}

const GOOD = 'name: Hubs\nsteps:\n  - call: list_hubs\n  - advance: 1h\n'
const BAD = `name: 'Pipes | and: commas, here'
steps:
  - call: list_hubs
  - { name: "a 100% wrong\\nparcel", call: get_ride, input: { ride_id: x }, as: member }
`

test('two runs print the same bytes, as JSON and as JUnit; --timings adds what each step took', async () => {
  const flags = ['--json', '--junit', 'results.xml']
  const [one, other] = [await play(GOOD, { flags }), await play(GOOD, { flags })]
  expect([one.code, one.out, one.read('results.xml')]).toEqual([0, other.out, other.read('results.xml')])
  expect(one.out + one.read('results.xml')).not.toMatch(/duration_ms|time=/)
  const timed = await play(GOOD, { flags: [...flags, '--timings'] })
  expect(timed.json()).toMatchObject({ data: [{ duration_ms: expect.any(Number) }, { result: 'passed' }] })
  expect(timed.read('results.xml')).toMatch(/<testcase [^>]* time="\d+\.\d{3}"/)
})

test('the error for an input names all its fields', async () => {
  const { out } = await play(
    `steps:
  - call: create_shipment
    input: { service_level: fast, recipient: {}, parcel: { weight_grams: 0 } }
`,
    { flags: ['--json'] },
  )
  const [{ failures }] = (JSON.parse(out) as { data: [{ failures: [{ actual: string }] }] }).data
  expect(failures[0].actual).toMatch(/^400 invalid_request: /)
  for (const member of ['service_level', 'weight_grams', 'contact', 'address'])
    expect(failures[0].actual).toContain(member)
})

test('an account that the sandbox does not have is found before the first step', async () => {
  const { code, out } = await play('steps:\n  - call: list_hubs\n  - { call: list_shipments, as: shipr }\n')
  expect(code).toBe(2)
  expect(out).toContain('story.yaml:3:1: as: the sandbox has no account shipr; there are everything, member,')
  expect(out).not.toContain('list_hubs')
  const whole = await play('as: nobody-at-all\nsteps:\n  - call: list_hubs\n')
  expect([whole.code, whole.out]).toEqual([
    2,
    expect.stringContaining('no account nobody-at-all; there are everything,'),
  ])
})

test('an account that a step adds, one by its id, and one by a reference are known', async () => {
  const { code, out } = await play(`variables: { who: shipper }
steps:
  - { control: add_account, input: { handle: books, carrier: true } }
  - { call: list_shipments, as: books }
  - { call: list_shipments, as: '\${var.who}' }
`)
  expect([code, out]).toEqual([0, expect.stringContaining('3 steps passed.')])
})

test('GitHub Actions gets a line for each failure and a table in the summary of the job, others nothing', async () => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary.md' }
  const failed = await play(BAD, { env, flags: ['--json'] })
  expect(failed.code).toBe(6)
  // Standard output stays one document.
  expect(failed.json()).toMatchObject({ data: [{ result: 'passed' }, { result: 'failed' }] })
  expect(failed.err.split('\n').filter((line) => line.startsWith('::error '))).toEqual([
    expect.stringMatching(
      /^::error file=story\.yaml,line=4,title=Pipes \| and%3A commas%2C here%3A a 100%25 wrong%0Aparcel::step: expected success, got 40\d /,
    ),
  ])
  const summary = failed.read('summary.md')
  expect(summary).toContain(
    '# Before\n### Scenarios\n\n| File | Scenario | Passed | Failed | Skipped |\n| --- |',
  )
  expect(summary).toContain(String.raw`| story.yaml | Pipes \| and: commas, here | 1 | 1 | 0 |`)
  expect(summary).toContain('| story.yaml:4 | a 100% wrong parcel | step: expected success, got 40')

  const passed = await play(GOOD, { env })
  expect(passed.err).not.toContain('::error')
  expect(passed.read('summary.md')).toContain('| story.yaml | Hubs | 2 | 0 | 0 |')
  const elsewhere = await play(BAD, { env: { GITHUB_STEP_SUMMARY: 'summary.md' } })
  expect([elsewhere.err, elsewhere.read('summary.md')]).toEqual([
    expect.not.stringContaining('::error'),
    '# Before\n',
  ])
})

test('a summary that cannot be written is a warning, and the results stay', async () => {
  const env = { GITHUB_ACTIONS: 'true' }
  using home = makeHome({ NO_COLOR: '1', ...env })
  home.env['GITHUB_STEP_SUMMARY'] = join(home.cwd, 'no-folder/summary.md')
  writeFileSync(join(home.cwd, 'story.yaml'), GOOD)
  const ran = await runCommand(home, scenarioRun, [join(home.cwd, 'story.yaml'), '--ephemeral'], {
    openClient: embeddedIn(home),
  })
  expect([ran.code, ran.err]).toEqual([
    0,
    expect.stringContaining('warning: GITHUB_STEP_SUMMARY cannot be written'),
  ])
})
