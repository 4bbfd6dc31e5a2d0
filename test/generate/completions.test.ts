import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../src/cli/command.ts'
import { defineCommand } from '../../src/cli/define-command.ts'
import { globalFlagsOf } from '../../src/cli/globals.ts'
import { completionScripts } from '../../src/generate/completions.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { limit } from '../support/battery.ts'
import { installShell, type Offer, SHELLS } from '../support/shells.ts'

const command = (definition: Partial<CommandSpec> & { words: string; summary: string }): CommandSpec =>
  defineCommand({ run: () => Promise.resolve(0), ...definition })

/** Words and texts that a shell would interpret without quotes. */
const NASTY = String.raw`it's [one] of: "these" \ $HOME $(touch called) ` + '`touch called` %s | 50% ‘so’'

const COMMANDS_TO_COMPLETE: CommandSpec[] = [
  command({ words: 'account membership', summary: 'Your membership' }),
  command({
    words: 'carrier upload',
    summary: "A manifest's parcels: all [of] them",
    positionals: [{ name: 'file', description: '' }],
    flags: [
      { flag: 'results', kind: 'text', value: 'FILE|-|none', description: 'where the results go' },
      { flag: 'split', kind: 'boolean', description: 'in batches of 500' },
    ],
  }),
  command({
    words: 'carrier list',
    summary: 'Parcels',
    flags: [
      { flag: 'status', kind: 'enum', choices: ['created', 'delivered'], repeat: true, description: NASTY },
      { flag: 'from', kind: 'when', description: 'first day' },
    ],
  }),
  command({
    words: 'carrier show',
    summary: 'A parcel',
    positionals: [{ name: 'tracking_number', description: '' }],
  }),
  command({
    words: 'carrier track',
    summary: 'Where parcels are',
    positionals: [{ name: 'parcel', repeat: true, description: '' }],
  }),
  command({
    words: 'rides quote',
    summary: 'Prices',
    takes: ['scenario'],
    flags: [{ flag: 'from', kind: 'text', value: 'PLACE', description: 'from where' }],
  }),
  command({ words: 'api', summary: 'Any operation', positionals: [{ name: 'operation', description: '' }] }),
  command({
    words: 'api get_shipment',
    summary: 'A parcel',
    flags: [{ flag: 'tracking-number', kind: 'text', description: '' }],
  }),
  command({
    words: 'completion',
    summary: 'A script',
    positionals: [{ name: 'shell', choices: ['bash', 'zsh', 'fish', 'powershell'], description: '' }],
  }),
  command({ words: 'completion install', summary: 'Load it' }),
  command({
    words: 'help',
    summary: 'Help',
    positionals: [{ name: 'topic', choices: ['agents', 'exit-codes'], repeat: true, description: '' }],
  }),
  command({ words: 'sandbox clock set', summary: 'Set the clock' }),
  command({
    words: 'scenario run',
    summary: 'Play files',
    positionals: [{ name: 'file', repeat: true, description: '' }],
  }),
]

/** Words that are offered or not offered at the end of a line. */
const STORIES: { line: string; offers?: string[]; not?: string[]; only?: string[] }[] = [
  {
    line: 'dray ',
    only: ['account', 'api', 'carrier', 'completion', 'help', 'rides', 'sandbox', 'scenario'],
  },
  { line: 'dray c', only: ['carrier', 'completion'] },
  { line: 'dray sandbox ', only: ['clock'] },
  { line: 'dray sandbox --quiet clock ', only: ['set'] },
  { line: 'dray carrier ', only: ['list', 'show', 'track', 'upload'] },
  { line: 'dray --json carrier l', only: ['list'] },
  { line: 'dray --base-url http://127.0.0.1:80 --output=json carrier l', only: ['list'] },
  { line: 'dray nonsense ', not: ['carrier'] },
  { line: 'dray carrier list --st', only: ['--status', '--store'] },
  { line: 'dray carrier upload parcels.csv --s', offers: ['--split'] },
  { line: 'dray carrier list --status ', only: ['created', 'delivered'] },
  { line: 'dray carrier list --status=d', only: ['delivered'] },
  { line: 'dray carrier list --status created --fr', only: ['--from'] },
  { line: 'dray --output y', only: ['yaml'] },
  { line: 'dray carrier list --color n', only: ['never'] },
  { line: 'dray --ver', only: ['--verbose', '--version'] },
  { line: 'dray carrier list --ver', only: ['--verbose'] },
  { line: 'dray carrier list --he', only: ['--help'] },
  { line: 'dray carrier list --from ', only: [] },
  { line: 'dray --profile ', only: ['known-profile', 'other'] },
  { line: 'dray --profile k', only: ['known-profile'] },
  { line: 'dray carrier list --as known-', only: ['known-handle'] },
  { line: 'dray carrier show ', only: ['known-tracking_number', 'other'] },
  { line: 'dray carrier show known-x ', not: ['known-tracking_number'] },
  { line: 'dray carrier track a b kn', only: ['known-tracking_number'] },
  { line: 'dray rides quote --from o', only: ['other'] },
  { line: 'dray rides quote --scenario ', only: ['happy', 'surge'] },
  { line: 'dray carrier list -- -', only: [] },
  { line: 'dray carrier show p', only: [] },
  { line: 'dray carrier upload p', only: ['parcels of may.csv'] },
  { line: 'dray carrier upload -- p', only: ['parcels of may.csv'] },
  { line: 'dray carrier upload --results p', only: ['parcels of may.csv'] },
  { line: 'dray scenario run a b p', only: ['parcels of may.csv'] },
  { line: 'dray completion ', only: ['bash', 'fish', 'install', 'powershell', 'zsh'] },
  { line: 'dray completion z', only: ['zsh'] },
  { line: 'dray help ', offers: ['agents', 'exit-codes', 'carrier', 'sandbox', 'completion'] },
  { line: 'dray help carrier ', only: ['list', 'show', 'track', 'upload'] },
  { line: 'dray help sandbox clock ', only: ['set'] },
  { line: 'dray help api g', only: [] },
  { line: 'dray completion zsh ', not: ['bash'] },
  { line: 'dray api ', offers: ['get_shipment'] },
  { line: 'dray api get_shipment --tr', only: ['--tracking-number'] },
]

/** A dray that knows two values of each kind, one with a name that a shell would interpret. */
const KNOWING = String.raw`#!/bin/sh
[ "$1" = __complete ] || exec touch "$HOME/called"
printf 'known-%s	it: is $(touch called)
other
' "${'$'}{2%%,*}"
`

const SHIPPED = join(import.meta.dirname, '../../completions')
const home = mkdtempSync(join(tmpdir(), 'dray-completions-'))
const work = join(home, 'work')
const env = { PATH: `${home}/bin:${process.env['PATH']}`, HOME: home, LC_ALL: 'C.UTF-8', TERM: 'xterm' }

beforeAll(async () => {
  mkdirSync(work)
  writeFileSync(join(work, 'parcels of may.csv'), '')
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin/dray'), KNOWING, { mode: 0o755 })
  for (const [path, script] of Object.entries(completionScripts(COMMANDS_TO_COMPLETE))) {
    writeFileSync(join(home, basename(path)), script)
  }
  await installShell('bash')
  await installShell('zsh')
  await installShell('fish')
}, 300_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

describe.each(Object.entries(SHELLS))('%s', (shell, { file, offers }) => {
  const made = join(home, file)

  const ask = (script: string, lines: readonly string[]): Promise<Offer[]> =>
    offers({ script, lines, cwd: work, env })

  test('completes groups, commands, flags, values and files', async () => {
    const answers = await ask(
      made,
      STORIES.map(({ line }) => line),
    )
    expect(answers).toHaveLength(STORIES.length)
    const wrong = STORIES.flatMap(({ line, offers: some = [], not = [], only }, index) => {
      const names =
        answers[index]?.names.map((name) => name.replace(/^--status=/, '').replaceAll('\\', '')) ?? []
      const right = only === undefined || only.join() === names.toSorted().join()
      const all = some.every((name) => names.includes(name)) && !not.some((name) => names.includes(name))
      return right && all ? [] : [`[${line}] offers ${names.join(' ')}`]
    })
    expect(wrong).toEqual([])
  })

  test('runs no part of a description, and dray for what only it knows', async () => {
    const lines = ['dray carrier ', 'dray carrier list --st', 'dray carrier list --status ']
    await ask(made, [...lines, 'dray carrier show k'])
    expect(existsSync(join(home, 'called'))).toBe(false)
    expect(existsSync(join(work, 'called'))).toBe(false)
  })

  test('knows every command of today and every flag of it', async () => {
    const script = join(SHIPPED, file)
    const all = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()))
    // Fish needs a third of a second for two lines.
    const commands = all.filter((_, at) => at % limit(shell === 'fish' ? 8 : 4, 1) === 0)
    const lines = commands.flatMap(({ words }) => [
      `dray ${words.split(' ').slice(0, -1).join(' ')} `.replace('  ', ' '),
      `dray ${words} --`,
    ])
    const answers = await ask(script, lines)
    expect(commands.length).toBeGreaterThan(10)
    const missing = commands.flatMap(({ words, flags, takes }, index) => {
      const names = [...(answers[2 * index]?.names ?? []), ...(answers[2 * index + 1]?.names ?? [])]
      const expected = [
        words.split(' ').at(-1),
        ...[...flags, ...globalFlagsOf({ flags, takes })].map(({ flag }) => `--${flag}`),
      ]
      return expected.filter((name) => !names.includes(name ?? '')).map((name) => `${words}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})

test.each(['zsh', 'fish'] as const)('%s shows descriptions as they are written', async (shell) => {
  const { file, offers } = SHELLS[shell]
  const [names, flags] = await offers({
    script: join(home, file),
    lines: ['dray carrier ', 'dray carrier list --st'],
    cwd: work,
    env,
  })
  expect(names?.text).toContain("A manifest's parcels: all [of] them")
  expect(flags?.text).toContain(String.raw`it's [one] of: "these" \ $HOME $(touch called)`)
})

test('fish shows the description of a flag beside the flag, not beside each of its values', async () => {
  const { file, offers } = SHELLS.fish
  const [flags, values] = await offers({
    script: join(home, file),
    lines: ['dray carrier list --st', 'dray carrier list --status '],
    cwd: work,
    env,
  })
  expect(flags?.text).toContain("it's [one] of")
  expect(values?.names.toSorted()).toEqual(['created', 'delivered'])
  expect(values?.text).not.toContain("it's [one] of")
})

/** PowerShell is not installed here: the test parses quotes and brackets as PowerShell does. */
describe('powershell', () => {
  const script = completionScripts(COMMANDS_TO_COMPLETE)['completions/dray.ps1'] ?? ''

  test('closes every quote and bracket, whatever the descriptions hold', () => {
    const { strings, left } = readPowershell(script)
    expect(left).toBe('')
    expect(strings).toEqual(
      expect.arrayContaining([
        "upload|A manifest's parcels: all [of] them",
        '--split||in batches of 500',
        '--from|*|first day',
        'fish|',
      ]),
    )
  })

  test('is ASCII: Windows PowerShell reads files in its own code page', () => {
    expect(script).toMatch(/^[\n -~]+$/)
  })

  test('knows every command of today and every flag of it', async () => {
    const { strings, left } = readPowershell(readFileSync(join(SHIPPED, 'dray.ps1'), 'utf8'))
    const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()))
    const missing = commands.flatMap(({ words, flags }) => [
      ...(strings.includes(words) ? [] : [words]),
      ...flags
        .filter(({ flag }) => !strings.some((text) => text.startsWith(`--${flag}|`)))
        .map(({ flag }) => `${words}: ${flag}`),
    ])
    expect(left).toBe('')
    expect(missing).toEqual([])
  })
})

/** Returns the strings of a script, and the rest without strings, comments and pairs of brackets. */
function readPowershell(script: string): { strings: string[]; left: string } {
  const strings: string[] = []
  let code = script.replaceAll(/#.*|'((?:[^']|'')*)'|"(?:[^"`]|`.)*"/g, (_, single?: string) => {
    if (single !== undefined) strings.push(single.replaceAll("''", "'"))
    return ''
  })
  code = code.replaceAll(/[^'"`(){}[\]]/g, '')
  for (let before = ''; before !== code;) {
    before = code
    code = code.replaceAll(/\(\)|\{\}|\[\]/g, '')
  }
  return { strings, left: code }
}
