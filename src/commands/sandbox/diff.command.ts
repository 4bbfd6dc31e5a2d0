import { createReadStream, type ReadStream } from 'node:fs'
import type { CommandContext } from '../../cli/cli.ts'
import { readTextArgument } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult, printSummary } from '../../cli/print.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { EXIT } from '../../core/error-table.ts'
import type {
  Comparison,
  SnapshotDifference,
  KindCount,
  ReadSnapshot,
} from '../../sandbox/control/compare-snapshots.ts'
import { assertReadable, snapshotFile } from './snapshots.ts'

export const sandboxDiff = defineCommand({
  words: 'sandbox diff',
  summary: 'Compare two snapshots, or a snapshot and the sandbox',
  description:
    'Pairs resources by content, name and order of creation. Ids, keys, quotes, drawn codes and hashes do not count; an id within a resource ' +
    'reads as the resource that it names. Neither side is changed. Exit 0 means that the comparison was made; with --exit-code, that both are the same.',
  positionals: [
    { name: 'old', description: 'name, or file', fileAccess: 'read' },
    { name: 'new', description: 'name, or file; left out, the sandbox as it is now', fileAccess: 'read' },
  ],
  flags: [
    {
      flag: 'ignore',
      kind: 'text',
      value: 'FIELD',
      repeat: true,
      description: 'field that does not count, at any depth; * stands for any letters',
    },
    {
      flag: 'ignore-times',
      kind: 'boolean',
      description: 'a time or date does not count where both have one',
    },
    { flag: 'exit-code', kind: 'boolean', description: 'exit 6 when they differ' },
  ],
  examples: [
    'dray sandbox diff before-lunch',
    'dray sandbox diff ./main.snapshot ./branch.snapshot --exit-code',
    'dray sandbox diff monday tuesday --ignore-times --ignore courier',
  ],
  async run(cli, args) {
    const given = readTextArgument(args, 'old')
    if (given === undefined)
      throw missingInputError(cli.argv, [{ flag: 'OLD', value: 'before', description: 'a name, or a file' }])
    const other = readTextArgument(args, 'new')
    const [{ compareSnapshots, readForComparison }, { readIgnored }] = await Promise.all([
      import('../../sandbox/control/compare-snapshots.ts'),
      import('../../sandbox/control/ignored-fields.ts'),
    ])
    const isIgnored = readIgnored(args.ignore ?? [], args['ignore-times'] === true, '--ignore')
    const openOld = fileOf(cli, given)
    const openNew = other === undefined ? undefined : fileOf(cli, other)
    const before = await readForComparison(openOld(), given)
    const after = await readForComparison(openNew?.() ?? readCurrentSnapshot(cli), other ?? 'of the sandbox')
    const compared = compareSnapshots(before, after, isIgnored)
    const result = { old: headOf(before, given), new: headOf(after, other ?? null), ...compared }
    await printComparison(cli, result)
    return args['exit-code'] === true && !compared.same ? EXIT.rejected : EXIT.ok
  },
})

/** Prints lines for people at a terminal, where a table would cut the names of resources; rows for all others. */
async function printComparison(cli: CommandContext, result: Comparison): Promise<void> {
  const done = summaryOf(result.kinds)
  if (isInteractiveTable(cli) && !result.same) {
    await cli.io.stdout.write(`${linesOf(result.data).join('\n')}\n`)
    return printSummary(cli, result, done)
  }
  const page = { ...result, has_more: false, next_cursor: null }
  await printResult(cli, page, {
    list: true,
    columns: ['resource', 'change', 'field', 'old', 'new'].map((field) => ({ field })),
    ...(result.same
      ? { empty: 'No differences: ids, keys, quotes and drawn codes do not count.' }
      : { done }),
  })
}

/** Returns a line for each resource, with a line for each of its fields. Times are exact: they may differ by a second. */
function linesOf(data: readonly SnapshotDifference[]): string[] {
  const valueOf = (value: unknown): string =>
    value === null ? '–' : sanitizeForTerminal(typeof value === 'string' ? value : JSON.stringify(value))
  return data.flatMap(({ resource, change, field, old, new: now }, at) => [
    ...(data[at - 1]?.resource === resource ? [] : [`${change} ${sanitizeForTerminal(resource)}`]),
    ...(field === null ? [] : [`  ${sanitizeForTerminal(field)}: ${valueOf(old)} → ${valueOf(now)}`]),
  ])
}

/** Checks that a snapshot is there, and returns a function that opens it. Throws AppError. */
function fileOf(cli: CommandContext, given: string): () => ReadStream {
  const path = snapshotFile(cli, given)
  assertReadable(path, given)
  return () => createReadStream(path)
}

/** Yields a snapshot of the sandbox as it is now. */
async function* readCurrentSnapshot(cli: CommandContext): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  await (await cli.client()).saveSnapshot((chunk) => void chunks.push(chunk))
  yield* chunks
}

function headOf({ head: { seed, service_time } }: ReadSnapshot, snapshot: string | null) {
  return { snapshot, seed, service_time }
}

function summaryOf(kinds: readonly KindCount[]): string {
  const parts = kinds.flatMap(({ kind, changed, added, removed }) => {
    const counts = Object.entries({ changed, added, removed }).filter(([, count]) => count > 0)
    return counts.length === 0
      ? []
      : [`${kind}: ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}`]
  })
  return `Differences by kind: ${parts.join('; ')}.`
}
