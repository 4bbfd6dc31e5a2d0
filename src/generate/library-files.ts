/** The files of `dray/client` and `dray/testing` in `dist/`: ES modules, and their types. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown, type RolldownOutput } from 'rolldown'

/** By the module that has the types: their file in the package. */
const TYPES = {
  '../generated/calls.ts': 'calls',
  './client-types.ts': 'client',
  './testing-types.ts': 'testing',
} as const

/** The service is built once, for the command line, as CommonJS: this file only names what it has for tests. */
const TESTING = `import library from './testing.js'
export { DrayError } from './client.mjs'
export const { sandboxTest, startSandbox, withSandbox } = library
`

/** Writes the files, and returns what was bundled for them alone: the client, which needs no module of Node. */
export async function buildLibrary(root: string): Promise<RolldownOutput> {
  for (const [source, name] of Object.entries(TYPES)) {
    const text = readFileSync(join(root, 'src/library', source), 'utf8')
    writeFileSync(join(root, `dist/${name}.d.mts`), withPackagePaths(text))
  }
  writeFileSync(join(root, 'dist/testing.mjs'), TESTING)
  const bundle = await rolldown({
    input: { client: 'src/library/client.ts' },
    platform: 'neutral',
    plugins: [withoutChecks()],
  })
  const built = await bundle.write({
    dir: join(root, 'dist'),
    format: 'es',
    minify: true,
    cleanDir: false,
    codeSplitting: false,
    entryFileNames: '[name].mjs',
  })
  await bundle.close()
  return built
}

function withPackagePaths(text: string): string {
  return Object.entries(TYPES).reduce(
    (all, [source, name]) => all.replaceAll(`'${source}'`, `'./${name}.mjs'`),
    text,
  )
}

/** Leaves out the checks of responses, ten times as large as all else. Fails the build where routes no longer name them so. */
function withoutChecks(): Plugin {
  return {
    name: 'routes-without-checks',
    transform(code, id) {
      if (!id.endsWith('/generated/routes.ts')) return undefined
      const lean = code.replaceAll(/, loadCheck: \(\) => import\([^)]*\)/g, '')
      if (lean === code) this.error('the routes no longer have `loadCheck: () => import(…)`')
      return { code: lean, map: null }
    },
  }
}
