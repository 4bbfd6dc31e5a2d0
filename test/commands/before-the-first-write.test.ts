/**
 * Exit 2 says that nothing was sent. For every command that changes something and every flag that can be judged without
 * the service: the flag is judged before the service is opened. New commands and flags are covered by being there.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findResultFields } from '../../src/cli/answer-fields.ts'
import type { Command } from '../../src/cli/define-command.ts'
import { GLOBAL_FLAGS, globalFlagsOf } from '../../src/cli/globals.ts'
import { apiCommand } from '../../src/commands/api.command.ts'
import { main } from '../../src/commands/main.ts'
import { COMMANDS } from '../../src/generated/commands.ts'
import { NAMES } from '../../src/generated/registry.ts'
import { makeRuntime } from '../../src/runtime.ts'
import { makeHome } from '../support/home.ts'
import { memoryIo } from '../support/memory-io.ts'

const all: Command[] = []
beforeAll(async () => {
  const loading = [...Object.values(COMMANDS).map(({ load }) => load()), ...NAMES.map(apiCommand)]
  all.push(...(await Promise.all(loading)))
})

const changing = (): Command[] => all.filter(({ danger }) => danger !== 'read')
const takes = ({ takes: taken, ...spec }: Command, flag: string): boolean =>
  globalFlagsOf({ ...spec, takes: taken }).some((each) => each.flag === flag)

type RefusedCommand = { code: number; said: { code: string; detail: string }; touched: string[] }

/** Runs a command line with only these flags. The service is opened, or a file is written, only by mistake. */
async function refuse(
  words: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RefusedCommand> {
  using home = makeHome()
  writeFileSync(join(home.cwd, 'file'), '')
  let opened = false
  const runtime = {
    ...makeRuntime(`${import.meta.dirname}/../..`),
    ...home,
    env: { ...home.env, ...env },
    openClient: () => {
      opened = true
      return Promise.reject(new Error('the service is not opened'))
    },
  }
  const io = memoryIo()
  const code = await main([...words.split(' '), ...flags, '--json'], runtime, io)
  const written = [home.paths.config, home.paths.data, home.paths.state].filter((path) => existsSync(path))
  const touched = [...(opened ? ['service'] : []), ...written, ...readdirSync(home.cwd).slice(1)]
  return { code, said: JSON.parse(io.out()) as RefusedCommand['said'], touched }
}

type Line = readonly [words: string, flags: readonly string[], env?: Readonly<Record<string, string>>]

/** Returns the lines that are not rejected with exit 2, with these words, and before anything is done. */
async function notRefused(lines: readonly Line[], detail: RegExp): Promise<unknown[]> {
  const wrong: unknown[] = lines.length === 0 ? ['no command'] : []
  for (const [words, flags, env] of lines) {
    const { code, said, touched } = await refuse(words, flags, env)
    if (code !== 2 || touched.length > 0 || !detail.test(said.detail))
      wrong.push({ words, flags, code, said, touched })
  }
  return wrong
}

describe('a command that changes something', () => {
  test('says the fields of its answer: its file declares `answer`, or its operation has them', async () => {
    const silent: string[] = []
    for (const command of changing().filter((each) => takes(each, 'fields')))
      if ((await findResultFields(command, {}, { wait: false })) === undefined) silent.push(command.words)
    expect(silent, 'these need `answer` in their *.command.ts').toEqual([])
  })

  test('rejects an unknown field', async () => {
    const lines = changing().filter((each) => takes(each, 'fields'))
    expect(lines.length).toBeGreaterThan(70)
    expect(
      await notRefused(
        lines.map(({ words }) => [words, ['--fields', 'nope']]),
        /^Unknown fields in --fields: nope\. Available: \w/,
      ),
    ).toEqual([])
    expect(await notRefused([['food order', ['--fields', ' , ']]], /needs at least one field/)).toEqual([])
  })

  test('lists its fields without doing anything', async () => {
    for (const { words } of changing().filter((each) => takes(each, 'fields'))) {
      const { code, said, touched } = await refuse(words, ['--fields', 'help'])
      expect({ words, code, touched }).toEqual({ words, code: 0, touched: [] })
      expect(said).toContainEqual(expect.any(String))
    }
  })

  test('rejects a query that no data can fit', async () => {
    const words = changing()
      .filter((each) => takes(each, 'query'))
      .map((each) => each.words)
    const asked = (query: string) => words.map((each) => [each, ['--query', query]] as const)
    expect(await notRefused(asked('a['), /^--query is not a JMESPath expression/)).toEqual([])
    expect(await notRefused(asked('data[].nope(@)'), /Unknown function: nope\(\)/)).toEqual([])
    for (const query of ['length(a, b)', 'a | sort_by(@)', 'map(&length(), a)', '{a: b[?abs()]}'])
      expect(await notRefused([['food order', ['--query', query]]], /Invalid arity/)).toEqual([])
    expect(
      await notRefused([['food order', ['--query', 'let $x = a in $y']]], /unknown variable \$y/),
    ).toEqual([])
    expect(await notRefused([['food order', ['--query', 'a[::0]']]], /step of a slice/)).toEqual([])
    expect(
      await notRefused([['food order', ['--query', 'a', '--fields', 'help']]], /leave out --query/),
    ).toEqual([])
  })

  test('rejects a recording that cannot be written', async () => {
    for (const file of ['nowhere/a.yaml', 'file/a.yaml', '.'])
      expect(
        await notRefused(
          changing().map(({ words }) => [words, ['--record', file]]),
          /cannot be (?:written|read|recorded)|is not a file/,
        ),
      ).toEqual([])
  })

  test('rejects a limit that is no amount, typed or of the environment', async () => {
    const limited = all.filter(({ flags }) => flags.some(({ flag }) => flag === 'max-total'))
    expect(limited.length).toBeGreaterThan(5)
    for (const limit of ['much', '-1', '25.00 XXX', '1.234'])
      expect(
        await notRefused(
          limited.map(({ words }) => [words, ['--max-total', limit]]),
          /^--max-total: /,
        ),
      ).toEqual([])
    expect(
      await notRefused(
        limited.map(({ words }) => [words, [], { DRAY_MAX_TOTAL: 'much' }]),
        /^DRAY_MAX_TOTAL: "much" is not an amount/,
      ),
    ).toEqual([])
  })

  test('rejects a key, a time and a form that it cannot use', async () => {
    const keyed = changing().filter((each) => takes(each, 'idempotency-key'))
    for (const key of ['', '""', 'two words', 'schlüssel', 'k'.repeat(256)])
      expect(
        await notRefused(
          keyed.map(({ words }) => [words, ['--idempotency-key', key]]),
          /^--idempotency-key must be 1 to 255 visible ASCII characters/,
        ),
      ).toEqual([])
    expect(
      await notRefused(
        changing().map(({ words }) => [words, ['--timeout', 'soon']]),
        /^--timeout must be a time/,
      ),
    ).toEqual([])
    expect(
      await notRefused(
        changing().map(({ words }) => [words, ['--output', 'xml']]),
        /^--output must be one of/,
      ),
    ).toEqual([])
  })
})

describe('a flag that names a file', () => {
  test('says whether the file is read or written', () => {
    const flags = [...new Set([...GLOBAL_FLAGS, ...all.flatMap(({ flags: own }) => own)])]
    const named = flags.filter(({ value = '' }) => /\b(?:FILE|DIR)\b/.test(value))
    expect(named.length).toBeGreaterThan(10)
    expect(
      named.filter(({ fileAccess: opens }) => opens === undefined).map(({ flag }) => flag),
      "these need `fileAccess: 'read' | 'write' | 'make'`",
    ).toEqual([])
  })

  test('is rejected where nothing can be written', async () => {
    const written = all.flatMap(({ words, flags }) => flags.map((flag) => ({ words, ...flag })))
    const places = written.flatMap(({ words, flag, fileAccess: opens }) => [
      ...(opens === 'write' ? [[words, [`--${flag}`, 'nowhere/x.pdf']] as const] : []),
      ...(opens === 'write' || opens === 'make' ? [[words, [`--${flag}`, 'file/x.pdf']] as const] : []),
    ])
    expect(await notRefused(places, /^--[\w-]+ (?:nowhere|file)\/x\.pdf cannot be written: /)).toEqual([])
  })

  test('takes - for a stream, or is refused: no file of that name is made', async () => {
    const places: Line[] = all.flatMap(({ words, flags }) =>
      flags
        .filter(
          ({ fileAccess: opens, value }) => opens !== undefined && value?.split('|').includes('-') !== true,
        )
        .map(({ flag }): Line => [words, [`--${flag}`, '-']]),
    )
    const named = all.flatMap(({ words, positionals }) =>
      positionals
        .filter(({ fileAccess: opens, dash }) => opens !== undefined && dash !== true)
        .map((): Line => [words, ['-']]),
    )
    expect(named.map(([words]) => words).toSorted()).toEqual([
      'sandbox backup',
      'sandbox diff',
      'sandbox diff',
      'sandbox restore',
      'sandbox snapshot load',
      'sandbox snapshot save',
    ])
    const recorded = changing().map(({ words }): Line => [words, ['--record', '-']])
    expect(
      await notRefused(
        [...places, ...named, ...recorded],
        /cannot (?:be|write to) -: standard (?:in|out)put is not a file\./,
      ),
    ).toEqual([])
    const stores = [['rides list', ['--store', '-']]] as const
    expect(await notRefused(stores, /^A store is a file, :memory: or a postgres/)).toEqual([])
  })

  test('shares standard input and output with no other', async () => {
    expect(
      await notRefused(
        [['tasks quote', ['shelf_audit', '--requirements', '-', '--rules', '-']]],
        /cannot both use standard (?:in|out)put/,
      ),
    ).toEqual([])
  })

  test('makes no draft beside a pipe or a device', async () => {
    const lines = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].flatMap((path): Line[] => [
      ['carrier upload', [path, '--yes']],
      ['business catalog import', [path, '--yes']],
      ['carrier template', [path]],
      ['business catalog template', [path]],
      ['sandbox backup', [path]],
    ])
    expect(await notRefused(lines, /is not a file/)).toEqual([])
  })
})
