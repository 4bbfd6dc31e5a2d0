import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvidenceItem } from '../../../src/areas/tasks/rules/evidence.ts'
import { savedText, saveEvidence } from '../../../src/commands/proofs/save.ts'
import { sha256Hex } from '../../../src/core/hash.ts'

let base: string
let folder: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dray-save-'))
  folder = join(base, 'proof')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const bytesOf = (text: string) => new TextEncoder().encode(text)

function item(id: string, content: string, over: Record<string, unknown> = {}): EvidenceItem {
  return {
    evidence_id: id,
    requirement_id: 'photos',
    media: { media_id: `med_${id}`, content_type: 'image/png', sha256: sha256Hex(content), ...over },
  } as EvidenceItem
}

const fetchedOf = (contents: Record<string, string>) =>
  new Map(Object.entries(contents).map(([id, content]) => [`med_${id}`, bytesOf(content)]))

const save = (items: EvidenceItem[], contents: Record<string, string>, force = false) =>
  saveEvidence(folder, items, fetchedOf(contents), { force, pid: 1 })

/** Runs the command that a reader types in the folder. */
function checkSums(): string {
  const [tool = '', ...words] = 'sha256sum -c SHA256SUMS'.split(' ')
  return execFileSync(tool, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
}

test('writes the pictures and sums that sha256sum takes', async () => {
  const saved = await save([item('a', 'one'), item('b', 'two')], { a: 'one', b: 'two' })
  expect(saved.written).toBe(3)
  expect(readdirSync(folder).toSorted()).toEqual(['01-photos-a.png', '02-photos-b.png', 'SHA256SUMS'])
  expect(checkSums()).toBe('01-photos-a.png: OK\n02-photos-b.png: OK\n')
})

test('writes nothing when one picture is not what its hash tells of, not even by force', async () => {
  const items = [item('a', 'one'), item('b', 'two')]
  const forged = expect.objectContaining({ code: 'invalid_response', message: expect.stringContaining('b') })
  await expect(save(items, { a: 'one', b: 'forged' }, true)).rejects.toThrow(forged)
  expect(readdirSync(base)).toEqual([])
})

test('leaves alone what is there already, the same', async () => {
  await save([item('a', 'one')], { a: 'one' })
  expect((await save([item('a', 'one')], { a: 'one' })).written).toBe(0)
})

test('rejects a file that dray did not write, writes nothing then, and overwrites it only by force', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, '02-photos-b.png'), 'mine')
  const items = [item('a', 'one'), item('b', 'two')]
  await expect(save(items, { a: 'one', b: 'two' })).rejects.toMatchObject({
    message: `${join(folder, '02-photos-b.png')} exists and was not written by dray; it was not changed.`,
    hint: 'Name another folder, or overwrite it with --force.',
  })
  expect(readdirSync(folder)).toEqual(['02-photos-b.png'])
  await save(items, { a: 'one', b: 'two' }, true)
  expect(readFileSync(join(folder, '02-photos-b.png'), 'utf8')).toBe('two')
})

test('overwrites its own files without --force, and no picture that was changed since', async () => {
  await save([item('a', 'one')], { a: 'one' })
  expect((await save([item('a', 'new')], { a: 'new' })).written).toBe(2)
  expect(checkSums()).toBe('01-photos-a.png: OK\n')
  writeFileSync(join(folder, '01-photos-a.png'), 'retouched')
  await expect(save([item('a', 'new')], { a: 'new' })).rejects.toThrow('was not written by dray')
})

test('goes on with evidence that has grown', async () => {
  await save([item('a', 'one')], { a: 'one' })
  const saved = await save([item('a', 'one'), item('b', 'two')], { a: 'one', b: 'two' })
  expect(saved.written).toBe(2)
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n')).toHaveLength(3)
})

test('keeps the sums of other proofs in the same folder', async () => {
  await save([item('a', 'one')], { a: 'one' })
  await save([item('b', 'two')], { b: 'two' })
  expect(checkSums()).toBe('01-photos-a.png: OK\n01-photos-b.png: OK\n')
})

test('says the path of each picture', async () => {
  const saved = await save([item('a', 'one'), item('b', 'two')], { a: 'one', b: 'two' })
  expect(savedText(saved).split('\n').slice(1)).toEqual([
    `  ${join(folder, '01-photos-a.png')}`,
    `  ${join(folder, '02-photos-b.png')}`,
  ])
})

test('does not overwrite sums of something else', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'SHA256SUMS'), 'of mine\n')
  await expect(save([item('a', 'one')], { a: 'one' })).rejects.toThrow('SHA256SUMS')
})

test('writes nothing outside of the folder, whatever the names say', async () => {
  const hostile = {
    ...item('../../../etc/passwd', 'one', { media_id: 'med_a', content_type: '../x' }),
    requirement_id: '-rf /\n\u001b[2J',
  }
  const saved = await save([hostile], { a: 'one' })
  expect(saved.files.get('../../../etc/passwd')).toMatch(/^01-[\w-]+\.bin$/)
  expect(readdirSync(base)).toEqual(['proof'])
  expect(readdirSync(folder)).toHaveLength(2)
})

test('writes through no link, not even by force', async () => {
  mkdirSync(folder)
  const outside = join(base, 'outside')
  writeFileSync(outside, 'keep')
  symlinkSync(outside, join(folder, '01-photos-a.png'))
  await expect(save([item('a', 'one')], { a: 'one' }, true)).rejects.toThrow('is not a file')
  expect(readFileSync(outside, 'utf8')).toBe('keep')
})

test('rejects a hash that would write a line of its own', async () => {
  const bad = item('a', 'one', { sha256: `${'0'.repeat(64)}  x\n${'1'.repeat(64)}` })
  await expect(save([bad], { a: 'one' })).rejects.toThrow('has an invalid SHA-256 hash')
  expect(existsSync(folder)).toBe(false)
})

test('says why when the folder cannot be', async () => {
  writeFileSync(folder, 'a file')
  await expect(save([item('a', 'one')], { a: 'one' })).rejects.toThrow('cannot be written')
})
