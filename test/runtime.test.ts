import { userInfo } from 'node:os'
import { beforeAll, describe, expect, test } from 'vitest'
import { resolvePaths } from '../src/paths.ts'
import { builtProgram, type CommandResult, startShell } from './support/program.ts'
import { makeTempFolder } from './support/stores.ts'

describe('where things live', () => {
  test('HOME, the folders of XDG, and DRAY_HOME before them', () => {
    expect(resolvePaths({ HOME: '/home/ada' }, 'linux').config).toBe('/home/ada/.config/dray')
    expect(resolvePaths({ HOME: '/home/ada', XDG_DATA_HOME: '/data' }, 'linux').data).toBe('/data/dray')
    expect(resolvePaths({ HOME: '/home/ada', XDG_DATA_HOME: 'data' }, 'linux').data).toBe(
      '/home/ada/.local/share/dray',
    )
    expect(resolvePaths({ HOME: '/home/ada', DRAY_HOME: '/d' }, 'linux').state).toBe('/d/state')
    expect(resolvePaths({ HOME: '/' }, 'linux').state).toBe('/.local/state/dray')
  })

  test.each([{}, { HOME: '' }, { HOME: 'relative' }])(
    'without a usable HOME (%j) it is never the working folder, where a configuration may be a stranger’s',
    (env) => {
      expect(resolvePaths(env, 'linux').config).toBe(`${userInfo().homedir}/.config/dray`)
    },
  )
})

describe.skipIf(process.platform === 'win32')('the place of a command', () => {
  beforeAll(builtProgram)

  /** Runs commands of a shell, in which `dray` is the program, in a new folder with a home. */
  async function inShell(commands: string, env: Record<string, string> = {}): Promise<CommandResult> {
    const folder = await makeTempFolder()
    return startShell(commands, { cwd: folder, env: { DRAY_HOME: `${folder}/home`, ...env } }).ended
  }

  test('may be a folder that was deleted, unless a file is named by its place there', async () => {
    const { stdout, exitCode } = await inShell(
      'mkdir gone && cd gone && rmdir ../gone && dray carrier hubs --limit 1 --quiet --fields code',
    )
    expect([exitCode, stdout]).toEqual([0, 'code\nLON1\n'])
    const refused = await inShell('mkdir gone && cd gone && rmdir ../gone && dray sandbox backup a.backup')
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('error: The current folder was deleted') as string,
    ])
  })

  test.runIf(process.platform === 'linux')(
    'may have no home that can be made, which ends at once',
    async () => {
      const { exitCode, stderr } = await inShell('unset DRAY_HOME XDG_CACHE_HOME; dray carrier hubs', {
        HOME: '/proc',
      })
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining('the folder /proc/.local cannot be created'),
      ])
    },
  )

  test('gives no other name to a file or folder whose name is not UTF-8', async () => {
    const file = await inShell(`dray carrier template "$(printf 'caf\\351.csv')"; code=$?; ls; exit $code`)
    expect([file.exitCode, file.stdout]).toEqual([2, ''])
    expect(file.stderr).toContain('is not valid UTF-8')
    const home = await inShell(
      `DRAY_HOME="$PWD/$(printf 'caf\\351')" dray carrier hubs; code=$?; ls; exit $code`,
    )
    expect([home.exitCode, home.stdout]).toEqual([2, ''])
    const place = await inShell(
      `cd_to="$(printf 'caf\\351')"; mkdir "$cd_to" && cd "$cd_to" && dray carrier hubs`,
    )
    expect([place.exitCode, place.stderr]).toEqual([2, expect.stringContaining('is not UTF-8') as string])
  })

  test('shows times by TZ, as POSIX writes zones', async () => {
    const { stdout } = await inShell(
      'for zone in CET-1CEST GMT+5 JST-9 ""; do TZ=$zone dray food search --near Bank --limit 1 --quiet --fields open_until; done',
      { DRAY_NOW: '2026-11-20T09:00:00Z' },
    )
    const offsets = [...stdout.matchAll(/T[\d:.]+(\S+)$/gm)].map(([, offset]) => offset)
    expect(offsets).toEqual(['+01:00', '-05:00', '+09:00', '+00:00'])
  })
})
