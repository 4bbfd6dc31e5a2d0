import fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { assertOutputPath, type WriteTarget, writeOutputFile } from '../../../src/cli/files/write.ts'
import { catchError, catchRejection } from '../../support/caught.ts'
import { makeTempFolder } from '../../support/stores.ts'

let folder = ''

beforeEach(async () => {
  folder = await makeTempFolder()
})

const NOTES = { name: 'notes', isOurs: (start: string) => start.startsWith('OURS') }

const placeOf = (name: string, force = false): WriteTarget => ({
  path: join(folder, name),
  file: NOTES,
  force,
})

const read = (name: string): string => fs.readFileSync(join(folder, name), 'utf8')

describe('a file that a command writes', () => {
  test('is replaced when dray wrote it, and when it is empty', async () => {
    await writeOutputFile(placeOf('a'), 1, 'OURS 1')
    await writeOutputFile(placeOf('a'), 1, 'OURS 2')
    fs.writeFileSync(join(folder, 'b'), '')
    await writeOutputFile(placeOf('b'), 1, 'OURS 3')
    expect([read('a'), read('b')]).toEqual(['OURS 2', 'OURS 3'])
    expect(fs.readdirSync(folder).toSorted()).toEqual(['a', 'b'])
  })

  test('takes away what killed writes of it left an hour ago, and nothing else', async () => {
    const [left, young, others] = ['.a.7-123.part', '.a.8-123.part', ['.b.7-123.part', '.a.notes.part']]
    const before = Date.now() / 1000 - 2 * 3600
    for (const name of [left, young, ...others]) {
      fs.writeFileSync(join(folder, name), 'OURS, half')
      if (name !== young) fs.utimesSync(join(folder, name), before, before)
    }
    await writeOutputFile(placeOf('a'), 7, 'OURS')
    expect(fs.readdirSync(folder).toSorted()).toEqual([young, ...others, 'a'].toSorted())
  })

  test('is opened before anything is sent: rights alone let the administrator write where no file can be made', () => {
    expect(
      catchError(() => assertOutputPath({ path: '/proc/self/a', file: NOTES, force: false })).message,
    ).toMatch(/^The notes cannot be written to \/proc\/self\/a: /)
    assertOutputPath(placeOf('a'))
    expect(fs.readdirSync(folder)).toEqual([])
  })

  test('is refused when another program wrote it, unless --force is given', async () => {
    fs.writeFileSync(join(folder, 'a'), 'a letter')
    const refusal = await catchRejection(writeOutputFile(placeOf('a'), 1, 'OURS'))
    expect(refusal.message).toBe(
      `${join(folder, 'a')} exists and was not written by dray; it was not changed.`,
    )
    expect(refusal.hint).toBe('Choose another file, or overwrite it with --force.')
    expect(read('a')).toBe('a letter')
    await writeOutputFile(placeOf('a', true), 1, 'OURS')
    expect(read('a')).toBe('OURS')
  })

  test('is as it was when writing fails half-way', async () => {
    fs.writeFileSync(join(folder, 'a'), 'OURS 1')
    const broken = writeOutputFile(placeOf('a'), 1, async (keep) => {
      keep(Buffer.from('OURS 2'))
      throw new Error('the service is gone')
    })
    await expect(broken).rejects.toThrow('the service is gone')
    expect(read('a')).toBe('OURS 1')
    expect(fs.readdirSync(folder)).toEqual(['a'])
  })

  test('may have a name as long as the system lets it', async () => {
    const name = 'n'.repeat(255)
    await writeOutputFile(placeOf(name), 1, 'OURS')
    expect(read(name)).toBe('OURS')
    expect((await catchRejection(writeOutputFile(placeOf(`${name}n`), 1, 'OURS'))).message).toContain(
      'the name is too long',
    )
  })

  test.skipIf(process.platform === 'win32')('keeps its rights, and a link to it stays a link', async () => {
    fs.writeFileSync(join(folder, 'a'), 'OURS 1', { mode: 0o640 })
    fs.symlinkSync('a', join(folder, 'link'))
    await writeOutputFile(placeOf('link'), 1, 'OURS 2')
    expect(fs.lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
    expect(read('a')).toBe('OURS 2')
    expect(fs.statSync(join(folder, 'a')).mode & 0o777).toBe(0o640)
  })

  test.runIf(fs.existsSync('/dev/full'))(
    'may be a stream of the system, which is written as it is',
    async () => {
      await writeOutputFile({ ...placeOf(''), path: '/dev/null' }, 1, 'OURS')
      const full = await catchRejection(writeOutputFile({ ...placeOf(''), path: '/dev/full' }, 1, 'OURS'))
      expect(full.message).toBe('/dev/full cannot be written: the disk is full.')
      expect(full).toMatchObject({ code: 'output_failed', exitCode: 1 })
    },
  )

  test('may not be a folder', () => {
    expect(
      catchError(() => assertOutputPath({ ...placeOf(''), path: folder, force: true })).message,
    ).toContain('is not a file')
  })
})
