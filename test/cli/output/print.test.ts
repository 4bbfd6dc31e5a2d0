import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { printValue } from '../../../src/cli/output/print.ts'
import { memoryIo } from '../../support/memory-io.ts'

const empty = { data: [], has_more: false, next_cursor: null }

test('prints a result with one write', async () => {
  for (const format of ['json', 'ndjson', 'csv', 'yaml', 'table'] as const) {
    const io = memoryIo({ tty: true, columns: 80 })
    await printValue(io, { data: [{ id: 'a' }, { id: 'b' }], has_more: false, next_cursor: null }, { format })
    expect(io.writes()).toBe(1)
    expect(io.out().endsWith('\n')).toBe(true)
    expect(io.err()).toBe('')
  }
})

describe('beside the table, on stderr', () => {
  test('one sentence for an empty list', async () => {
    const io = memoryIo({ tty: true })
    await printValue(io, empty, { format: 'table', empty: 'No parcels yet.' })
    expect(io.out()).toBe('')
    expect(io.err()).toBe('No parcels yet.\n')
  })
  test('an empty page of a longer list is not the end of it', async () => {
    const io = memoryIo({ tty: true })
    await printValue(
      io,
      { ...empty, has_more: true, next_cursor: 'x' },
      { format: 'table', empty: 'No parcels.' },
    )
    expect(io.err()).toContain('Nothing found so far.\n')
    expect(io.err()).toContain('More results: add --all.')
  })
  test('how to continue when more follow', async () => {
    const io = memoryIo()
    await printValue(io, { data: [{ id: 'a' }], has_more: true, next_cursor: 'eyJ2 x' }, { format: 'table' })
    expect(io.out()).toBe('id\na\n')
    expect(io.err()).toBe("More results: add --all, or --cursor 'eyJ2 x'.\n")
  })
  test('that a search has no pages, and a limit of its own', async () => {
    for (const [rows, words] of [
      [2, 'More may fit: add --limit 100, or search for more words.\n'],
      [100, 'More may fit: search for more words.\n'],
    ] as const) {
      const io = memoryIo()
      const data = Array.from({ length: rows }, (_, id) => ({ id }))
      await printValue(io, { data, has_more: true }, { format: 'table' })
      expect(io.err()).toBe(words)
    }
  })
  test('the position from which events go on', async () => {
    const io = memoryIo()
    await printValue(io, { data: [{ id: 1 }], last: 17, has_more: true }, { format: 'table' })
    expect(io.err()).toBe('More results: add --after 17.\n')
  })
  test('the outcome and the next command, in plain words', async () => {
    const io = memoryIo({ tty: true })
    const value = { tracking_number: 'ZC968043370GB', total: { amount: 612, currency: 'GBP' } }
    await printValue(io, value, {
      format: 'table',
      color: 'never',
      done: 'Created {tracking_number} for {total}.',
      next: 'dray carrier show {tracking_number}',
    })
    expect(io.err()).toBe('Created ZC968043370GB for £6.12.\nNext: dray carrier show ZC968043370GB\n')
  })
  test.each([
    [{ amount: 500, currency: 'GBP' }, 'Cancelled. £5.00 is owed.\n'],
    [{ amount: 0, currency: 'GBP' }, 'Cancelled.\n'],
    [null, 'Cancelled.\n'],
  ])('a zero amount is left out of the notice: %j', async (due, said) => {
    const io = memoryIo({ tty: true })
    await printValue(io, { due }, { format: 'table', color: 'never', done: 'Cancelled.[ {due} is owed.]' })
    expect(io.err()).toBe(said)
  })
  test('a next command that text by strangers cannot change', async () => {
    const io = memoryIo({ tty: true })
    await printValue(
      io,
      { id: "x'; rm -rf ~ #" },
      { format: 'table', color: 'never', next: 'dray show {id}' },
    )
    expect(io.err()).toBe(String.raw`Next: dray show 'x'\''; rm -rf ~ #'` + '\n')
  })
  test('no next command in a script, and no notice with --quiet or another format', async () => {
    const view = { done: 'Done.', next: 'dray next', empty: 'None.' }
    const script = memoryIo()
    await printValue(script, { id: 'a' }, { format: 'table', ...view })
    expect(script.err()).toBe('Done.\n')
    const quiet = memoryIo({ tty: true })
    await printValue(quiet, empty, { format: 'table', quiet: true, ...view })
    const json = memoryIo({ tty: true })
    await printValue(json, empty, { format: 'json', ...view })
    const csv = memoryIo({ tty: true })
    await printValue(csv, empty, { format: 'csv', ...view })
    expect(quiet.err() + json.err() + csv.err()).toBe('')
  })
})

test('colours stdout by stdout and stderr by stderr', async () => {
  const io = memoryIo({ tty: { stdout: false, stderr: true } })
  await printValue(io, { data: [{ status: 'lost' }], has_more: true, next_cursor: null }, { format: 'table' })
  expect(io.out()).toBe('status\nlost\n')
  expect(io.err()).toBe('\x1b[2mMore results: add --all.\x1b[22m\n')
})

test.each(['20', '0', '-1', '1e9', 'x'])('survives COLUMNS=%s', async (columns) => {
  const io = memoryIo({ tty: true, env: { COLUMNS: columns } })
  await printValue(
    io,
    { data: [{ name: 'x'.repeat(200), status: 'lost', id: 1 }], has_more: false, next_cursor: null },
    { format: 'table' },
  )
  expect(io.out()).toContain('lost')
  expect(io.out().length).toBeLessThan(1000)
})

test('loads nothing but itself for JSON', async () => {
  const script = `
    const seen = []
    require('node:module').registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
    import('./src/cli/output/print.ts').then(async ({ printValue }) => {
      const io = { stdout: { isTTY: false, write: () => undefined } }
      await printValue(io, { data: [{ id: 'a', at: '2026-11-20T12:00:00.000Z' }], has_more: false, next_cursor: null }, { format: 'json' })
      console.log(JSON.stringify(seen.map((url) => url.slice(url.indexOf('/src/cli/') + 1))))
    })`
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '-e', script])
  expect(JSON.parse(stdout)).toEqual([
    'src/cli/output/print.ts',
    'src/cli/output/json.ts',
    'src/cli/output/hidden.ts',
  ])
})
