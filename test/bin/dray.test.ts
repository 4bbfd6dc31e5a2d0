import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

const LAUNCHER = join(import.meta.dirname, '../../bin/dray.js')

const version = (redirection: string) =>
  spawnSync('sh', ['-c', `"$0" "$1" --version ${redirection}`, process.execPath, LAUNCHER], {
    encoding: 'utf8',
  })

describe.skipIf(process.platform === 'win32')('--version', () => {
  test('prints the version', () => {
    expect(version('')).toMatchObject({ status: 0, stdout: `${packageJson.version}\n`, stderr: '' })
  })

  test('ends quietly when nobody reads it', () => {
    expect(version('| true')).toMatchObject({ status: 0, stderr: '' })
  })

  test.skipIf(!existsSync('/dev/full'))('fails without a stack trace when it cannot be written', () => {
    expect(version('> /dev/full')).toMatchObject({ status: 1, stderr: '' })
  })
})
