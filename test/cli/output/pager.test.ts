/** Long output at a terminal, and help that is as wide as the terminal. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { needsPager } from '../../../src/cli/output/pager.ts'
import { printValue } from '../../../src/cli/output/print.ts'
import type { Runtime } from '../../../src/cli/runtime.ts'
import { main } from '../../../src/commands/main.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'

const LONG = 'a line\n'.repeat(20)

/** Makes a screen of ten rows whose pager writes to a file. */
function screen(
  home: Home,
  columns = 80,
  env: Record<string, string> = {},
): MemoryIo & { paged(): string | undefined } {
  const file = `${home.cwd}/paged`
  const io = memoryIo({
    tty: true,
    columns,
    env: { ...process.env, PAGER: `cat > '${file}'`, NO_COLOR: '1', ...env },
  })
  const paged = (): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  return { ...io, stdout: { ...io.stdout, rows: 10 }, paged }
}

test('only what is longer than the screen of a terminal needs a pager', () => {
  using home = makeHome()
  const io = screen(home)
  expect(needsPager(LONG, io)).toBe(true)
  expect(needsPager('a line\n'.repeat(9), io)).toBe(false)
  expect(needsPager('x'.repeat(900), io), 'wrapped lines count').toBe(true)
  expect(needsPager(LONG, { ...io, stdin: { ...io.stdin, isTTY: false } })).toBe(false)
  expect(needsPager(LONG, { ...io, stdout: { ...io.stdout, isTTY: false } })).toBe(false)
  for (const env of [{ PAGER: '' }, { PAGER: 'cat' }, { TERM: 'dumb' }])
    expect(needsPager(LONG, screen(home, 80, env))).toBe(false)
})

test('long results and help go to the pager, unless nobody wants it or there is none', async () => {
  using home = makeHome()
  const view = { format: 'json' as const, fields: undefined, query: undefined, columns: undefined }
  const rows = Array.from({ length: 20 }, (_, row) => ({ row }))
  const asked = screen(home)
  await printValue(asked, rows, { ...view, pager: true })
  expect(JSON.parse(asked.paged() ?? '')).toEqual(rows)
  expect(asked.out()).toBe('')

  const missing = screen(home, 80, { PAGER: 'no-such-pager-here 2>/dev/null' })
  await printValue(missing, rows, { ...view, pager: true })
  expect(JSON.parse(missing.out())).toEqual(rows)

  // The C locale of a container would have less show a £ as <C2><A3>.
  const charset = screen(home, 80, { PAGER: `printenv LESSCHARSET > '${home.cwd}/paged'`, LC_ALL: 'C' })
  await printValue(charset, rows, { ...view, pager: true })
  expect(charset.paged()).toBe('utf-8\n')

  const runtime = { env: {}, paths: home.paths, cwd: home.cwd } as unknown as Runtime
  const plain = screen(home)
  await main(['--help', '--no-pager'], runtime, plain)
  expect(plain.out()).toContain('START HERE')
  const paged = screen(home)
  await main(['carrier', 'create', '--help'], runtime, paged)
  expect(paged.paged()).toContain('REQUIRED FLAGS')
})

test('help fits a narrow terminal, has bold headings in colour, and is the same for every pipe', async () => {
  using home = makeHome()
  const runtime = { env: {}, paths: home.paths, cwd: home.cwd } as unknown as Runtime
  const helped = async (io: MemoryIo, ...words: string[]): Promise<string> => {
    await main([...words, '--help'], runtime, io)
    return io.out()
  }
  const narrow = await helped(
    memoryIo({ tty: true, columns: 50, env: { NO_COLOR: '1' } }),
    'sandbox',
    'backup',
  )
  const prose = narrow.slice(0, narrow.indexOf('USAGE'))
  expect(Math.max(...prose.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50)
  expect(await helped(memoryIo({ tty: true, columns: 200 }))).toContain('\x1b[1mSTART HERE\x1b[22m')
  expect(await helped(memoryIo({ env: { COLUMNS: '40' } }), 'carrier')).toBe(
    readFileSync(`${import.meta.dirname}/../../snapshots/help/carrier.txt`, 'utf8'),
  )
})

test('a command of another group is named: there is rarely only one place for a word', async () => {
  using home = makeHome()
  const runtime = { env: {}, paths: home.paths, cwd: home.cwd } as unknown as Runtime
  const hint = async (...words: string[]): Promise<string> => {
    const io = memoryIo()
    expect(await main(words, { ...runtime, weakRandomBytes: () => new Uint8Array(6) }, io)).toBe(2)
    return /hint: (.*)/.exec(io.err())?.[1] ?? ''
  }
  expect(await hint('track')).toBe(
    'Did you mean `dray food track`, `dray rides track`, `dray delivery track`, `dray carrier track`, `dray services track`, or `dray tasks track`?',
  )
  expect(await hint('track', 'zc968043370gb')).toBe('Did you mean `dray carrier track zc968043370gb`?')
  expect(await hint('show', 'rid_01m7vkystgfx5vsa9mkvef9ews')).toBe(
    'Did you mean `dray rides show rid_01m7vkystgfx5vsa9mkvef9ews`?',
  )
  expect(await hint('upload')).toBe('Did you mean `dray carrier upload`?')
  expect(await hint('version')).toBe('Did you mean `dray --version`?')
  expect(await hint('orders')).toBe('Did you mean `dray food list` or `dray business orders list`?')
  expect(await hint('carier')).toBe('Did you mean `dray carrier`?')
  expect(await hint('profile', 'set', 'work')).toBe('Did you mean `dray profile add --update`?')
  expect(await hint('profile', 'rm')).toBe('Did you mean `dray profile remove`?')
  // Five commands became an argument or a flag of others.
  expect(await hint('webhooks', 'show', 'whe_1')).toBe('Did you mean `dray webhooks list`?')
  expect(await hint('webhooks', 'rotate')).toBe('Did you mean `dray webhooks update --rotate`?')
  expect(await hint('webhooks', 'test', 'whe_1')).toBe('Did you mean `dray webhooks resend --test`?')
  expect(await hint('webhooks', 'delivery')).toBe('Did you mean `dray webhooks deliveries`?')
  expect(await hint('webhooks', 'events', '--after', '0')).toBe('Did you mean `dray listen --list`?')
  expect(await hint('carrier', 'lst')).toBe('Did you mean `dray carrier list`?')
  expect(await hint('business', 'order', 'list')).toBe('Did you mean `dray business orders`?')
  expect(await hint('services', 'search')).toBe('Did you mean `dray services providers`?')
  expect(await hint('delivery', 'cancel')).toBe(
    'There is `dray delivery quote`, `dray delivery request`, `dray delivery show`, `dray delivery problem`, and `dray delivery track`. `dray delivery --help` lists the commands.',
  )
  expect(await hint('delivery', 'cancel', 'rid_01m7vkystgfx5vsa9mkvef9ews')).toBe(
    'Did you mean `dray rides cancel rid_01m7vkystgfx5vsa9mkvef9ews`?',
  )
  expect(await hint('upolad')).toBe('Did you mean `dray carrier upload`?')
  expect(await hint('xyzzy-nothing')).toBe('`dray --help` lists the commands.')
})
