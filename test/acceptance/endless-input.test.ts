/** Files and streams without an end: each command that reads one stops at a limit and names it. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { builtProgram, startShell } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

/** A command line with FILE for the file to read, and the size at which it stops. */
const READERS: [string, string, string][] = [
  ['api --input', 'api create_task --input FILE', '16 MiB, the limit for a JSON input'],
  ['carrier upload', 'carrier upload FILE --yes --results none', '20 MiB, the limit for a manifest'],
  ['catalog import', 'business catalog import FILE --yes --results none', '20 MiB, the limit for a menu'],
  [
    'login --token-file',
    'login --base-url http://127.0.0.1:9 --token-file FILE',
    '64 KiB, the limit for a token',
  ],
]

const ENDLESS = [
  ['/dev/zero', '/dev/zero', ''],
  ['a pipe with a name', 'endless', 'cat /dev/zero > endless & '],
  ['standard input', '-', 'cat /dev/zero | '],
] as const

async function run(line: string) {
  const cwd = await makeTempFolder()
  execFileSync('mkfifo', [join(cwd, 'endless')])
  return startShell(line, { cwd, env: { DRAY_HOME: join(cwd, 'home') } }).ended
}

describe.skipIf(!fs.existsSync('/dev/zero')).each(READERS)('%s', (_, line, limit) => {
  test.each(ENDLESS)('rejects %s at its limit', async (_name, file, before) => {
    const ran = await run(`${before}dray ${line.replace('FILE', file)} --json`)
    const name = file === '-' ? 'Standard input' : file
    expect(ran.json()).toMatchObject({
      code: 'file_error',
      detail: `${name} is larger than ${limit}. Is it the right file?`,
      exit_code: 2,
    })
  })

  test('rejects a folder', async () => {
    const ran = await run(`mkdir folder; dray ${line.replace('FILE', 'folder')} --json`)
    expect(ran.json()).toMatchObject({ detail: 'folder cannot be read: it is a folder.', exit_code: 2 })
  })
})

/** A broken file fails alone: it is a result, not a failure of the command. */
describe.skipIf(!fs.existsSync('/dev/zero'))('scenario run', () => {
  test.each([...ENDLESS, ['a folder', '.', ''] as const])(
    'tells of %s and ends with 2',
    async (name, file, before) => {
      const ran = await run(`${before}dray scenario run ${file} --ephemeral --json`)
      const why = name === 'a folder' ? 'it cannot be read: it is a folder' : 'it is larger than 1 MiB'
      expect(ran.json<{ data: unknown[] }>().data).toMatchObject([
        { result: 'broken', failures: [{ actual: expect.stringContaining(why) as string }] },
      ])
      expect(ran.exitCode).toBe(2)
    },
  )
})

test('--token-stdin rejects a stream without an end', async () => {
  const ran = await run('cat /dev/zero | dray login --base-url http://127.0.0.1:9 --token-stdin --json')
  expect(ran.json()).toMatchObject({ detail: expect.stringContaining('larger than 64 KiB') as string })
})
