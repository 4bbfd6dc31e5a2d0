/** Evidence as files: the pictures, and the `SHA256SUMS` that `sha256sum -c` reads. Nothing is written outside of the folder. */
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvidenceItem } from '../../domain/evidence.ts'
import { sha256Hex } from '../../domain/hash.ts'
import { AppError } from '../../errors.ts'
import { readFile } from '../files/read.ts'
import { fileReason } from '../files/reason.ts'
import { commandLine } from '../output/shell.ts'
import type { Fetched } from './media.ts'

const SUMS = 'SHA256SUMS'

/** By content type; anything else is only bytes. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/heic': 'heic',
}

/** What has a picture, and what of it names the file. */
export type Pictured = Pick<EvidenceItem, 'requirement_id' | 'evidence_id' | 'media'>

export type SaveOptions = { force: boolean; pid: number }

export type Saved = {
  folder: string
  /** By evidence id, the name of its file. */
  files: Map<string, string>
  /** How many were written; the others were there already, the same. */
  written: number
}

type File = { name: string; bytes: Uint8Array }

/**
 * Writes what was fetched, and the hashes that the service states: what does not have its hash is not written. Files that are there are left alone when they are the
 * same, and else refused, all at once and before anything is written, unless `force` says otherwise.
 * Throws AppError('file_error' | 'invalid_response').
 */
export function saveEvidence(
  folder: string,
  items: readonly Pictured[],
  fetched: Fetched,
  { force, pid }: SaveOptions,
): Saved {
  const shown = items.flatMap((item, index) => {
    const bytes = item.media === null ? undefined : fetched.get(item.media.media_id)
    return item.media === null || bytes === undefined
      ? []
      : [{ id: item.evidence_id, sha256: item.media.sha256, name: nameOf(item, index), bytes }]
  })
  const bad = shown.find(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))
  if (bad !== undefined)
    throw new AppError('invalid_response', `${bad.id.slice(0, 60)} has a hash that is no SHA-256.`)
  const forged = shown.find(({ sha256, bytes }) => sha256Hex(bytes) !== sha256)
  if (forged !== undefined)
    throw new AppError(
      'invalid_response',
      `The picture of ${forged.id.slice(0, 60)} is not the one that its hash tells of; nothing was saved.`,
      { hint: 'With --verify and without --save everything that does not fit is listed.' },
    )
  const sums = shown.map(({ sha256, name }) => `${sha256}  ${name}\n`)
  try {
    mkdirSync(folder, { recursive: true })
    const names = new Set(shown.map(({ name }) => name))
    const lines = [...otherSums(folder, names), ...sums].join('')
    const files: File[] = [...shown, { name: SUMS, bytes: new TextEncoder().encode(lines) }]
    const news = files.filter((file) => !isThere(folder, file))
    if (!force) assertFree(folder, news)
    for (const file of news) replace(folder, file, pid)
    return { folder, files: new Map(shown.map(({ id, name }) => [id, name])), written: news.length }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `The evidence cannot be written to ${folder}: ${fileReason(error)}.`, {
      cause: error,
    })
  }
}

/** Says where the pictures are, how to check them, and the path of each, to open it with. */
export function savedText({ folder, files, written }: Saved): string {
  const count = `${files.size} ${files.size === 1 ? 'picture' : 'pictures'}`
  const paths = [...files.values()].map((name) => `  ${join(folder, name)}`)
  if (written === 0)
    return [`${folder} has ${files.size === 1 ? 'the picture' : `all ${count}`} already:`, ...paths].join(
      '\n',
    )
  const check = `\`${commandLine(['cd', folder])} && sha256sum -c ${SUMS}\` checks them.`
  return [`${count} and ${SUMS} are in ${folder}: ${check}`, ...paths].join('\n')
}

/** `01-shelf_photos-evd_….png`: no name from elsewhere leads out of the folder or looks like a flag. */
function nameOf({ requirement_id, evidence_id, media }: Pictured, index: number): string {
  const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)
  const type = media?.content_type ?? ''
  const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : 'bin'
  return `${String(index + 1).padStart(2, '0')}-${safe(requirement_id)}-${safe(evidence_id)}.${ending}`
}

/** True for the same content. Throws for what is no file: a link would lead elsewhere. */
function isThere(folder: string, { name, bytes }: File): boolean {
  const path = join(folder, name)
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there === undefined) return false
  if (!there.isFile()) throw new AppError('file_error', `${path} is no file; it is left as it is.`)
  return there.size === bytes.length && Buffer.compare(readFileSync(path), bytes) === 0
}

function assertFree(folder: string, files: readonly File[]): void {
  const taken = files.filter(({ name, bytes }) => {
    const path = join(folder, name)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false
    if (name !== SUMS) return true
    const before = new TextDecoder().decode(readFile(path, 'list of checksums'))
    return !isContinued(before, new TextDecoder().decode(bytes))
  })
  if (taken.length === 0) return
  const names = taken.map(({ name }) => name).join(', ')
  throw new AppError(
    'file_error',
    `${folder} has other files of these names: ${names}. Nothing was written.`,
    {
      hint: 'Name another folder, or overwrite them with --force.',
    },
  )
}

/** What the list of checksums in a folder says of other files, so that the proofs of several things share the folder. */
function otherSums(folder: string, names: ReadonlySet<string>): string[] {
  const path = join(folder, SUMS)
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return []
  const lines = new TextDecoder().decode(readFile(path, 'list of checksums')).split('\n')
  return lines.flatMap((line) => {
    const [, name] = /^[0-9a-f]{64} {2}(.+)$/.exec(line) ?? []
    return name === undefined || names.has(name) ? [] : [`${line}\n`]
  })
}

/** Evidence grows: sums that only gain lines are still the same evidence. */
function isContinued(before: string, after: string): boolean {
  const lines = new Set(after.split('\n'))
  return before.split('\n').every((line) => lines.has(line))
}

/** Whole or not at all, and never through a link. */
function replace(folder: string, { name, bytes }: File, pid: number): void {
  const draft = join(folder, `.${name}.${pid}.part`)
  try {
    writeFileSync(draft, bytes, { flag: 'wx' })
    renameSync(draft, join(folder, name))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
