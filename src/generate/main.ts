/**
 * Everything that derives from the registry. Run by Node 26 as it is: `node src/generate/main.ts [--check]`.
 * `src/generated/` is made anew at each build and not committed; the rest is committed, and `--check` fails when
 * it is not what would be written now.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { AnyOperation } from '../operation.ts'
import { OPERATIONS } from '../operations/index.ts'
import { committedFiles } from './committed.ts'
import { camelCase, commandsSource, registrySource, specOf, specSource } from './tree.ts'
import type { CommandEntry } from './tree.ts'
import { validatorSource } from './validators.ts'

const root = join(import.meta.dirname, '../..')

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))

const generated: Record<string, string> = { 'registry.ts': registrySource(operations) }
for (const operation of operations) {
  generated[`operations/${operation.name}.ts`] =
    `${validatorSource(operation, '../../gateway/formats.ts')}\nexport { ${camelCase(operation.name)} as operation } from '../../operations/${operation.area}/${operation.name}.ts'\n`
  generated[`specs/${operation.name}.ts`] = specSource(operation)
}
rmSync(join(root, 'src/generated'), { recursive: true, force: true })
write(Object.entries(generated).map(([name, text]) => [`src/generated/${name}`, text]))
// Written before the commands are read: some of them import the registry. Until then the tree is empty.
write([['src/generated/commands.ts', commandsSource([])]])
write([['src/generated/root-help.ts', `export const ROOT_HELP = ''\n`]])

const commands = await readCommands()
write([['src/generated/commands.ts', commandsSource(commands)]])

const { renderRootHelp } = await import('../cli/help.ts')
write([
  [
    'src/generated/root-help.ts',
    `export const ROOT_HELP = ${JSON.stringify(renderRootHelp(commands.map(({ spec }) => spec)))}\n`,
  ],
])

const files = await committedFiles(root, operations, commands)
const orphans = ['completions', 'test/snapshots'].flatMap(list).filter((name) => !Object.hasOwn(files, name))
if (process.argv.includes('--check')) {
  const stale = Object.keys(files).filter((name) => read(name) !== files[name])
  for (const name of [...stale, ...orphans])
    console.error(`${name} is not up to date: run \`npm run generate\` and commit it`)
  process.exitCode = stale.length + orphans.length > 0 ? 1 : 0
} else {
  write(Object.entries(files))
  for (const name of orphans) rmSync(join(root, name))
}

/** The operations' commands and the files of `cli/commands/`, in the order in which help lists them. */
async function readCommands(): Promise<CommandEntry[]> {
  const folder = join(root, 'src/cli/commands')
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'operation.ts')
  const own = await Promise.all(
    names.map(async (name) => {
      const stem = name.slice(0, -'.ts'.length)
      const module = (await import(join(folder, name))) as Record<string, CommandEntry['spec']>
      const spec = module[camelCase(stem)]
      if (spec === undefined) throw new Error(`src/cli/commands/${name} does not export ${camelCase(stem)}`)
      if (spec.words.replaceAll(' ', '-') !== stem)
        throw new Error(`src/cli/commands/${name} is the command "${spec.words}"`)
      return { spec, file: stem }
    }),
  )
  const derived = operations
    .filter(({ cli }) => cli.command !== undefined)
    .map((operation) => ({ spec: specOf(operation) }))
  const { compareCommands } = await import('../cli/groups.ts')
  return [...derived, ...own].toSorted((a, b) => compareCommands(a.spec.words, b.spec.words))
}

/** The files in a folder of which all are made here. */
function list(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(root, name), 'utf8')
  } catch {
    return undefined
  }
}

function write(entries: [string, string][]): void {
  for (const [name, text] of entries) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}
