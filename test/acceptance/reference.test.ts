/** The API reference: its examples, copied from top to bottom, return the responses printed beside them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMES } from '../../src/generated/registry.ts'
import { makeSchemaReader } from '../support/json-schema.ts'
import type { JsonSchema } from '../support/json-schema.ts'
import { builtProgram, startDray, startShell, splitCommandLine } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'
import { blockOf, examplesOf, pathsOf } from '../support/reference.ts'
import type { ReferenceExample } from '../support/reference.ts'

let home: string
let server: RunningProcess
let url: string
let overview: string
let examples: ReferenceExample[]

beforeAll(async () => {
  await builtProgram()
  home = mkdtempSync(join(tmpdir(), 'dray-reference-'))
  // The commands in the overview need a running service: they are checked below.
  const env = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_NOW: '2026-11-20T09:00:00.000Z' }
  server = startDray(splitCommandLine('serve --store reference.db --port 0'), { env, cwd: home })
  url = await readUrl(server)
  const get = async (path: string) => (await fetch(`${url}${path}`)).text()
  overview = await get('/docs')
  examples = (await Promise.all(pathsOf(overview).map(get))).flatMap(examplesOf)
})

afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(home, { recursive: true, force: true })
})

function readUrl({ onOutput }: RunningProcess): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    onOutput((more) => {
      text += more
      const found = /Listening on (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
}

/** Types lines into one shell; returns the documents that they print. */
async function type(
  lines: readonly string[],
  before: readonly string[],
  env: Record<string, string>,
): Promise<unknown[]> {
  const script = [...before, ...lines.flatMap((line) => [line, "echo '---8<---'"])].join('\n')
  const { stdout, stderr, exitCode } = await startShell(script, {
    env: { HOME: home, ...env },
    cwd: home,
  }).ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) })
  const documents = stdout.split('---8<---\n').slice(0, -1)
  expect(documents, stderr).toHaveLength(lines.length)
  return documents.map((text) => (text === '' ? undefined : (JSON.parse(text) as unknown)))
}

/** A command before an example, whose output is none of the example's. */
function quietly(command: string): string {
  return `${command} >/dev/null 2>&1`
}

/** Every sandbox signs cursors with another key, has other positions of events and makes other secrets, and the history of an item says by which door each change came. */
function withoutCursors(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"…"')
      .replaceAll(/"[0-9a-f]{12}-\d+"/g, '"…"')
      .replaceAll(/"via":"\w+"/g, '"via":"…"')
      .replaceAll(/"secret":"[^"]+"/g, '"secret":"…"'),
  )
}

test('has an example of every operation', () => {
  expect(new Set(examples.map(({ operation }) => operation))).toEqual(new Set(NAMES))
})

test('says how to begin, and that is how it goes', () => {
  expect(blockOf(overview, 'One terminal')).toBe(
    'DRAY_NOW=2026-11-20T09:00:00.000Z dray serve --store reference.db',
  )
})

test('every example for curl gives its response, and the document promises it', async () => {
  const [address = '', token = ''] = blockOf(overview, 'Another terminal').split('\n')
  expect(address).toBe('export DRAY_BASE_URL=http://127.0.0.1:8080')
  const answers = await type(
    examples.map(({ curl, advanced }) => [...advanced.map(quietly), curl].join('\n')),
    [`export DRAY_BASE_URL=${url}`, token],
    { DRAY_HOME: join(home, 'dray') },
  )
  expect(answers.map(withoutCursors)).toEqual(examples.map(({ answer }) => withoutCursors(answer)))
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const { faultsOf } = makeSchemaReader(document)
  const described = new Map(
    Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((one) => [one.operationId, one.responses] as const),
    ),
  )
  for (const [index, { operation }] of examples.entries()) {
    const responses = described.get(operation) ?? {}
    const schema = (responses['200'] ?? responses['201'])?.content['application/json']?.schema ?? {}
    expect(faultsOf(schema, answers[index]), operation).toEqual([])
  }
})

type Document = {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; responses: Record<string, { content: Record<string, { schema: JsonSchema }> }> }
    >
  >
}

test('every example for dray does the same, on a sandbox of its own', async () => {
  const answers = await type(
    examples.map(({ dray, advanced }) => [...advanced.map(quietly), dray].join('\n')),
    [],
    { DRAY_HOME: join(home, 'other'), DRAY_NOW: '2026-11-20T09:00:00.000Z' },
  )
  expect(answers.map(withoutCursors)).toEqual(examples.map(({ answer }) => withoutCursors(answer)))
})
