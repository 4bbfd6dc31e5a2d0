import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { assertOutputPath, FORCE_FLAG, writeOutputFile } from '../../cli/files/write.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import { printResult } from '../../cli/print.ts'
import { listStoreItems } from '../../client/list-store-items.ts'
import { EXIT } from '../../core/errors.ts'
import { detectOwnFileKind } from '../../tabular/columns/results.ts'
import { serializeMenuCsv, menuFile, serializeMenuJson } from './menu/export.ts'
import { formatCategoryCount, formatItemCount } from './menu/print.ts'
import { MERCHANT_FLAG } from './merchant-flag.ts'

const FLAGS = [
  { flag: 'format', kind: 'enum', choices: ['csv', 'json'], description: 'csv when left out' },
  MERCHANT_FLAG,
  FORCE_FLAG,
] as const satisfies readonly Flag[]

/** `dray business catalog export [FILE]`: everything on the menu, as `import` reads it. */
export const businessCatalogExport = defineCommand({
  words: 'business catalog export',
  summary: 'Export your whole menu to a file that import can read',
  description:
    'Writes all items with modifiers and private fields as CSV or JSON; without a file name, to standard output. Importing the file into an empty store creates the same menu with new IDs. Overwrites files that an earlier export wrote, but no other file.',
  danger: 'read',
  positionals: [
    {
      name: 'file',
      description: 'output file; - for standard output',
      fileAccess: 'write',
      dash: true,
    },
  ],
  flags: FLAGS,
  examples: [
    'dray business catalog export menu.csv',
    'dray business catalog export menu.json --format json',
    'dray business catalog export | cut -d, -f1-4',
  ],
  run: (cli, { file = '-', ...flags }) => exportMenu(cli, file, flags),
})

async function exportMenu(
  cli: CommandContext,
  path: string,
  flags: FlagValues<typeof FLAGS>,
): Promise<number> {
  const format = flags.format ?? (path.endsWith('.json') ? 'json' : 'csv')
  const file = { name: 'menu', isOurs: (start: string) => detectOwnFileKind(start) !== undefined }
  const place = { path, file, force: flags.force === true }
  if (path !== '-') assertOutputPath(place)
  const catalogue = await listStoreItems(await cli.client(), flags.merchant)
  const document = cli.settings.format !== 'table'
  if (path === '-') {
    const menu = format === 'json' ? serializeMenuJson(catalogue) : serializeMenuCsv(catalogue, 'stdout')
    if (!document)
      await cli.io.stdout.write(cli.io.stdout.isTTY ? sanitizeForTerminal(menu, { multiline: true }) : menu)
    else await printResult(cli, format === 'json' ? (JSON.parse(menu) as unknown) : { menu })
    return EXIT.ok
  }
  await writeOutputFile(
    place,
    cli.runtime.pid,
    format === 'json' ? serializeMenuJson(catalogue) : menuFile(catalogue),
  )
  const sections = new Set(catalogue.map(({ category }) => category.category_id)).size
  if (document) await printResult(cli, { file: path, format, items: catalogue.length, categories: sections })
  await cli.say(`Wrote ${formatItemCount(catalogue.length)} in ${formatCategoryCount(sections)} to ${path}.`)
  return EXIT.ok
}
