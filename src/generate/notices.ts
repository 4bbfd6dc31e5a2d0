/** The licences of what the package brings along: other packages in `dist/` and in the pages, fonts, and data. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Package = { name: string; version: string; license: string; texts: string }

const TEXTS = /^(?:licen[cs]e|copying|ofl|notice)(?:[.-].*)?$/i

/** Data that came from others, with the words that its licence asks for. */
const DATA = `Bank holidays of England and Wales
  From https://www.gov.uk/bank-holidays.
  Contains public sector information licensed under the Open Government Licence v3.0
  (https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/).`

/** Returns the folders of the packages that modules are of, by the modules' paths, sorted. */
export function packagesOf(modules: Iterable<string>): string[] {
  const folders = [...modules].flatMap(
    (id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? [],
  )
  return [...new Set(folders)].toSorted()
}

/**
 * Returns the notice file for these folders of packages, and for the font that is installed with it, whose parts stand in labels. Throws with the
 * names of packages without a licence text.
 */
export function noticesOf(root: string, folders: Iterable<string>): string {
  const fonts = globSync('node_modules/@fontsource-variable/noto-sans', { cwd: root }).map((path) =>
    join(root, path),
  )
  const packages = [...new Set([...folders, ...fonts])].map(readPackage)
  const lacking = packages
    .filter(({ texts }) => texts === '')
    .map(({ name, version }) => `${name}@${version}`)
  if (lacking.length > 0)
    throw new Error(`These bundled packages have no licence text: ${lacking.join(', ')}.`)
  const sorted = packages.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  // Most differ in nothing but whose work it is.
  const parts = [...Map.groupBy(sorted, ({ texts }) => withoutOwners(texts).replaceAll(/\s+/g, ' '))].map(
    ([, same]) => `${same.map(renderOwners).join('\n')}\n\n${withoutOwners(same[0]?.texts ?? '')}`,
  )
  const line = '='.repeat(80)
  return `dray contains other people's work under these licences. The packages that it depends on are installed beside
it, with their sources.\n\n${[DATA, ...parts].join(`\n\n${line}\n\n`)}\n`
}

/** A line that names the author: `Copyright (c) 2011-2026 Mark Warren`. */
const OWNER = /^[ \t]*copyright (?:\(c\)|©|\d).*$/gim

function withoutOwners(texts: string): string {
  return texts
    .replaceAll(OWNER, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function renderOwners({ name, version, license, texts }: Package): string {
  const owners = texts.match(OWNER) ?? []
  return [`${name} ${version} (${license})`, ...owners.map((owner) => `  ${owner.trim()}`)].join('\n')
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  const texts = readdirSync(folder)
    .filter((file) => TEXTS.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
  return { name, version, license, texts: texts.join('\n\n') }
}
