/** Errors of commands whose state folder cannot be used: real disks and folders, the built program. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import {
  builtProgram,
  type CommandResult,
  startDray,
  startShell,
  splitCommandLine,
} from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

/** Each command that changes something, and the record that it writes. */
const COMMANDS: [string, string, string][] = [
  ['upload', 'carrier upload parcels.csv --yes', 'upload'],
  ['import', 'business catalog import menu.csv --yes', 'upload'],
  ['single call', createCommand('A-1'), 'call'],
]

type Home = { folder: string; state: string; env: Record<string, string> }

async function makeHome(): Promise<Home> {
  const folder = await makeTempFolder()
  fs.writeFileSync(join(folder, 'parcels.csv'), makeManifestCsv(2))
  fs.writeFileSync(join(folder, 'menu.csv'), 'name,category,price\nTest Laksa,Soups,9\n')
  const env = { DRAY_HOME: folder, DRAY_NOW: '2026-11-20T09:00:00.000Z' }
  return { folder, state: join(folder, 'state'), env }
}

const run = ({ folder, env }: Home, line: string): Promise<CommandResult> =>
  startDray(splitCommandLine(line), { cwd: folder, env }).ended

const refusal = (home: Home, what: string, code: string, why: string) => ({
  code,
  detail: expect.stringMatching(
    new RegExp(`^Cannot save the ${what} in ${home.state}\\S* \\(${why}\\)\\. Nothing was sent\\.$`),
  ) as string,
  hint: expect.stringMatching(
    code === 'storage_full'
      ? /^Free disk space and run the same command again, or use your own --idempotency-key: then nothing has to be saved\.$/
      : /^Set DRAY_HOME to a writable folder\b/,
  ) as string,
})

describe.each(COMMANDS)('the memory of an %s', (_, line, what) => {
  test('in a state folder that is a file is rejected, with the path and the reason', async () => {
    const home = await makeHome()
    fs.writeFileSync(home.state, 'no folder')
    expect((await run(home, `${line} --json`)).json()).toMatchObject(
      refusal(home, what, 'file_error', 'E(?:NOTDIR|EXIST)'),
    )
    expect((await run(home, 'carrier list --json')).json()).toMatchObject({ data: [] })
  })

  test('beyond a limit of the system is rejected as a full disk is', async () => {
    const home = await makeHome()
    await run(home, 'sandbox status')
    const limited = startShell(`trap '' XFSZ; ulimit -f 0; dray ${line} --store :memory: --json | cat`, {
      cwd: home.folder,
      env: home.env,
    })
    expect((await limited.ended).json()).toMatchObject(refusal(home, what, 'storage_full', 'EFBIG'))
  })

  test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'on a full disk is refused',
    async () => {
      const home = await makeHome()
      mountFull(home.state)
      expect((await run(home, `${line} --json`)).json()).toMatchObject(
        refusal(home, what, 'storage_full', 'ENOSPC'),
      )
      expect(
        fs
          .readdirSync(home.state)
          .filter((name) => name !== 'filler')
          .flatMap((name) => fs.readdirSync(join(home.state, name))),
      ).toEqual([])
    },
  )

  test('is not needed where the user gives a key', async () => {
    const home = await makeHome()
    fs.writeFileSync(home.state, 'no folder')
    const ran = await run(home, `${line} --json --idempotency-key mine`)
    expect(ran.exitCode, ran.stdout).toBe(0)
  })
})

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a first command that finds no room for its store does not say that it made one',
  async () => {
    const home = await makeHome()
    mount(join(home.folder, 'data'), '512k')
    const ran = await run(home, 'carrier list')
    expect(ran.stderr).toMatch(/^error: .*no space/m)
    expect(ran.stderr).not.toContain('Created a sandbox')
  },
)

test
  .runIf(process.platform === 'linux' && process.getuid?.() === 0)
  .each(['sandbox snapshot save full/a.snapshot', 'sandbox backup full/a.backup'])(
  '`%s` to a full disk is a failure of the output, and leaves nothing there',
  async (line) => {
    const home = await makeHome()
    const disk = join(home.folder, 'full')
    mount(disk, '64k')
    await run(home, 'sandbox status')
    const ran = await run(home, `${line} --json`)
    expect(ran.json()).toMatchObject({
      code: 'output_failed',
      exit_code: 1,
      detail: expect.stringContaining('cannot be written: the disk is full') as string,
      hint: 'Free space on that disk, or use another one, and run the same command again.',
    })
    expect(fs.readdirSync(disk)).toEqual([])
  },
)

/** Mounts a disk of three pages without a free one, which cannot hold another folder. */
function mountFull(folder: string): void {
  mount(folder, '12k')
  const filler = fs.openSync(join(folder, 'filler'), 'w')
  expect(() => {
    for (;;) fs.writeSync(filler, new Uint8Array(4096))
  }).toThrow('ENOSPC')
  fs.closeSync(filler)
}

function mount(folder: string, size: string): void {
  fs.mkdirSync(folder)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
}
