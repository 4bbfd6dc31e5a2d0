import { expect, test } from 'vitest'
import type { CommandContext } from '../../../src/cli/cli.ts'
import { printUploadReport } from '../../../src/cli/upload/print.ts'
import { MANIFEST_REPORT } from '../../../src/commands/carrier/manifest/upload.ts'
import { MANIFEST_FILE_KIND } from '../../../src/tabular/manifest/kind.ts'
import type { ParcelOutcome } from '../../../src/tabular/manifest/outcomes.ts'
import { memoryIo } from '../../support/memory-io.ts'

const outcomes = Array.from({ length: 60 }, (_, at) => {
  const row = { row: at + 1, line: at + 2, reference: `R-${at + 1}` }
  return at === 54
    ? { ...row, result: 'rejected', reason: { code: 'invalid_row', errors: [] } }
    : { ...row, result: 'created', tracking_number: 'ZC968043370GB' }
}) as unknown as ParcelOutcome[]

async function printed(tty: boolean, format: 'table' | 'json'): Promise<string> {
  const io = memoryIo({ tty, columns: 100, env: { NO_COLOR: '1' } })
  const spec = { words: 'carrier upload', danger: 'bulk' }
  const cli = {
    io,
    spec,
    globals: {},
    settings: { format },
    argv: [],
    warnings: [],
  } as unknown as CommandContext
  const counts = { created: 59, duplicate: 0, rejected: 1, not_sent: 0 } as never
  const kind = { kind: MANIFEST_FILE_KIND, report: MANIFEST_REPORT }
  await printUploadReport(cli, kind, { outcomes, summary: { counts } }, { done: 'Done.' })
  return io.out()
}

test('a rejected row is seen first on a terminal, however far down the file it is', async () => {
  expect((await printed(true, 'table')).split('\n')[2]).toMatch(/^ *55 +R-55 +rejected/)
})

test('a pipe and a program get all rows in the order of the file', async () => {
  const piped = (await printed(false, 'table')).trimEnd().split('\n')
  expect(piped).toHaveLength(61)
  expect(piped[55]).toMatch(/^55\tR-55\trejected/)
  const { data } = JSON.parse(await printed(true, 'json')) as { data: { row: number }[] }
  expect(data.map(({ row }) => row)).toEqual(outcomes.map(({ row }) => row))
})
