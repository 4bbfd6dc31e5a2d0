/** The pages of `docs/rules/`: their rules, tables of states and examples, and the comments that cite them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { createContext, runInContext, runInNewContext } from 'node:vm'
import { parseSync } from 'oxc-parser'
import { ROOT } from './sources.ts'
import type { StateTable } from './state-tables.ts'

const FOLDER = 'docs/rules'
const CITATION = /docs\/[\w/-]+\.md(?:#[\w-]+)?/g

/** The names of the pages, without the list of them. */
export const RULE_PAGES: readonly string[] = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name !== 'README.md')
  .map((name) => basename(name, '.md'))

function readRules(page: string): string {
  return readFileSync(join(ROOT, FOLDER, `${page}.md`), 'utf8')
}

/** Returns the anchor of a heading, as GitHub makes it. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns every rule as `docs/rules/<page>.md#<anchor>`. */
export function listRules(): string[] {
  return RULE_PAGES.flatMap((page) =>
    [...readRules(page).matchAll(/^### (.+)$/gm)].map(
      ([, heading = '']) => `${FOLDER}/${page}.md#${toAnchor(heading)}`,
    ),
  )
}

/** Returns whether a path from the root names a page and, with `#`, one of its headings. */
export function isHeading(citation: string): boolean {
  const [path = '', anchor] = citation.split('#')
  if (!existsSync(join(ROOT, path))) return false
  const headings = readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.+)$/gm)
  return anchor === undefined || [...headings].some(([, heading = '']) => toAnchor(heading) === anchor)
}

/** Returns the links of README, CONTRIBUTING, llms.txt and `docs/` that lead nowhere, each after its page. */
export function listBrokenLinks(): string[] {
  const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name.replaceAll('\\', '/')))
  return ['README.md', 'CONTRIBUTING.md', 'llms.txt', ...guides].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|\/)([^)\s]+)\)/g)]
      .map(([, target = '']) => (target.startsWith('#') ? page : '') + target)
      .map((target) => (target.startsWith(page) ? target : posix.join(posix.dirname(page), target)))
      .filter((target) => !isHeading(target))
      .map((target) => `${page}: ${target}`),
  )
}

/** A source file of the project, its tests or benchmarks. */
type Source = { file: string; text: string }

/** Returns the source files whose comments may cite a page. */
export function readCitingSources(): Source[] {
  return ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/generated/'))
      .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') })),
  )
}

/** Returns every citation of a page of `docs/`, with the files that have it. */
export function listCitations(sources: readonly Source[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { file, text } of sources)
    for (const [citation] of text.matchAll(CITATION))
      found.set(citation, [...(found.get(citation) ?? []), file])
  return found
}

/** Texts that look like a rule's number and are none: paper, control characters, tracking numbers, the engine of Node. */
const NO_RULE = /^(?:A[4-6]|C[01]|S10|V8)$/
const SUSPECT = /\b[A-Z]\d{1,3}\b|[\w-]\.md\b/

/** Returns what comments and titles of tests cite that is not in the project: other documents, and rules by a letter and a number. */
export function listOutsideCitations({ file, text }: Source): string[] {
  if (!SUSPECT.test(text)) return []
  const comments = parseSync(file, text).comments.map(({ value }) => value)
  const titles = [...text.matchAll(/\b(?:describe|it|test)\(\s*['`]([^\n]*)/g)].map(([, title = '']) => title)
  return [...comments, ...titles].flatMap((words) => {
    const documents = words.match(/[\w/-]+\.md\b/g) ?? []
    const numbers = words.replaceAll(/`[^`]*`|<[^>]*>/g, '').match(/(?<![\w-])[A-Z]\d{1,3}\b/g) ?? []
    return [
      ...documents.filter((path) => !existsSync(join(ROOT, path))),
      ...numbers.filter((number) => !NO_RULE.test(number)),
    ].map((cited) => `${file}: ${cited}`)
  })
}

/** Returns the table with the columns `status` and `next` of a page; the status before the creation is ''. */
export function readStateTable(page: string): StateTable {
  const [, rows = ''] = /^\| status +\| next .*\n\|[ -|]+\n((?:\|.*\n)+)/m.exec(readRules(page)) ?? []
  const words = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
  return Object.fromEntries(
    rows
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|'))
      .map(([, status, next]) => [words(status)[0] ?? '', words(next)]),
  )
}

/** The code of an example up to a comment with its result. */
type Example = { code: string; result: string }

/** Returns the examples of a page. Each begins where the one before it ends, and declares what later ones use. */
export function listExamples(page: string): Example[] {
  const blocks = [...readRules(page).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    [...block.matchAll(/([^]*?) \/\/ (.*)\n/g)].map(([, code = '', result = '']) => ({
      code: code.trim(),
      result,
    })),
  )
}

/** Runs the examples of a page in order. Returns each with what it gives and what the page says, as JSON. */
export function runExamples(page: string, names: Readonly<Record<string, unknown>>) {
  const context = createContext({ ...names })
  return listExamples(page).map(({ code, result }) => ({
    code,
    gives: toJson(runInContext(code, context)),
    says: toJson(runInNewContext(`(${result})`)),
  }))
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined'
}
