/** The notice of licences names whatever the package brings along. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { noticesOf, packagesOf } from '../../src/generate/notices.ts'
import { builtProgram } from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

test('the package brings the licence text of each package in its files, of its fonts and of its data', () => {
  const { files, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    files: string[]
    dependencies: Record<string, string>
  }
  expect(files).toContain('THIRD_PARTY_NOTICES.txt')
  const notices = readFileSync(join(ROOT, 'THIRD_PARTY_NOTICES.txt'), 'utf8')
  const named = new Set(
    [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\S+ \(\S+\)$/gm)].map(([, name]) => name),
  )
  const sources = globSync('dist/**/*.map', { cwd: ROOT }).flatMap(
    (map) => (JSON.parse(readFileSync(join(ROOT, map), 'utf8')) as { sources: string[] }).sources,
  )
  const bundled = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/?]+)/.exec(source)?.[1] ?? [])
  expect(new Set(bundled).size).toBeGreaterThan(40)
  const fonts = Object.keys(dependencies).filter((name) => name.startsWith('@fontsource'))
  // The pages are texts within these files: no source map names what they are made of.
  expect([...bundled, ...fonts, 'preact'].filter((name) => !named.has(name))).toEqual([])
  expect(notices).toContain('SIL OPEN FONT LICENSE')
  expect(notices).toContain('Open Government Licence v3.0')
})

test('a bundled package without a licence text ends the build with its name', async () => {
  const folder = await makeTempFolder()
  const add = (name: string, files: Record<string, string>): string => {
    const path = join(folder, 'node_modules', name)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
    return path
  }
  const good = add('good', { 'LICENCE.md': 'Do as you like.', NOTICE: 'Made by good people.' })
  const same = add('@some/same', { 'LICENSE-MIT': 'Do as you like.', 'notice.txt': 'Made by good people.' })
  const lacking = add('lacking', { 'README.md': 'MIT', license: ' ' })
  expect(() => noticesOf(folder, [good, lacking])).toThrow('no licence text: lacking@1.2.3.')
  expect(noticesOf(folder, [good, same, good])).toContain(
    '@some/same 1.2.3 (MIT)\ngood 1.2.3 (MIT)\n\nDo as you like.\n\nMade by good people.\n',
  )
})

test('the package of a module is found by its path, however the bundler writes it', () => {
  const ids = [
    '/a/node_modules/one/lib/x.js',
    '/a/node_modules/one/y.js?explain',
    '\0/a/node_modules/@two/deep/z.js',
    '/a/node_modules/one/node_modules/inner/i.js',
    'C:\\a\\node_modules\\three\\t.js',
    '\0rolldown/runtime.js',
    '/a/src/main.ts',
  ]
  expect(packagesOf(ids)).toEqual([
    '/a/node_modules/@two/deep',
    '/a/node_modules/one',
    '/a/node_modules/one/node_modules/inner',
    'C:/a/node_modules/three',
  ])
})
