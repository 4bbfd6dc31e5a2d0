import { parse } from 'smol-toml'
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

const read = (text: string) => parse(text.replace('\ufeff', ''), { integersAsBigInt: 'asNeeded' })

const commentsOf = (text: string): string[] => text.match(/#.*/g) ?? []

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

  test('is changed in its place, and what is said there stays', () => {
    const before = `[a]\nb = 1\n\n[ mcp_servers . "dray" ] # mine\ncommand = "old" # here\nargs = [\n  "a", # one\n] # two\ntimeout = 3\n\n[c]\nd = 2\n`
    const edit = set(before)
    expect(edit).toMatchObject({
      text: `[a]\nb = 1\n\n[ mcp_servers . "dray" ] # mine\ncommand = "/usr/bin/node" # here\nargs = ["C:\\\\dray \\"x\\".js", "mcp"] # two\ntimeout = 3\n\n[c]\nd = 2\n`,
    })
    expect(set(edit.kind === 'changed' ? edit.text : '')).toEqual({ kind: 'same' })
  })

  test('says what the program needs to find the settings', () => {
    expect(set('', { ...ENTRY, env: { DRAY_HOME: '/x' } })).toMatchObject({
      text: `${TABLE}env = { DRAY_HOME = "/x" }\n`,
    })
  })

  test.each([
    `model = "x"\nmcp_servers = { a = { command = "y" } }\n`,
    `mcp_servers = { a = { command = "y" } } # mine`,
    `mcp_servers = {}\n[b]\nc = 1\n`,
    `mcp_servers = { dray = { command = "x" } }\n`,
    `mcp_servers = { dray = {} }\n`,
    `mcp_servers = { dray = { command = "}", env = { A = "]" } }, z = {} }\n`,
    `[mcp_servers.dray]\ncommand = "dray"\nargs = ["mcp"]\n\n[mcp_servers.dray.env]\nDRAY_PROFILE = "work"\n`,
    `[mcp_servers.dray.env]\nA = "b"\n`,
    `[mcp_servers.dray.env]\n[mcp_servers.dray.env.deep]\n`,
    `[mcp_servers.dray]\nenv.A = "b"`,
    `[mcp_servers.dray]\nenv = { A = "b" }\n`,
    `[mcp_servers.dray]\ncommand = "old" # mine\n`,
    `[mcp_servers.dray]\ncommand = "old"\nstartup_timeout_sec = 3\n`,
    `[mcp_servers.dray]\nargs = [\n  "a",\n]\n`,
    `[mcp_servers.dray]\n[mcp_servers.dray.tools.buy]\napproval = "ask"\n`,
    `[mcp_servers.dray]`,
    `mcp_servers.dray.command = "x"\n`,
    `mcp_servers.a.command = "x"\n# the next\n[b]\n`,
    `mcp_servers.dray.env.A = "b"\n`,
    `[mcp_servers]\n  dray = { command = "x" }\n`,
    `[mcp_servers]\ndray.command = "x"\ndray.args = []\n[z]\n`,
    `[mcp_servers]\na.command = "x"`,
    `"mcp_servers".'dray'."command" = '''x'''\n`,
    `[[hooks]]\na = 1\n[[hooks]]\n[hooks.mcp_servers.dray]\ncommand = "no"\n`,
    `a = [{ mcp_servers = { dray = 1 } }, [ "]" ]]\nbig = 9223372036854775807\nwhen = 1979-05-27 07:32:00Z # here\n`,
    `text = """\n[mcp_servers.dray]\ncommand = \\""""""\n`,
    `\ufeff[mcp_servers.dray]\r\ncommand = "x"\r\n\r\n[z]\r\ny = 1\r\n`,
    `mcp_servers = { a = {} }\r\n[z]\r\n`,
    `[projects."/home/me"]\ntrust = "yes"`,
    REAL,
  ])('comes into %j, and leaves all else as it is', (before) => {
    const entry = { ...ENTRY, env: { DRAY_HOME: '/x' } }
    const edit = set(before, entry)
    if (edit.kind !== 'changed') throw new Error(JSON.stringify(edit))
    const old = read(before)
    const servers = (old['mcp_servers'] ?? {}) as Record<string, { env?: object }>
    const merged = { ...servers['dray'], ...entry, env: { ...servers['dray']?.env, ...entry.env } }
    expect(read(edit.text)).toEqual({ ...old, mcp_servers: { ...servers, dray: merged } })
    expect(commentsOf(edit.text)).toEqual(commentsOf(before))
    expect(edit.text.includes('\r') ? edit.text.replaceAll('\r\n', '') : '').not.toContain('\n')
    expect(set(edit.text, entry)).toEqual({ kind: 'same' })
  })

  test.each([
    `[mcp_servers.dray]\nurl = "https://mcp.example.com"\n`,
    `mcp_servers = "none"\n`,
    `mcp_servers.dray = 1\n`,
    `[[mcp_servers]]\nname = "a"\n`,
    `[[mcp_servers.dray]]\ncommand = "x"\n`,
    `[mcp_servers.dray]\nenv = "A=b"\n`,
    `mcp_servers = {}\n[mcp_servers.a]\n`,
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
    expect(set(text, { ...ENTRY, env: { DRAY_HOME: '/x' } })).toMatchObject({ kind: 'refused' })
  })
})
