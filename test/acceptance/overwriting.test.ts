/** Every command that writes to a path of the user refuses to replace a file that dray did not write. */
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeManifestCsv } from '../support/clerk.ts'
import { builtProgram, type CommandResult, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

const SCENARIO = 'steps:\n  - call: list_hubs\n'

/** A command line that writes `out.xyz`. */
const WRITERS: [string, string][] = [
  ['sandbox snapshot save', 'sandbox snapshot save ./out.xyz'],
  ['business catalog export', 'business catalog export out.xyz'],
  ['business catalog template', 'business catalog template out.xyz'],
  ['carrier template', 'carrier template out.xyz'],
  ['carrier upload', 'carrier upload parcels.csv --yes --results out.xyz'],
  ['business catalog import', 'business catalog import menu.csv --yes --results out.xyz'],
  ['scenario run', 'scenario run one.yaml --ephemeral --junit out.xyz'],
]

describe.each(WRITERS)('%s', (_, line) => {
  test('rejects a file that dray did not write, overwrites it with --force, and then its own', async () => {
    const cwd = await makeTempFolder()
    fs.writeFileSync(join(cwd, 'parcels.csv'), makeManifestCsv(1))
    fs.writeFileSync(join(cwd, 'menu.csv'), 'name,category,price\nTest Laksa,Soups,9\n')
    fs.writeFileSync(join(cwd, 'one.yaml'), SCENARIO)
    const run = (more: string): Promise<CommandResult> =>
      startDray(splitCommandLine(`${line} ${more} --json`), { cwd, env: { DRAY_HOME: join(cwd, 'home') } })
        .ended
    const out = join(cwd, 'out.xyz')
    fs.writeFileSync(out, 'a letter')

    const refused = await run('')
    expect(refused.exitCode, refused.stdout).toBe(2)
    expect(refused.json()).toMatchObject({
      code: 'file_error',
      detail: expect.stringMatching(
        /out\.xyz exists and was not written by dray; it was not changed\.$/,
      ) as string,
      hint: expect.stringContaining('overwrite it with --force') as string,
    })
    expect(fs.readFileSync(out, 'utf8')).toBe('a letter')

    expect((await run('--force')).exitCode).toBe(0)
    expect(fs.readFileSync(out, 'utf8')).not.toContain('a letter')
    const again = await run('')
    expect(again.exitCode, again.stdout).toBe(0)
  })
})

test('a name of 300 letters is rejected in words, before the sandbox is read', async () => {
  const cwd = await makeTempFolder()
  const name = 'n'.repeat(300)
  for (const [words, detail] of [
    [`save ${name}`, `The name of a snapshot has at most 64 characters; ${'n'.repeat(20)}… has 300.`],
    [
      `load ${name} --confirm sandbox`,
      `The name of a snapshot has at most 64 characters; ${'n'.repeat(20)}… has 300.`,
    ],
    [`save ./${name}.snapshot`, 'the name is too long'],
  ] as const) {
    const ran = await startDray(splitCommandLine(`sandbox snapshot ${words} --json`), {
      cwd,
      env: { DRAY_HOME: cwd },
    }).ended
    expect(ran.exitCode, ran.stdout).toBe(2)
    expect(ran.json<{ detail: string }>().detail).toContain(detail)
  }
})
