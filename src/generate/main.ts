/**
 * Generates everything that derives from the registry. Node 26 runs it directly: `node src/generate/main.ts` writes
 * all of it. With `--build` it writes only `src/generated/`, which is not committed. With `--check` it does that too,
 * and fails when a committed file differs from what it would write.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { PRESENTERS } from '../areas/presenters.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { LivingName } from '../generated/resources.ts'
import { listControls } from '../sandbox/control/index.ts'
import { committedFiles } from './committed.ts'
import { completionSource } from './completion-tree.ts'
import { controlExamplesSource } from './control-examples.ts'
import { countryNamesSource } from './country-names.ts'
import { examplesSource } from './examples.ts'
import { fieldsSource } from './fields.ts'
import { headerNamesSource, headerPartsSource, headerWordsSource } from './header-words.ts'
import { inHelpOrder } from './help-order.ts'
import { libraryTypesSource } from './library.ts'
import { newStoreSource } from './new-store.ts'
import { assertNamedByFile, listOperationFiles, operationListSource } from './operation-list.ts'
import { sandboxToolsSource, toolOutputsSource, toolsetsSource, toolsSource } from './tools.ts'
import {
  camelCase,
  commandsSource,
  registrySource,
  resourcesSource,
  routesSource,
  specOf,
  specSource,
  spendingSource,
} from './tree.ts'
import type { CommandEntry } from './tree.ts'
import { answerSource, validatorSource } from './validators.ts'
import { webSources } from './web.ts'

const root = join(import.meta.dirname, '../..')

/** The operations with rows of files as their bodies. */
const FILLED_BY_FILES = ['create_shipment', 'create_catalog_item']

const files = listOperationFiles(root)
const listed = { 'src/generated/operation-list.ts': operationListSource(files) }
write(listed)
const { OPERATIONS } = await import('../generated/operation-list.ts')
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
for (const [index, file] of files.entries()) assertNamedByFile(file, operations[index])
const controls = await listControls()
for (const { name } of controls)
  if (Object.hasOwn(OPERATIONS, name)) throw new Error(`an operation and a control call are called ${name}`)

const generated: Record<string, string> = {
  ...listed,
  'src/generated/registry.ts': registrySource(operations, controls),
  'src/generated/routes.ts': routesSource('ROUTES', operations),
  'src/generated/control-routes.ts': routesSource('CONTROL_ROUTES', controls),
  'src/generated/resources.ts': resourcesSource(),
  'src/generated/spending.ts': spendingSource(operations),
  'src/generated/tools.ts': toolsSource(operations),
  'src/generated/toolsets.ts': toolsetsSource(operations),
  'src/generated/sandbox-tools.ts': sandboxToolsSource(controls, operations),
  'src/generated/header-words.ts': headerWordsSource(),
  'src/generated/country-names.ts': countryNamesSource(),
  'src/generated/new-store.ts': newStoreSource(),
  'src/generated/tool-outputs.ts': toolOutputsSource(operations),
  'src/generated/calls.ts': libraryTypesSource(operations, controls),
  ...(await webSources(root)),
}
for (const operation of operations) {
  generated[`src/generated/operations/${operation.name}.ts`] =
    `${validatorSource(operation, '../../gateway/formats.ts')}\nexport { ${camelCase(operation.name)} as operation } from '../../areas/${operation.area}/${operation.name}.ts'\n`
}
for (const operation of [...operations, ...controls]) {
  generated[`src/generated/answers/${operation.name}_answer.ts`] = answerSource(
    operation,
    '../../gateway/formats.ts',
  )
}
for (const operation of operations.filter(({ name }) => FILLED_BY_FILES.includes(name)))
  generated[`src/generated/fields/${operation.name}.ts`] = fieldsSource(operation)
for (const operation of [...operations, ...controls]) {
  generated[`src/generated/specs/${operation.name}.ts`] = specSource(operation)
}
write(generated)
Object.assign(generated, await headerSources())
write(generated)
// Some commands import the command tree. Until all are read they get the previous one, or an empty one.
if (shapeOf(read('src/generated/commands.ts')) !== shapeOf(commandsSource([]))) {
  write({ 'src/generated/commands.ts': commandsSource([]), 'src/generated/root-help.ts': rootHelpSource('') })
}

const commands = await readCommands()
const { renderRootHelp } = await import('../cli/help.ts')
generated['src/generated/commands.ts'] = commandsSource(commands)
generated['src/generated/root-help.ts'] = rootHelpSource(renderRootHelp(commands.map(({ spec }) => spec)))
write(generated)
// Its texts come from commands, which need the tree.
const { apiCommand } = await import('../commands/api.command.ts')
const raw = await Promise.all(operations.map(({ name }) => apiCommand(name)))
generated['src/generated/completion.ts'] = completionSource([...commands.map(({ spec }) => spec), ...raw])
const { guideOf, guideSource } = await import('./guide.ts')
const guide = guideOf(operations)
generated['src/generated/guide.ts'] = guideSource(guide)
generated['src/generated/examples.ts'] = await examplesSource(operations)
generated['src/generated/control-examples.ts'] = await controlExamplesSource(operations, controls)
write(generated)
remove(orphans('src/generated', generated))

if (!process.argv.includes('--build')) {
  const files: Record<string, string> = {
    ...(await committedFiles(root, { operations, controls, commands })),
    'llms.txt': guide.llms,
    'skills/dray/SKILL.md': guide.skill,
  }
  const old = orphans('test/snapshots', files)
  if (process.argv.includes('--check')) {
    const wrong = [...Object.keys(files).filter((name) => read(name) !== files[name]), ...old]
    for (const name of wrong)
      console.error(`${name} is not up to date: run \`npm run generate\` and commit it`)
    process.exitCode = wrong.length > 0 ? 1 : 0
  } else {
    write(files)
    remove(old)
  }
}

/** Returns what the headers of files mean; reading them needs the words and the fields, which are generated before. */
async function headerSources(): Promise<Record<string, string>> {
  const { MANIFEST_FILE_COLUMNS: manifest } = await import('../tabular/manifest/columns.ts')
  const { MENU_FILE_COLUMNS: menu } = await import('../commands/business/menu/columns.ts')
  return {
    'src/generated/header-parts/manifest.ts': await headerPartsSource(manifest),
    'src/generated/header-parts/menu.ts': await headerPartsSource(menu),
    'src/generated/header-names.ts': await headerNamesSource({ manifest, menu }),
  }
}

/** Returns the commands of operations and of the files `*.command.ts` in `commands/`, in the order of help. */
async function readCommands(): Promise<CommandEntry[]> {
  const names = readdirSync(join(root, 'src/commands'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.command.ts'))
  const own = await Promise.all(names.toSorted().map(readCommand))
  const byHand = new Set(own.map(({ spec }) => spec.words))
  const declared = [...operations, ...controls].filter(({ cli }) => !byHand.has(cli.command))
  for (const [words, [first, second]] of Map.groupBy(declared, ({ cli }) => cli.command))
    if (second !== undefined)
      throw new Error(`${first?.name} and ${second.name} both declare the command ${words}`)
  const derived = declared.map((operation) => ({ spec: specOf(operation) }))
  const { makeTrackCommand, trackWords } = await import('../commands/track.ts')
  const tracks = (Object.keys(PRESENTERS) as LivingName[])
    .filter((kind) => !byHand.has(trackWords(kind) ?? ''))
    .flatMap((kind) =>
      trackWords(kind) === undefined ? [] : [{ spec: makeTrackCommand(kind), tracks: kind }],
    )
  return inHelpOrder([...derived, ...tracks, ...own], [...operations, ...controls])
}

/**
 * Returns the command of a file under `src/commands/`: the constant with the command's name.
 * `carrier/upload.command.ts` holds `carrier upload`, `login/whoami.command.ts` holds `whoami`.
 */
async function readCommand(file: string): Promise<CommandEntry> {
  const path = file.slice(0, -'.command.ts'.length)
  const stems = [path, path.slice(path.indexOf('/') + 1)].map((stem) => stem.replace('/', '-'))
  const module = (await import(join(root, 'src/commands', file))) as Record<string, CommandEntry['spec']>
  const spec = stems.map((stem) => module[camelCase(stem)]).find((found) => found !== undefined)
  if (spec === undefined || !stems.includes(spec.words.replaceAll(' ', '-')))
    throw new Error(`src/commands/${file} does not export the command of its name`)
  return { spec, file }
}

/** Returns the source of the command tree without its entries. */
function shapeOf(source: string | undefined): string | undefined {
  return source?.replaceAll(/^ {2}".*$|\n/gm, '')
}

function rootHelpSource(text: string): string {
  return `export const ROOT_HELP = ${JSON.stringify(text)}\n`
}

/** Returns the files in a folder that were not generated for it. */
function orphans(folder: string, made: Readonly<Record<string, string>>): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((name) => !Object.hasOwn(made, name))
}

function remove(names: readonly string[]): void {
  for (const name of names) rmSync(join(root, name))
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(root, name), 'utf8')
  } catch {
    return undefined
  }
}

/** Writes only files that differ, because another process may be reading them. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    if (read(name) === text) continue
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}
