import { describe, expect, test } from 'vitest'
import { readSources, type SourceFile } from './support/sources.ts'

/** The exported names that may be declared by several files, each with its reason. This list may only shrink. */
const SHARED_NAMES: Readonly<Record<string, string>> = {}

/** Past participles that do not end in `ed`. */
const IRREGULAR =
  /^(?:Begun|Bought|Broken|Brought|Built|Caught|Chosen|Cut|Done|Drawn|Driven|Fallen|Felt|Forgotten|Found|Given|Gone|Grown|Heard|Held|Hidden|Kept|Known|Laid|Left|Lent|Lost|Made|Meant|Met|Paid|Ran|Risen|Said|Seen|Sent|Shown|Sold|Sought|Spent|Spoken|Split|Stood|Struck|Swept|Taken|Thought|Thrown|Told|Undone|Understood|Won|Worn|Written)$/

/** Nouns that end as participles do. */
const NOUNS =
  /^(?:Binding|Booking|Drawing|Embed|Feed|Heading|Keyring|Listing|Mapping|Need|Seed|Setting|Speed|Spending|String|Thing|Timing|Warning)$/

/** A function or type at the top of a file. */
type TopLevelName = { name: string; kind: 'function' | 'type'; isExported: boolean; file: string }

const KINDS: Readonly<Record<string, TopLevelName['kind']>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'type',
  TSTypeAliasDeclaration: 'type',
  TSInterfaceDeclaration: 'type',
}

function declaredIn({ file, program }: SourceFile): TopLevelName[] {
  return program.body.flatMap((statement) => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    const kind = declaration === null ? undefined : KINDS[declaration.type]
    const name =
      declaration !== null && 'id' in declaration && declaration.id !== null && 'name' in declaration.id
        ? declaration.id.name
        : undefined
    return kind === undefined || typeof name !== 'string' ? [] : [{ name, kind, isExported, file }]
  })
}

const declared = ['src', 'test', 'bench']
  .flatMap((folder) => [...readSources(folder), ...readSources(folder, '.tsx')])
  .flatMap(declaredIn)

/** Returns the exported names that several files declare, apart from those of the pages, which are bundled by themselves. */
function repeatedNames(among: readonly TopLevelName[]): string[] {
  const files = new Map<string, Set<string>>()
  for (const { name, isExported, file } of among)
    if (isExported && !file.startsWith('src/web/')) files.set(name, (files.get(name) ?? new Set()).add(file))
  return [...files].flatMap(([name, { size }]) => (size > 1 ? [name] : [])).toSorted()
}

/** Returns whether a name says only what was done with something, and not what the thing is. */
function isBareParticiple(name: string): boolean {
  return !NOUNS.test(name) && (/^[A-Z][a-z]+(?:ed|ing)$/.test(name) || IRREGULAR.test(name))
}

describe('the name of a function or type', () => {
  test('is declared once, if it is exported', () => {
    const repeated = repeatedNames(declared).filter((name) => !Object.hasOwn(SHARED_NAMES, name))
    expect(
      repeated.map((name) => [
        name,
        declared.flatMap((each) => (each.name === name && each.isExported ? each.file : [])),
      ]),
    ).toEqual([])
  })

  test('stands in the list of exceptions only while several files declare it', () => {
    expect(Object.keys(SHARED_NAMES)).toEqual(
      repeatedNames(declared).filter((name) => Object.hasOwn(SHARED_NAMES, name)),
    )
  })

  test('is no participle alone, if it is that of a type', () => {
    const bare = declared.filter(({ name, kind }) => kind === 'type' && isBareParticiple(name))
    expect(bare.map(({ name, file }) => `${file} ${name}`)).toEqual([])
  })

  test('would be seen if it were either', () => {
    const twice = (file: string): TopLevelName => ({ name: 'Parcel', kind: 'type', isExported: true, file })
    expect(repeatedNames([twice('src/a.ts'), twice('test/b.ts'), twice('src/web/c.ts')])).toEqual(['Parcel'])
    expect(['Found', 'Asked', 'Sending', 'FoundOrder', 'Seed'].filter(isBareParticiple)).toEqual([
      'Found',
      'Asked',
      'Sending',
    ])
  })

  test('was looked for in every folder', () => {
    expect(declared.length).toBeGreaterThan(5000)
  })
})
