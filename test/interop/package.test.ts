/** The package as others install it: packed, and installed by npm in an empty project. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { execa } from 'execa'
import { beforeAll, expect, test } from 'vitest'
import { recordTally } from '../support/battery.ts'
import { builtProgram, environment, readServerUrl, startDray } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

const ROOT = join(import.meta.dirname, '../..')
const MANIFEST = join(ROOT, 'examples/manifest.csv')
/** Megabytes: of the unpacked package, and of all that npm installs with it. */
const MAX_MEGABYTES = { package: 9, installed: 62 }
/** The libraries that the users named. They are installed, though the program has them in itself. */
const NAMED = ['@inquirer/prompts', 'cli-table3', 'commander', 'conf', 'csv-parse', 'undici']
/** The packages that the program reads while it runs. */
const READ = /^(?:pg|@napi-rs\/canvas|@fontsource-variable\/noto-sans)$/

let project: string

beforeAll(builtProgram)
beforeAll(async () => {
  project = await makeTempFolder()
  // The build of `prepare` is there already.
  const { stdout } = await execa('npm', ['pack', '--ignore-scripts', '--pack-destination', project], {
    cwd: ROOT,
  })
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  await execa('npm', ['install', `.//${stdout.trim().split('\n').at(-1)}`], { cwd: project })
}, 300_000)

const installed = (...parts: string[]): string => join(project, 'node_modules', ...parts)

/** Runs the installed program in a home of its own. */
async function run(words: string[]) {
  const home = await makeTempFolder()
  return startDray(words, {
    launcher: installed('dray/bin/dray.js'),
    cwd: home,
    env: { HOME: home, DRAY_HOME: home },
  })
}

/** Returns the sizes of all files of a folder together, in megabytes. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6
}

test('the package is light, and installs only what the program reads or its users named', () => {
  const sizes = { package: sizeOf(installed('dray')), installed: sizeOf(installed()) }
  recordTally({
    tries: 1,
    note: `${sizes.package.toFixed(1)} MB unpacked, ${sizes.installed.toFixed(1)} MB installed`,
  })
  expect(sizes.package).toBeLessThan(MAX_MEGABYTES.package)
  expect(sizes.installed).toBeLessThan(MAX_MEGABYTES.installed)
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(Object.keys(dependencies).filter((name) => !READ.test(name))).toEqual(NAMED)
})

test(
  'an installed package uploads a manifest, draws labels, serves, and answers an agent',
  { timeout: 120_000 },
  async () => {
    const folder = await makeTempFolder()
    await cp(MANIFEST, join(folder, 'manifest.csv'))
    const upload = await run([
      'carrier',
      'upload',
      join(folder, 'manifest.csv'),
      '--labels',
      join(folder, 'labels.pdf'),
      '--yes',
    ])
    expect(await upload.ended).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^(?:.*\n){13}$/) as string,
    })
    expect(readFileSync(join(folder, 'labels.pdf'), 'latin1')).toMatch(/^%PDF-/)

    const service = await run(['serve', '--port', '0', '--json'])
    const url = await readServerUrl(service)
    for (const path of ['healthz', 'openapi.json', 'docs/', 'metrics'])
      expect([path, (await fetch(new URL(path, `${url}/`))).status]).toEqual([path, 200])
    service.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 0 })

    const home = await makeTempFolder()
    const client = new Client({ name: 'a program', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [installed('dray/bin/dray.js'), 'mcp'],
        env: environment({ HOME: home, DRAY_HOME: home }) as Record<string, string>,
      }),
    )
    expect((await client.listTools()).tools).toHaveLength(50)
    await client.close()
    recordTally({ tries: 4 })
  },
)

test(
  'a project in TypeScript tests with what the package exports, as docs/testing.md says',
  { timeout: 300_000 },
  async () => {
    const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
    const examples = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
    const files = await Promise.all(
      examples.map(async (code, at) => {
        const file = join(project, `example-${at}${code.includes("'vitest'") ? '.spec' : ''}.mts`)
        await writeFile(file, code)
        return file
      }),
    )
    const specs = files.filter((file) => file.endsWith('.spec.mts'))
    const { devDependencies: versions } = JSON.parse(
      readFileSync(join(ROOT, 'test/package.json'), 'utf8'),
    ) as { devDependencies: Record<string, string> }
    const wanted = ['vitest', '@types/node'].map((name) => `${name}@${versions[name]}`)
    await execa('npm', ['install', '--save-dev', ...wanted], { cwd: project })
    const strict = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target esnext'
    const modules = '--module nodenext --types node --skipLibCheck'
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    await execa(tsc, [...`${strict} ${modules}`.split(' '), '--ignoreConfig', ...files], { cwd: project })
    for (const file of files.filter((each) => !specs.includes(each)))
      await execa(process.execPath, [file], { cwd: project })
    await execa(process.execPath, [installed('vitest/vitest.mjs'), 'run'], { cwd: project })
    expect([files.length, specs.length]).toEqual([8, 1])
    recordTally({ tries: files.length })
  },
)

test(
  'twenty tests that a stranger wrote run in vitest, in jest and in node:test',
  { timeout: 300_000 },
  async () => {
    await execa('npm', ['install', '--save-dev', 'vitest', 'jest'], { cwd: project })
    await cp(join(import.meta.dirname, 'outside/stories.mjs'), join(project, 'stories.mjs'))
    const runners = {
      'in-vitest.spec.mjs': ['vitest', [installed('vitest/vitest.mjs'), 'run', 'in-vitest']],
      'in-jest.spec.mjs': [
        '@jest/globals',
        ['--experimental-vm-modules', installed('jest/bin/jest.js'), '--testMatch', '**/in-jest.spec.mjs'],
      ],
      'in-node.mjs': ['node:test', ['--test', 'in-node.mjs']],
    } as const
    for (const [file, [runner, words]] of Object.entries(runners)) {
      const code = `import { test } from '${runner}'\nimport { declare } from './stories.mjs'\ndeclare(test)\n`
      await writeFile(join(project, file), code)
      const { all } = await execa(process.execPath, words, {
        cwd: project,
        all: true,
        env: { NO_COLOR: '1' },
      })
      expect(all).toMatch(/Tests:? +20 passed|^ℹ pass 20$/m)
    }
    recordTally({ tries: 60 })
  },
)
