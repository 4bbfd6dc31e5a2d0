/** Logins of the built program at a real service: codes, files, terminals, several processes at once, and kills. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordTally, iterations } from '../support/battery.ts'
import { runInline, startInline } from '../support/inline.ts'
import {
  builtProgram,
  LAUNCHER,
  type CommandResult,
  startDray,
  type RunningProcess,
  startShell,
  splitCommandLine,
} from '../support/program.ts'
import { KEY_BYTES, startInTerminal, type TerminalOptions } from '../support/terminal.ts'

const SECRETS = /dray_(?:sbx|ref|dev|sec|ctl)_/
const CODE = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/

const WAITING = /Waiting, \d+:\d\d left\. Ctrl-C stops\./

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'dray-login-')))
const state = join(root, 'state')
let server: RunningProcess
let url = ''

beforeAll(async () => {
  await builtProgram()
  server = startInline(['serve', '--port', '0', '--json', '--quiet', '--store', join(root, 'store.db')], {
    env: { HOME: root, XDG_STATE_HOME: state, DRAY_NOW: '2026-11-20T09:00:00Z' },
  })
  ;[, url = ''] = await seen(server.onOutput, /"url": "(.*)"/)
})

afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  fs.rmSync(root, { recursive: true, force: true })
})

/** Resolves with the first match in the output. */
function seen(listenTo: RunningProcess['onOutput'], pattern: RegExp): Promise<RegExpExecArray> {
  let text = ''
  return new Promise((resolve) => {
    listenTo((more) => {
      text += more
      const found = pattern.exec(text)
      if (found !== null) resolve(found)
    })
  })
}

let homes = 0

/** Makes a user with a configuration of their own, on the machine that serves. */
function makeUser() {
  const config = join(root, `user-${(homes += 1)}`)
  const env = { HOME: root, XDG_CONFIG_HOME: config, XDG_STATE_HOME: state, DRAY_NO_KEYRING: '1' }
  const file = join(config, 'dray/config.json')
  const dray = async (line: string, more: Record<string, string> = {}): Promise<CommandResult> =>
    runInline(splitCommandLine(line), { env: { ...env, ...more } })
  return {
    config,
    file,
    env,
    dray,
    start: (line: string) => startDray(splitCommandLine(line), { env }),
    shell: (line: string) => startShell(line, { env }),
    terminal: (line: string, options: TerminalOptions = {}) =>
      startInTerminal(splitCommandLine(line), { ...options, env: { ...env, ...options.env } }),
    login: (): Record<string, string> =>
      (JSON.parse(fs.readFileSync(file, 'utf8')) as { profiles: { local: Record<string, string> } }).profiles
        .local,
    approve: (code: string | undefined, as = 'shipper') =>
      dray(`sandbox approve ${code} --account ${as} --base-url ${url} --json`),
    /** Logs in as an OAuth client of the account. */
    async logInAsProgram(umask = '022'): Promise<CommandResult> {
      const made = await dray(`sandbox account client shipper --base-url ${url} --json`)
      const { client_id, client_secret } = made.json<{ client_id: string; client_secret: string }>()
      fs.writeFileSync(join(root, client_id), client_secret)
      const line = `umask ${umask}; dray login --base-url ${url} --profile local --client-id ${client_id} --client-secret-file ${join(root, client_id)}`
      return startShell(line, { env }).ended
    },
  }
}

const mode = (path: string): number => fs.statSync(path).mode & 0o777

// Serial, because the tests move the clock, which expires codes and tokens.
describe('a login', () => {
  test('is allowed by its code, renewed by several commands at once, and ended', async () => {
    const user = makeUser()
    const login = user.shell(`umask 000; dray login --base-url ${url} --profile local --json --debug`)
    const [code] = await seen(login.onNotice, CODE)
    expect((await user.approve(code)).exitCode).toBe(0)
    const { exitCode, stdout, stderr } = await login.ended
    expect(exitCode, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      profile: 'local',
      kind: 'remote',
      address: url,
      account: 'shipper',
      credential: 'config file',
    })
    expect(stderr).toMatch(/^The token goes to the profile local .*, in plain text, readable only by you\.$/m)
    expect(stdout + stderr).not.toMatch(SECRETS)
    expect([mode(user.file), mode(join(user.config, 'dray'))]).toEqual([0o600, 0o700])

    const first = user.login()
    for (const _ of ['one hour later', 'and another']) {
      await user.dray(`sandbox clock advance 2h --base-url ${url}`)
      const together = await Promise.all(
        Array.from({ length: 4 }, () => user.start('carrier list --profile local --json --debug').ended),
      )
      expect(together.map(({ exitCode: code }) => code)).toEqual([0, 0, 0, 0])
      const told = together.map(({ stderr: lines }) => lines).join('')
      // A second use would look like theft and end the login.
      expect(told.match(/POST \/oauth\/token 200/g)).toHaveLength(1)
      expect(told).not.toMatch(SECRETS)
    }
    const last = user.login()
    expect(last['refresh_token']).not.toBe(first['refresh_token'])

    const out = await user.dray('logout --profile local --json')
    expect(out.json()).toEqual({ profile: 'local', logged_out: true, revoked: true })
    expect(user.login()).toEqual({ base_url: url })
    const stolen = await user.dray('account membership', {
      DRAY_BASE_URL: url,
      DRAY_TOKEN: last['token'] ?? '',
    })
    expect(stolen.exitCode).toBe(4)
    expect((await user.dray('carrier list --profile local')).stderr).toContain(
      'Run `dray login --profile local`.',
    )
  })

  test('of a program is renewed with its secret', async () => {
    const user = makeUser()
    const ran = await user.logInAsProgram('077')
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(mode(user.file)).toBe(0o600)
    const { token } = user.login()
    await user.dray(`sandbox clock advance 2h --base-url ${url}`)
    expect((await user.dray('carrier list --profile local')).exitCode).toBe(0)
    expect(user.login()['token']).not.toBe(token)
  })
})

describe('a login on its way', () => {
  test.concurrent('that is denied ends with 4', async () => {
    const user = makeUser()
    const login = user.start(`login --base-url ${url} --profile local`)
    const [code] = await seen(login.onNotice, CODE)
    await user.dray(`sandbox approve ${code} --deny --base-url ${url}`)
    const { exitCode, stderr } = await login.ended
    expect(exitCode).toBe(4)
    expect(stderr).toContain('error: The login was denied on the page; nothing was saved.')
    expect(fs.existsSync(user.file)).toBe(false)
  })

  test.concurrent('that dies while it is saved leaves the old one or the new one, never half of one', async () => {
    const user = makeUser()
    expect((await user.logInAsProgram()).exitCode).toBe(0)
    const folder = join(user.config, 'dray')
    const kills = iterations(20, 100)
    recordTally({ tries: kills })
    for (let kill = 0; kill < kills; kill += 1) {
      const { client_id } = user.login()
      const login = user.start(
        `login --base-url ${url} --profile local --client-id ${client_id} --client-secret-file ${join(root, client_id ?? '')}`,
      )
      // The n-th change in the folder: the lock, the new file, its content, its rename, and the release of the lock.
      let left = 1 + (kill % 16)
      const watcher = fs.watch(folder, () => {
        if ((left -= 1) === 0) login.kill('SIGKILL')
      })
      await login.ended
      watcher.close()
      const after = user.login()
      expect(after).toMatchObject({ base_url: url, client_id, account: 'shipper' })
      expect(after['token']).toMatch(/^dray_sbx_.{43}$/)
    }
    expect((await user.dray('whoami --profile local')).exitCode).toBe(0)
    expect((await user.logInAsProgram()).exitCode).toBe(0)
    expect(fs.readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual(['config.json'])
  })

  const line = () => `login --base-url ${url} --profile local`

  test.concurrent('in a terminal: the browser opens, the code is large on the screen, and the output lists what was allowed', async () => {
    const user = makeUser()
    const browser = join(root, 'browser')
    // Approves every page it is given, as a person would.
    fs.writeFileSync(
      browser,
      `#!/bin/sh\nXDG_STATE_HOME='${state}' exec '${process.execPath}' '${LAUNCHER}' sandbox approve "\${1##*=}" --account member --base-url ${url}\n`,
      { mode: 0o755 },
    )
    using terminal = user.terminal(line(), { columns: 80, rows: 40, env: { BROWSER: browser } })
    await terminal.shows('Save the token in')
    terminal.type(KEY_BYTES.enter)
    await terminal.shows('Logged in as member.')
    expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
    const transcript = terminal.transcript()
    // A file is not broken, however narrow the terminal.
    expect(transcript).toContain(`${user.file},`)
    expect(transcript).toContain('  1. Your browser opens this page:')
    expect(transcript).toContain(`     ${url}/device\n`)
    expect(transcript).toMatch(CODE)
    expect(transcript).toMatch(/[█▀▄ ]{40}/)
    expect(transcript).not.toContain('Waiting')
    expect(terminal.raw()).not.toMatch(SECRETS)
  })

  test.concurrent('in a terminal of forty columns: nothing is cut, and Ctrl-C saves nothing: 130', async () => {
    const user = makeUser()
    using terminal = user.terminal(`${line()} --no-browser --yes`, { columns: 40, rows: 40 })
    const screen = await terminal.shows(WAITING)
    expect(screen).toMatch(new RegExp(`^ {5}${CODE.source}$`, 'm'))
    expect(screen).toContain('  2. Check that it shows this code:')
    terminal.type(KEY_BYTES.ctrlC)
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
    expect(terminal.transcript()).toContain('Stopped; nothing was saved.')
    expect(terminal.screen()).not.toContain('Waiting')
    expect(fs.existsSync(user.file)).toBe(false)
  })

  test.concurrent('with --accessible draws nothing', async () => {
    const user = makeUser()
    using terminal = user.terminal(`${line()} --accessible --no-browser`, { columns: 80 })
    await terminal.shows('(yes or no, Enter for yes)')
    terminal.type('yes\r')
    const screen = await terminal.shows(WAITING)
    expect(screen).toMatch(new RegExp(`^The code is ${CODE.source}$`, 'm'))
    terminal.type(KEY_BYTES.ctrlC)
    expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
    // oxlint-disable-next-line no-control-regex -- they move the cursor
    expect(terminal.raw()).not.toMatch(/[█▀▄╭]|\x1b\[\d*[A-K]/)
  })

  test.concurrent('is ended by SIGTERM with 143', async () => {
    const user = makeUser()
    const login = user.start(line())
    await seen(login.onNotice, /Waiting/)
    login.kill('SIGTERM')
    expect((await login.ended).exitCode).toBe(143)
    expect(fs.existsSync(user.file)).toBe(false)
  })
})
