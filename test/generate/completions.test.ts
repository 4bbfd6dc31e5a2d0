import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandSpec } from '../../src/cli/command.ts'
import { defineCommand } from '../../src/cli/define-command.ts'
import { globalFlagsOf } from '../../src/cli/globals.ts'
import { completeLine } from '../../src/commands/completion/line.ts'
import type { CommandTree } from '../../src/commands/completion/tree.ts'
import { completionTree } from '../../src/generate/completion-tree.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { COMPLETION } from '../../src/generated/completion.ts'
import { builtProgram, LAUNCHER } from '../support/program.ts'
import { installShell, type ShellCompletions, TESTED_SHELLS } from '../support/shells.ts'

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
  { line: 'dray carrier list --status=d', only: ['--status=delivered'] },
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
  { line: 'dray carrier upload p', only: [':files'] },
  { line: 'dray carrier upload -- p', only: [':files'] },
  { line: 'dray carrier upload --results p', only: [':files'] },
  { line: 'dray scenario run a b p', only: [':files'] },
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

const TREE = completionTree(COMMANDS_TO_COMPLETE)

/** Returns the known values of a kind: two, one with a name that a shell would interpret, and one that needs quotes. */
const known = (kind: string) =>
  [[`known-${kind.split(',')[0]}`, 'it: is $(touch called)'], ['other'], ['two words']] as const

/** Returns what the program offers at the end of a line, without descriptions. */
function offered(line: string, tree: CommandTree = TREE): string[] {
  const words = line.split(' ').slice(1)
  return completeLine(tree, words, known)
    .split('\n')
    .slice(0, -1)
    .map((each) => each.replace(/\t.*/, ''))
}

test.each(STORIES)('offers what may follow "$line"', ({ line, offers = [], not = [], only }) => {
  const names = offered(line)
  expect(names.toSorted()).toEqual(only ?? names.toSorted())
  expect(names).toEqual(expect.arrayContaining(offers))
  expect(names.filter((name) => not.includes(name))).toEqual([])
})

test('offers every command of today and every flag of it', async () => {
  const tree = JSON.parse(COMPLETION) as CommandTree
  const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()))
  const missing = commands.flatMap(({ words, flags, takes }) => {
    const names = [...offered(`dray ${words}`, tree), ...offered(`dray ${words} -`, tree)]
    const expected = [...flags, ...globalFlagsOf({ flags, takes })].map(({ flag }) => `--${flag}`)
    return [words.split(' ').at(-1) ?? '', ...expected]
      .filter((name) => !names.includes(name))
      .map((name) => `${words}: ${name}`)
  })
  expect(missing).toEqual([])
})

/** Lines of the built program, with what every shell makes of them. */
const LINES: { line: string; offers?: string[]; only?: string[] }[] = [
  { line: 'dray ', offers: ['carrier', 'food', 'completion'] },
  { line: 'dray --json carrier l', only: ['label', 'list'] },
  { line: 'dray --base-url http://127.0.0.1:80 --output=json sandbox clock s', only: ['set', 'show'] },
  { line: 'dray carrier list --sta', only: ['--status'] },
  { line: 'dray carrier list --status=del', only: ['delivered', 'delivery_attempted'] },
  { line: 'dray carrier list --created-from ', only: [] },
  { line: 'dray carrier list -- -', only: [] },
  { line: 'dray --profile ', only: ['default'] },
  { line: 'dray carrier show p', only: [] },
  { line: 'dray carrier upload p', only: ['parcels of may.csv'] },
  { line: 'dray carrier upload --results p', only: ['parcels of may.csv'] },
  { line: 'dray carrier upload --results=p', only: ['parcels of may.csv'] },
]

/** A dray that offers values with descriptions that a shell would interpret. */
const OFFERING = String.raw`#!/bin/sh
[ "$1" = __complete ] || exec touch "$HOME/called"
cat <<'END'
upload	A manifest's parcels: all [of] them
known	${NASTY}
END
`

const SHIPPED = join(import.meta.dirname, '../../completions')
const home = mkdtempSync(join(tmpdir(), 'dray-completions-'))
const work = join(home, 'work')

beforeAll(async () => {
  mkdirSync(work)
  writeFileSync(join(work, 'parcels of may.csv'), '')
  await builtProgram()
  await installShell('bash')
  await installShell('zsh')
  await installShell('fish')
}, 300_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Returns an environment whose `dray` is this script. */
function withDray(name: string, script: string): NodeJS.ProcessEnv {
  mkdirSync(join(home, name))
  writeFileSync(join(home, name, 'dray'), script, { mode: 0o755 })
  return { PATH: `${home}/${name}:${process.env['PATH']}`, HOME: home, LC_ALL: 'C.UTF-8', TERM: 'xterm' }
}

const built = withDray('bin', `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`)
const offering = withDray('offering', OFFERING)

describe.each(Object.entries(TESTED_SHELLS))('%s', (_, { file, offers }) => {
  const ask = (env: NodeJS.ProcessEnv, lines: readonly string[]): Promise<ShellCompletions[]> =>
    offers({ script: join(SHIPPED, file), lines, cwd: work, env })

  test('completes groups, commands, flags, values and files', async () => {
    const answers = await ask(
      built,
      LINES.map(({ line }) => line),
    )
    expect(answers).toHaveLength(LINES.length)
    const wrong = LINES.flatMap(({ line, offers: some = [], only }, index) => {
      const names = (answers[index]?.names ?? []).map((name) =>
        name.replace(/^--(?:status|results)=/, '').replaceAll('\\', ''),
      )
      const right = only === undefined || only.join() === names.toSorted().join()
      return right && some.every((name) => names.includes(name))
        ? []
        : [`[${line}] offers ${names.join(' ')}`]
    })
    expect(wrong).toEqual([])
  })

  test('runs no part of a description, and dray for what only it knows', async () => {
    const [names] = await ask(offering, ['dray carrier '])
    expect(names?.names).toEqual(expect.arrayContaining(['upload', 'known']))
    expect(existsSync(join(home, 'called'))).toBe(false)
    expect(existsSync(join(work, 'called'))).toBe(false)
  })
})

test.each(['zsh', 'fish'] as const)('%s shows descriptions as they are written', async (shell) => {
  const { file, offers } = TESTED_SHELLS[shell]
  const [names] = await offers({
    script: join(SHIPPED, file),
    lines: ['dray carrier '],
    cwd: work,
    env: offering,
  })
  expect(names?.text).toContain("A manifest's parcels: all [of] them")
  expect(names?.text).toContain(String.raw`it's [one] of: "these" \ $HOME $(touch called)`)
})

test('fish shows the description of a flag beside the flag, not beside each of its values', async () => {
  const { file, offers } = TESTED_SHELLS.fish
  const [flags, values] = await offers({
    script: join(SHIPPED, file),
    lines: ['dray carrier list --sta', 'dray carrier list --status del'],
    cwd: work,
    env: built,
  })
  expect(flags?.text).toMatch(/--status\t\w/)
  expect(values?.text).toContain('delivered\n')
})

/** PowerShell is not installed here: the test parses quotes and brackets as PowerShell does. */
describe('powershell', () => {
  const script = readFileSync(join(SHIPPED, 'dray.ps1'), 'utf8')

  test('closes every quote and bracket, and asks dray', () => {
    expect(readPowershell(script)).toBe('')
    expect(script).toContain('& dray __complete @words "=$wordToComplete"')
  })

  test('is ASCII: Windows PowerShell reads files in its own code page', () => {
    expect(script).toMatch(/^[\n -~]+$/)
  })
})

/** Returns what is left of a script without strings, comments and pairs of brackets. */
function readPowershell(script: string): string {
  let code = script.replaceAll(/#.*|'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, '').replaceAll(/[^'"`(){}[\]]/g, '')
  for (let before = ''; before !== code;) {
    before = code
    code = code.replaceAll(/\(\)|\{\}|\[\]/g, '')
  }
  return code
}
