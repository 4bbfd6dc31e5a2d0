/** The examples of `docs/testing.md`: each is run, against the sources. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

const PAGE = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)

const SOURCES: Readonly<Record<string, string>> = {
  "'dray/testing'": join(ROOT, 'src/library/testing.ts'),
  "'dray/client'": join(ROOT, 'src/library/client.ts'),
}

/** A test of an example runs here: its runner is this one. */
type ExampleRunner = { collected: (() => unknown)[]; expect: typeof expect }
const RUNNER = `export const { expect } = globalThis.exampleRunner
export const test = (name, run) => globalThis.exampleRunner.collected.push(run)
`

test.each(EXAMPLES.map((code, at) => [at + 1, code] as const))('example %i runs', async (at, code) => {
  const folder = await makeTempFolder()
  const runner = join(folder, 'runner.mjs')
  writeFileSync(runner, RUNNER)
  const file = join(folder, `example-${at}.ts`)
  const found = Object.entries({ ...SOURCES, "'vitest'": runner, "'node:test'": runner })
  writeFileSync(
    file,
    found.reduce((text, [name, path]) => text.replace(name, JSON.stringify(pathToFileURL(path).href)), code),
  )
  const collected: ExampleRunner['collected'] = []
  Object.assign(globalThis, { exampleRunner: { collected, expect } satisfies ExampleRunner })
  await import(pathToFileURL(file).href)
  for (const run of collected) await run()
  expect(collected.length > 0).toBe(/from '(?:vitest|node:test)'/.test(code))
})
