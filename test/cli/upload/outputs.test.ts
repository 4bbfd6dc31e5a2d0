import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkOutputs } from '../../../src/cli/upload/outputs.ts'
import { planOutputs } from '../../../src/tabular/import/outputs.ts'
import { catchError } from '../../support/caught.ts'

const OURS = 'reference,row,result,tracking_number,price,reason\r\nA-1,1,created,ZC968043370GB,5.45,\r\n'

let folder = ''
let results = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dray-outputs-'))
  results = join(folder, 'm.results.csv')
})

afterEach(() => rmSync(folder, { recursive: true }))

const check = () => checkOutputs(planOutputs(join(folder, 'm.csv'), undefined), false)

describe('the names of the files', () => {
  test.each([
    ['m.csv', 'm.results.csv', 'm.errors.csv'],
    ['m.errors.csv', 'm.results-2.csv', 'm.errors-2.csv'],
    ['m.errors-2.csv', 'm.results-3.csv', 'm.errors-3.csv'],
    ['m.results.csv', 'm.results-2.csv', 'm.errors-2.csv'],
    ['2026/m.11.errors.csv', '2026/m.11.results-2.csv', '2026/m.11.errors-2.csv'],
    ['errors.csv', 'errors.results.csv', 'errors.errors.csv'],
    ['-', 'manifest.results.csv', 'manifest.errors.csv'],
  ])('of %s are %s and %s', (file, results_, errors) => {
    expect(planOutputs(file, undefined)).toEqual({ results: results_, errors })
  })

  test.each([
    ['m.csv', 'out.csv', 'out.errors.csv'],
    ['m.csv', 'out.results.csv', 'out.errors.csv'],
    ['m.csv', 'out.errors.csv', 'out.errors-2.csv'],
    ['out.errors.csv', 'out.results.csv', 'out.errors-2.csv'],
    ['out.errors.csv', './out.results-2.csv', 'out.errors-2.csv'],
  ])('of %s with --results %s: the errors are in %s, never in a file that is read', (file, flag, errors) => {
    expect(planOutputs(file, flag)).toEqual({ results: flag, errors })
  })

  test('have the name of the sheet, where a workbook has several', () => {
    expect(planOutputs('orders.xlsx', undefined, { sheet: 'Late Friday' })).toEqual({
      results: 'orders.Late Friday.results.csv',
      errors: 'orders.Late Friday.errors.csv',
    })
    expect(planOutputs('orders.Late Friday.errors.csv', undefined).results).toBe(
      'orders.Late Friday.results-2.csv',
    )
    expect(planOutputs('orders.xlsx', undefined, { sheet: 'a|b' }).results).toBe('orders.a%7Cb.results.csv')
  })

  test('a menu in JSON keeps its kind', () => {
    expect(planOutputs('menu.errors.json', undefined, { errors: 'json' })).toEqual({
      results: 'menu.results-2.csv',
      errors: 'menu.errors-2.json',
    })
  })

  test('the file that is read is no place for the results', () => {
    expect(catchError(() => planOutputs('m.results.csv', './m.results.csv')).message).toBe(
      '--results ./m.results.csv is the file that is read; name another one.',
    )
  })
})

describe('before anything is sent', () => {
  test('a file of ours may be overwritten, however long it is', () => {
    writeFileSync(results, OURS + 'A-2,2,created,ZC733475547GB,5.45,\r\n'.repeat(700_000))
    expect(check).not.toThrow()
  })

  test("somebody else's file is left as it is", () => {
    writeFileSync(results, 'my,own\n1,2\n')
    expect(catchError(check).message).toBe(
      `${results} exists and was not written by dray; it was not changed.`,
    )
    expect(readFileSync(results, 'utf8')).toBe('my,own\n1,2\n')
  })

  test('a folder is no place for them', () => {
    mkdirSync(results)
    expect(catchError(check).message).toContain('is not a file')
  })

  test.skipIf(process.platform === 'win32')('a pipe is not waited on', () => {
    execFileSync('mkfifo', [results])
    expect(catchError(check).message).toContain('is not a file')
  })

  test.skipIf(process.platform === 'win32')('a device is not read', () => {
    symlinkSync('/dev/zero', results)
    expect(catchError(check).message).toContain('is not a file')
  })

  test('a folder that is not there is named', () => {
    const outputs = planOutputs('m.csv', join(folder, 'gone', 'r.csv'))
    expect(catchError(() => checkOutputs(outputs, false)).message).toContain('there is no such folder')
  })

  test('an empty name is refused', () => {
    expect(catchError(() => planOutputs('m.csv', '')).code).toBe('usage')
  })
})
