import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mcpInstall } from '../../../src/commands/mcp/install.command.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'

let home: Home

beforeEach(() => {
  home = makeHome()
  home.env['HOME'] = home.cwd
})

afterEach(() => home[Symbol.dispose]())

const install = (...argv: string[]) => runCommand(home, mcpInstall, argv)

function write(path: string, text: string, mode = 0o644): string {
  const file = join(home.cwd, path)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode })
  return file
}

const read = (path: string): string => fs.readFileSync(join(home.cwd, path), 'utf8')

describe('dray mcp install', () => {
  test.each([
    ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers', false],
    ['claude-code', '.claude.json', 'mcpServers', true],
    ['cursor', '.cursor/mcp.json', 'mcpServers', false],
    ['vscode', '.config/Code/User/mcp.json', 'servers', true],
    ['windsurf', '.codeium/windsurf/mcp_config.json', 'mcpServers', false],
    ['gemini-cli', '.gemini/settings.json', 'mcpServers', false],
  ])('sets up %s in ~/%s', async (program, path, section, typed) => {
    const ran = await install(program, '--yes', '--json')
    expect(ran.json()).toMatchObject({ program, changed: true, backup: null, file: join(home.cwd, path) })
    const file = JSON.parse(read(path)) as Record<string, { dray: { type?: string; args: string[] } }>
    const entry = file[section]?.dray
    expect(entry?.type).toBe(typed ? 'stdio' : undefined)
    expect(entry?.args.slice(-2)).toEqual([expect.stringMatching(/\/bin\/dray\.js$/), 'mcp'])
    expect(fs.statSync(join(home.cwd, path)).mode & 0o777).toBe(0o600)
    expect((await install(program, '--yes', '--json')).json()).toMatchObject({ changed: false })
  })

  describe('with Codex, which changes its file itself', () => {
    const INLINE = 'model = "x"\nmcp_servers = { a = { command = "y" } }\n'
    const SUBTABLE =
      '[mcp_servers.dray]\ncommand = "dray"\nargs = ["mcp"]\n\n[mcp_servers.dray.env]\nDRAY_PROFILE = "work"\n'

    test('prints the command that adds dray, which a shell can run, and writes nothing', async () => {
      home.env['DRAY_HOME'] = `${home.cwd}/a home`
      const ran = await install(
        'codex',
        '--max-spend',
        '50GBP/day',
        '--toolsets',
        'food,rides',
        '--name',
        'shop',
      )
      expect(ran.code).toBe(0)
      expect(ran.out).toMatch(
        /^codex mcp add shop --env 'DRAY_HOME=\/.+\/a home' -- \/\S+ \/\S+\/bin\/dray\.js mcp --toolsets food,rides --max-spend 50GBP\/day\n$/,
      )
      expect(ran.err).toContain('Run this command to set up Codex')
      expect(fs.readdirSync(home.cwd)).toEqual([])
    })

    test('gives a script the command as a member, and each word of it', async () => {
      const ran = await install('codex', '--read-only', '--json')
      const { command, entry } = ran.json() as { command: string; entry: { command: string; args: string[] } }
      expect(command).toBe(`codex mcp add dray -- ${[entry.command, ...entry.args].join(' ')}`)
      expect(entry.args.slice(-2)).toEqual(['mcp', '--read-only'])
      expect(ran.json()).toMatchObject({ file: null, changed: false, backup: null, tool_limit: null })
    })

    test.each([
      ['servers in an inline table', INLINE],
      ['variables in a table of their own', SUBTABLE],
    ])('exits 2 with --yes and leaves a file with %s as it is', async (_, text) => {
      write('.codex/config.toml', text)
      const { code, error, err } = await install('codex', '--yes')
      expect([code, error?.message]).toEqual([2, 'Codex changes its file itself, so nothing was changed.'])
      expect(err).toMatch(/^codex mcp add dray -- .+ mcp$/m)
      const { error: told } = await install('codex', '--yes', '--json')
      expect(told?.extra['command']).toMatch(/^codex mcp add dray -- /)
      expect((await install('codex')).code).toBe(0)
      expect(read('.codex/config.toml')).toBe(text)
      expect(fs.readdirSync(join(home.cwd, '.codex'))).toEqual(['config.toml'])
    })

    test('takes no --file', async () => {
      const { code, error } = await install('codex', '--file', 'config.toml')
      expect([code, error?.message]).toEqual([2, 'Codex changes its file itself: leave out --file.'])
    })
  })

  test('hands the profile and what was chosen on to `dray mcp`', async () => {
    home.writeConfig({ profiles: { work: { base_url: 'https://api.example.com' } } })
    await install(
      'cursor',
      '--yes',
      '--profile',
      'work',
      '--read-only',
      '--toolsets',
      'food, rides',
      '--name',
      'shop',
    )
    const { mcpServers } = JSON.parse(read('.cursor/mcp.json')) as {
      mcpServers: { shop: { args: string[] } }
    }
    expect(mcpServers.shop.args.slice(1)).toEqual([
      'mcp',
      '--profile',
      'work',
      '--read-only',
      '--toolsets',
      'food,rides',
    ])
  })

  describe('with a program that takes fewer tools than there are', () => {
    const argsOf = (): string[] =>
      (JSON.parse(read('.cursor/mcp.json')) as { mcpServers: { dray: { args: string[] } } }).mcpServers.dray
        .args
    /** Answers the questions one after the other; returns what was asked. */
    const answering = async (answers: readonly [question: string, keys: string][], ...argv: string[]) => {
      const io = memoryIo({ tty: true, env: home.env })
      const asking = runCommand(home, mcpInstall, [...argv, '--accessible'], { io })
      for (const [question, keys] of answers) {
        await expect.poll(() => io.asked()).toContain(question)
        io.type(keys)
      }
      expect((await asking).error).toBeUndefined()
      return io.asked()
    }
    const AGREE = [' this file?', 'yes\n'] as const

    test('asks a person which areas', async () => {
      const asked = await answering([['Which ones?', '1\n'], [...AGREE]], 'cursor')
      expect(asked).toContain('Cursor accepts 40 tools from all its servers; dray has 50. Which ones?')
      expect(argsOf().slice(-2)).toEqual(['--toolsets', 'account,food,rides,delivery,carrier,services,tasks'])
    })

    test('does not prompt a user who chose, nor for tools that fit', async () => {
      const chosen = await answering([[...AGREE]], 'cursor', '--toolsets', 'food')
      const few = await answering([[...AGREE]], 'cursor', '--read-only')
      const roomy = await answering([[...AGREE]], 'windsurf')
      for (const asked of [chosen, few, roomy]) expect(asked).not.toContain('Which ones?')
    })

    test('sets all up for a script, with a warning that names the flag, and tells both counts', async () => {
      const ran = await install('cursor', '--yes', '--json')
      expect(ran.json()).toMatchObject({ tools: 50, tool_limit: 40, changed: true })
      expect(argsOf().at(-1)).toBe('mcp')
      expect(ran.err).toContain(
        'warning: Cursor accepts 40 tools from all its servers; dray has 50. Choose fewer: --toolsets account,food,rides,delivery,carrier,services,tasks (37), or ',
      )
      expect((await install('cursor', '--yes', '--toolsets', 'business')).err).not.toContain('warning')
      expect((await install('codex', '--json')).json()).toMatchObject({ tools: 50, tool_limit: null })
    })
  })

  test('shows the change, and without a yes changes nothing', async () => {
    const before = '{\n  "mcpServers": {\n    "gh": { "env": { "GITHUB_TOKEN": "canary" } }\n  }\n}\n'
    write('.cursor/mcp.json', before)
    for (const ran of [await install('cursor'), await install('cursor', '--dry-run')]) {
      expect(ran.err).toContain('+     "dray": {')
      expect(ran.err).not.toContain('canary')
    }
    expect((await install('cursor')).error).toMatchObject({ code: 'not_confirmed' })
    const io = memoryIo({ tty: true, env: home.env })
    const asking = runCommand(home, mcpInstall, ['cursor', '--accessible'], { io })
    await expect.poll(() => io.asked()).toContain('Which ones?')
    io.type('1\n')
    await expect.poll(() => io.asked()).toContain('Change this file?')
    io.type('\n')
    expect((await asking).error).toMatchObject({ code: 'not_confirmed' })
    expect(read('.cursor/mcp.json')).toBe(before)
    expect(fs.readdirSync(join(home.cwd, '.cursor'))).toEqual(['mcp.json'])
  })

  test('writes the address of a store, but no password of it, nor shows that', async () => {
    const { error, out, err } = await install('cursor', '--store', 'postgres://dray:canary@db.example/dray')
    expect(error).toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('dray profile add') as string,
    })
    expect(`${error?.message} ${error?.hint} ${out} ${err}`).not.toContain('canary')
    await install('cursor', '--yes', '--store', 'postgres://dray@db.example/dray')
    expect(read('.cursor/mcp.json')).toContain('"postgres://dray@db.example/dray"')
  })

  test('keeps a copy of what was there, each time another one, and the rights of the file', async () => {
    const file = write('.cursor/mcp.json', '{"mine": 1}', 0o640)
    await install('cursor', '--yes')
    await install('cursor', '--yes', '--read-only')
    const copies = fs.readdirSync(join(home.cwd, '.cursor')).filter((name) => name.endsWith('.bak'))
    expect(copies).toHaveLength(2)
    expect(copies.map((name) => read(`.cursor/${name}`))).toContain('{"mine": 1}')
    expect(fs.statSync(file).mode & 0o777).toBe(0o640)
  })

  test('changes what a link leads to, and leaves the link', async () => {
    const real = write('dotfiles/mcp.json', '{}')
    fs.mkdirSync(join(home.cwd, '.cursor'))
    fs.symlinkSync(real, join(home.cwd, '.cursor/mcp.json'))
    await install('cursor', '--yes')
    expect(fs.lstatSync(join(home.cwd, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
    expect(fs.readFileSync(real, 'utf8')).toContain('"dray"')
  })

  test.each([
    ['cursor', '.cursor/mcp.json', '{ "mcpServers": oops }', '{\n  "mcpServers": {\n    "dray": {\n'],
    ['cursor', '.cursor/mcp.json', '{"mcpServers": "\xff"}'.replace('\xff', '\ud800'), 'not UTF-8'],
  ])(
    'leaves a file of %s alone that it cannot change safely, and says what to put there',
    async (program, path, text, hint) => {
      write(path, '')
      fs.writeFileSync(join(home.cwd, path), text.includes('\ud800') ? Buffer.from([0x7b, 0xff]) : text)
      const before = fs.readFileSync(join(home.cwd, path))
      const { error, err } = await install(program, '--yes')
      expect([error?.code, error?.entry.exit]).toEqual(['file_error', 'usage'])
      expect(`${error?.message}\n${err}`).toContain(hint)
      expect(fs.readFileSync(join(home.cwd, path))).toEqual(before)
    },
  )

  test.each([
    [['emacs'], 'knows no "emacs"'],
    [[], 'Missing: PROGRAM'],
    [['cursor', '--max-spend', '50'], 'needs its currency'],
    [['cursor', '--toolsets', 'foood'], '--toolsets: unknown "foood".'],
    [['cursor', '--name', '../x'], '--name may have letters, digits, - and _, at most 32 characters.'],
    [['cursor', '--file', ''], '--file needs a file name'],
    [['cursor', '--toolsets', ' ,'], '--toolsets is empty'],
  ])('refuses %j before it looks at any file', async (argv, message) => {
    const { error } = await install(...argv, '--yes')
    expect(error?.code).toBe('usage')
    expect(error?.message).toContain(message)
    expect(fs.readdirSync(home.cwd)).toEqual([])
  })
})
