import { describe, expect, test } from 'vitest'
import { setTable } from '../../../src/commands/mcp/toml-text.ts'

const ENTRY = { command: '/usr/bin/node', args: ['C:\\dray "x".js', 'mcp'] }
const TABLE = `[mcp_servers.dray]
command = "/usr/bin/node"
args = ["C:\\\\dray \\"x\\".js", "mcp"]
`

/** A sample of TOML's syntax. */
const REAL = `# mine
model = "gpt" # the good one
"quoted key".'other' = 'C:\\x'
dates = [1979-05-27T07:32:00Z, 1979-05-27, 07:32:00]
numbers = [ +1_000, 0xff, 1.5e-3, -inf, nan, ] # all

[[hooks]]
run = true
[[hooks]]
run = false
text = '''
[not.a.table]
x = '''

[projects."/home/me"]
inline = { a = 1, b.c = "}", d = [ { e = "]" } ] }
nested = [
  "one", # [mcp_servers]
  """two "quoted" \\""" and on""",
]
`

const set = (text: string, entry: Parameters<typeof setTable>[3] = ENTRY) =>
  setTable(text, 'mcp_servers', 'dray', entry)

describe('the table', () => {
  test.each([
    ['', TABLE],
    ['model = "x"\n', `model = "x"\n\n${TABLE}`],
    ['[a]\nb = 1', `[a]\nb = 1\n\n${TABLE}`],
    [REAL, `${REAL}\n${TABLE}`],
    ['# [mcp_servers.dray]\n', `# [mcp_servers.dray]\n\n${TABLE}`],
  ])('goes to the end of %j', (before, text) => {
    expect(set(before)).toMatchObject({ kind: 'changed', text })
  })

  test('is changed in its place when it is as simple as ours', () => {
    const before = `[a]\nb = 1\n\n[ mcp_servers . "dray" ]\ncommand = "old"\nargs = []\n\n[c]\nd = 2\n`
    const edit = set(before)
    expect(edit).toMatchObject({ kind: 'changed', text: `[a]\nb = 1\n\n${TABLE}\n[c]\nd = 2\n` })
    expect(set(edit.kind === 'changed' ? edit.text : '')).toEqual({ kind: 'same' })
  })

  test('says what the program needs to find the settings', () => {
    expect(set('', { ...ENTRY, env: { DRAY_HOME: '/x' } })).toMatchObject({
      text: `${TABLE}env = { DRAY_HOME = "/x" }\n`,
    })
  })

  test.each([
    `[mcp_servers.dray]\ncommand = "old" # mine\n`,
    `[mcp_servers.dray]\ncommand = "old"\nstartup_timeout_sec = 3\n`,
    `[mcp_servers.dray]\nargs = [\n  "a",\n]\n`,
    `mcp_servers.dray.command = "x"\n`,
    `[mcp_servers]\ndray = { command = "x" }\n`,
    `mcp_servers = { dray = { command = "x" } }\n`,
    `[mcp_servers.dray.env]\nA = "b"\n`,
    `text = """\nno end\n`,
    `model = \n`,
    `model\n`,
    `= "x"\n`,
    `a = 1 b = 2\n`,
    `a = [1, 2\n`,
    `a = { b = 1, b = 2 }\n`,
    `[a\nb = 1\n`,
    `a = yes\n`,
    `a = "x\n`,
    `a = 1\na = 2\n`,
    `[a]\n[a]\n`,
  ])('is not put into %j', (text) => {
    expect(set(text)).toMatchObject({ kind: 'refused' })
  })
})
