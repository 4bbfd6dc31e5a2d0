/** The commands in the README and the guides work: every one is run, or the page says why not. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { COMMANDS } from '../../src/generated/commands.ts'
import { blocksOf, makeClone, DOC_PAGES, readPage, runBlocks, setUp } from '../support/pages.ts'
import { builtProgram } from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { KEY_BYTES, startShellInTerminal } from '../support/terminal.ts'

const RUN = DOC_PAGES.filter((path) => blocksOf(readPage(path)).length > 0)

beforeAll(builtProgram)

function cloneOfItsOwn(): string {
  const clone = mkdtempSync(join(tmpdir(), 'dray-pages-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  makeClone(clone)
  return clone
}

test.for(RUN)('the commands of %s do what the page says', async (path) => {
  const blocks = blocksOf(readPage(path))
  const start = { kind: 'sh', text: setUp(path) } as const
  const printed = await runBlocks([start, ...blocks], cloneOfItsOwn())
  expect(printed.slice(1)).toEqual(
    blocks.map(({ kind, text, reason }) => (kind === 'console' && reason === undefined ? text : '')),
  )
})

test('the picture of the README is the screen of a person who uploads a manifest', async () => {
  const [, line = '', picture = ''] = /```text\n\$ (.*)\n([^]*?)\n```/.exec(readPage('README.md')) ?? []
  const clone = cloneOfItsOwn()
  // The first command reports where it created the sandbox, and the second one writes the file.
  const before = 'dray sandbox status >seen 2>&1; dray carrier template parcels.csv >seen 2>&1'
  using terminal = startShellInTerminal(`${before}; ${line}`, {
    cwd: clone,
    columns: 90,
    env: { HOME: clone, TZ: 'UTC', DRAY_HOME: join(clone, 'home'), DRAY_NOW: '2026-11-20T12:00:00Z' },
  })
  await terminal.shows('(y/N)')
  terminal.type(`y${KEY_BYTES.enter}`)
  await terminal.ended()
  expect(terminal.transcript()).toBe(picture)
})

test('only these commands are not run, each for a reason', () => {
  const notRun = DOC_PAGES.flatMap((path) =>
    blocksOf(readPage(path)).flatMap(({ text, reason }) =>
      reason === undefined ? [] : text.split('\n').map((command) => `${path}: ${command}`),
    ),
  )
  expect(notRun).toEqual([
    'README.md: npm ci --no-workspaces && node bin/dray.js carrier upload examples/manifest.csv --yes',
    'README.md: npm ci && npm test',
    'docs/carriers.md: dray open parcels',
    'docs/concepts.md: dray open world',
    'docs/deployment.md: DRAY_STORE=postgres://user:password@host/db dray serve',
    'docs/deployment.md: dray serve --cluster 4 --rate-limit default',
    'docs/deployment.md: kill -USR2 PID',
    'docs/deployment.md: dray login --base-url http://127.0.0.1:8080 --profile local',
    'docs/deployment.md: dray carrier list --profile local',
    'docs/deployment.md: dray logout --profile local',
    'docs/deployment.md: dray sandbox approve BCDF-GHJK --account shipper',
    'docs/deployment.md: dray login --base-url https://dray.example.com --profile shop',
    'docs/deployment.md: dray open kitchen --profile shop --no-browser   # type the link into the screen on the wall',
    'docs/events.md: dray listen --forward-to localhost:3000/hooks --events business_order.placed --as owner',
    'docs/merchants.md: dray business orders watch --as owner',
    'docs/merchants.md: dray open kitchen --as owner',
    'docs/merchants.md: dray business tickets test --printer tcp://192.168.1.50:9100',
    'docs/merchants.md: dray business tickets --as owner --printer tcp://192.168.1.50:9100',
    'docs/merchants.md: dray business tickets --as owner --printer /dev/usb/lp0 --paper 58 --slip both --buzzer beep',
    `docs/merchants.md: dray business tickets --as owner --printer 'exec:lp -d bar -o raw' --station Bar`,
    'docs/performance.md: npm run build && npm run bench -- profile',
    'docs/performance.md: npm run bench -- worlds',
    'docs/performance.md: npm run bench -- scale --rows 1e4,1e7 shipment',
    `docs/postgresql.md: DRAY_STORE='postgres://dray:password@db1:5432,db2:5432/dray?target_session_attrs=read-write' dray serve`,
    `docs/postgresql.md: psql "$DRAY_STORE" -c "alter system set synchronous_standby_names = 'ANY 1 (*)'" -c 'select pg_reload_conf()'`,
    `docs/postgresql.md: psql -c "create role dray login password 'change-me-4'" -c "create database dray owner dray encoding 'UTF8'"`,
    'docs/postgresql.md: patronictl -c /etc/patroni/dray.yml list   # one Leader, and a Sync Standby',
    'docs/postgresql.md: patronictl -c /etc/patroni/dray.yml switchover dray --force   # the standby becomes the primary, for example before an update',
    `docs/postgresql.md: DRAY_STORE='postgres://dray:password@pooler:6432/dray?pooler=transaction' dray serve`,
    `docs/postgresql.md: psql "$DRAY_STORE" -c "alter system set archive_command = 'test ! -f /backup/wal/%f && cp %p /backup/wal/%f'"`,
    'docs/postgresql.md: psql "$DRAY_STORE" -c "alter system set archive_mode = on"   # then restart the server',
    'docs/postgresql.md: pg_basebackup --dbname "$DRAY_STORE" --pgdata /backup/base --checkpoint fast',
  ])
})

test('pages name only commands that exist', () => {
  const named = DOC_PAGES.flatMap((path) =>
    [...readPage(path).matchAll(/`dray ([a-z][a-z -]*[a-z])/g)].map(([, words = '']) => words),
  )
  expect(named.length).toBeGreaterThan(20)
  const groups = Object.keys(COMMANDS).flatMap((words) => prefixes(words.split(' ')))
  const known = new Set([...groups, 'help', 'api'])
  expect(named.filter((words) => !prefixes(words.split(' ')).some((start) => known.has(start)))).toEqual([])
})

function prefixes(words: readonly string[]): string[] {
  return words.map((_, index) => words.slice(0, index + 1).join(' '))
}

test('a file that a page shows is the file of the package', () => {
  const shown = DOC_PAGES.flatMap((path) => [
    ...readPage(path).matchAll(/<!-- file: (\S+) -->\n\n```\w*\n([^]*?)```\n/g),
  ])
  expect(shown.map(([, file]) => file)).toEqual(
    ['nginx.conf', 'haproxy.cfg', 'logrotate', 'patroni.yml'].map((name) => `examples/service/${name}`),
  )
  for (const [, file = '', text] of shown) expect(text).toBe(readFileSync(join(ROOT, file), 'utf8'))
})

test('the README stays short', () => {
  expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(150)
})
