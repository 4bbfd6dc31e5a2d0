import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkOutputs, planOutputs } from '../../../src/cli/upload/outputs.ts'
import { caught } from '../../support/caught.ts'

const OURS = 'reference,row,result,tracking_number,price,reason\r\nA-1,1,created,ZC968043370GB,5.45,\r\n'

let folder = ''
let results = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dray-outputs-'))
  results = join(folder, 'm.results.csv')
})

afterEach(() => rmSync(folder, { recursive: true }))

const check = () => checkOutputs(planOutputs(join(folder, 'm.csv'), undefined), false)

describe('before anything is sent', () => {
  test('a file of ours may be overwritten, however long it is', () => {
    writeFileSync(results, OURS + 'A-2,2,created,ZC733475547GB,5.45,\r\n'.repeat(700_000))
    expect(check).not.toThrow()
  })

  test("somebody else's file is left as it is", () => {
    writeFileSync(results, 'my,own\n1,2\n')
    expect(caught(check).message).toBe(`${results} exists and was not written by dray; it is left as it is.`)
    expect(readFileSync(results, 'utf8')).toBe('my,own\n1,2\n')
  })

  test('a folder is no place for them', () => {
    mkdirSync(results)
    expect(caught(check).message).toContain('is not a file')
  })

  test.skipIf(process.platform === 'win32')('a pipe is not waited on', () => {
    execFileSync('mkfifo', [results])
    expect(caught(check).message).toContain('is not a file')
  })

  test.skipIf(process.platform === 'win32')('a device is not read', () => {
    symlinkSync('/dev/zero', results)
    expect(caught(check).message).toContain('is not a file')
  })

  test('a folder that is not there is named', () => {
    const outputs = planOutputs('m.csv', join(folder, 'gone', 'r.csv'))
    expect(caught(() => checkOutputs(outputs, false)).message).toContain('there is no such folder')
  })

  test('an empty name is refused', () => {
    expect(caught(() => planOutputs('m.csv', '')).code).toBe('usage')
  })
})
