/** Saves evidence as files: pictures, and a `SHA256SUMS` for `sha256sum -c`. It writes nothing outside the folder. */
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EvidenceItem } from '../../areas/tasks/rules/evidence.ts'
import { readFile } from '../../cli/files/read.ts'
import { writeOutputFile } from '../../cli/files/write.ts'
import { assertOutputPath, type WriteTarget } from '../../cli/files/write.ts'
import { commandLine } from '../../cli/output/shell.ts'
import type { PictureBytes } from '../../cli/pictures/media.ts'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { makeFolders } from '../../core/folders.ts'
import { sha256Hex } from '../../core/hash.ts'

const SUMS = 'SHA256SUMS'

/** Extensions by content type; any other type gets `bin`. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/heic': 'heic',
}

/** A picture and the fields that name its file. */
export type EvidencePicture = Pick<EvidenceItem, 'requirement_id' | 'evidence_id' | 'media'>

export type SaveOptions = { force: boolean; pid: number }

export type SavedPictures = {
  folder: string
  /** The name of each file, by evidence id. */
  files: Map<string, string>
  /** The number of written files; the others existed with the same content. */
  written: number
}

type File = { name: string; bytes: Uint8Array }

/** The hash of each picture by its file name, from a list of checksums. */
type Sums = ReadonlyMap<string, string>

/**
 * Writes the fetched pictures and the service's hashes. When one hash differs, no file is written. A file with the same
 * content stays; any other file is rejected first, unless dray wrote it or `force` is set. Throws AppError('file_error'
 * | 'invalid_response').
 */
export async function saveEvidence(
  folder: string,
  items: readonly EvidencePicture[],
  fetched: PictureBytes,
  { force, pid }: SaveOptions,
): Promise<SavedPictures> {
  const shown = items.flatMap((item, index) => {
    const bytes = item.media === null ? undefined : fetched.get(item.media.media_id)
    return item.media === null || bytes === undefined
      ? []
      : [{ id: item.evidence_id, sha256: item.media.sha256, name: nameOf(item, index), bytes }]
  })
  const bad = shown.find(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))
  if (bad !== undefined)
    throw new AppError('invalid_response', `${bad.id.slice(0, 60)} has an invalid SHA-256 hash.`)
  const forged = shown.find(({ sha256, bytes }) => sha256Hex(bytes) !== sha256)
  if (forged !== undefined)
    throw new AppError(
      'invalid_response',
      `The picture of ${forged.id.slice(0, 60)} does not match its hash; nothing was saved.`,
      { hint: 'Use --verify without --save to list all mismatches.' },
    )
  const sums = shown.map(({ sha256, name }) => `${sha256}  ${name}\n`)
  const news = newFiles(folder, shown, sums)
  const places = news.map(({ name, bytes, before }) => ({
    bytes,
    place: toPictureTarget(folder, name, before, force),
  }))
  for (const { place } of places) assertOutputPath(place)
  for (const { place, bytes } of places) await writeOutputFile(place, pid, async (keep) => keep(bytes))
  return { folder, files: new Map(shown.map(({ id, name }) => [id, name])), written: news.length }
}

/** Creates the folder; returns the files that it does not have yet, and its list of checksums. */
function newFiles(
  folder: string,
  pictures: readonly File[],
  sums: readonly string[],
): (File & { before: Sums })[] {
  try {
    makeFolders(folder)
    const before = sumsIn(folder)
    const names = new Set(pictures.map(({ name }) => name))
    const others = [...before].flatMap(([name, sha256]) => (names.has(name) ? [] : [`${sha256}  ${name}\n`]))
    const list = new TextEncoder().encode([...others, ...sums].join(''))
    const files: File[] = [...pictures, { name: SUMS, bytes: list }]
    return files.filter((file) => !isThere(folder, file)).map((file) => ({ ...file, before }))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `The pictures cannot be written to ${folder}: ${fileReason(error)}.`, {
      cause: error,
    })
  }
}

/** Returns the folder, the command that checks the pictures, and the path of each. */
export function savedText({ folder, files, written }: SavedPictures): string {
  const count = `${files.size} ${files.size === 1 ? 'picture' : 'pictures'}`
  const paths = [...files.values()].map((name) => `  ${join(folder, name)}`)
  if (written === 0)
    return [`${folder} has ${files.size === 1 ? 'the picture' : `all ${count}`} already:`, ...paths].join(
      '\n',
    )
  const check = `\`${commandLine(['cd', folder])} && sha256sum -c ${SUMS}\` checks them.`
  return [`${count} and ${SUMS} are in ${folder}: ${check}`, ...paths].join('\n')
}

/** Returns `01-shelf_photos-evd_….png`. Names from a service cannot leave the folder or look like a flag. */
function nameOf({ requirement_id, evidence_id, media }: EvidencePicture, index: number): string {
  const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)
  const type = media?.content_type ?? ''
  const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : 'bin'
  return `${String(index + 1).padStart(2, '0')}-${safe(requirement_id)}-${safe(evidence_id)}.${ending}`
}

function isThere(folder: string, { name, bytes }: File): boolean {
  const path = join(folder, name)
  const there = lstatSync(path, { throwIfNoEntry: false })
  return there?.isFile() === true && there.size === bytes.length && readFileSync(path).equals(bytes)
}

/** Returns the target of a picture. Dray may replace a picture that still has the hash in the list of checksums. */
function toPictureTarget(folder: string, name: string, sums: Sums, force: boolean): WriteTarget {
  const path = join(folder, name)
  const file =
    name === SUMS
      ? { name: 'list of checksums', isOurs: isOurList }
      : { name: 'picture', isOurs: () => sums.get(name) === sha256Hex(readFileSync(path)) }
  return { path, file, force, elsewhere: 'Name another folder', noLinks: true }
}

/** A line of dray's own list: the hash of a picture that `nameOf` named. */
const OUR_LINE = /^([0-9a-f]{64}) {2}(\d{2,}-[\w-]+\.(?:png|jpg|webp|heic|bin))$/

/** Returns whether dray wrote the list; the last line may be incomplete. */
function isOurList(start: string): boolean {
  const lines = start.split('\n').slice(0, -1)
  return lines.length > 0 && lines.every((line) => OUR_LINE.test(line))
}

/** Returns the folder's list of checksums, which several resources share. */
function sumsIn(folder: string): Sums {
  const path = join(folder, SUMS)
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return new Map()
  const lines = new TextDecoder().decode(readFile(path, 'list of checksums')).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, sha256 = '', name] = OUR_LINE.exec(line) ?? []
      return name === undefined ? [] : [[name, sha256] as const]
    }),
  )
}
