import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandLine, shellQuote } from '../../../src/cli/output/shell.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'

test.each([
  ['plain', 'plain'],
  ['--to-name', '--to-name'],
  ['a b', "'a b'"],
  ['', "''"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
  ['=ls', "'=ls'"],
  ['~', "'~'"],
  ['a\nb', String.raw`$'a\nb'`],
  ['\x1b[2J', String.raw`$'\u001b[2J'`],
])('quotes %j as %s', (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted)
})

test('quotes every word losslessly for a shell, without characters that a terminal acts on', () => {
  const words = [
    ...HOSTILE,
    '`id`',
    '$(id)',
    '!!',
    'a"b',
    '\\',
    "'",
    '*',
    '#x',
    'é £',
    ';',
    '&&',
    '\\n',
  ].filter(
    // No shell can pass a NUL or half a surrogate pair.
    (word) => !word.includes('\0') && word.isWellFormed(),
  )
  for (const word of words) expect(shellQuote(word)).not.toMatch(FORBIDDEN)
  const script = `printf '%s\\0' ${words.map((word) => shellQuote(word)).join(' ')}`
  const output = execFileSync('bash', ['--norc', '-c', script], {
    env: { LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  expect(output.split('\0').slice(0, -1)).toEqual(words)
})

test('leaves secrets out of a command that is shown', () => {
  expect(
    commandLine([
      'dray',
      'login',
      '--payment-token',
      'tok_1',
      '--password=x',
      '--token-file',
      'a b',
      '--token-stdin',
    ]),
  ).toBe("dray login --payment-token *** --password=*** --token-file 'a b' --token-stdin")
})

test.each([
  ['postgres://dray:s3cr3t@db.example/dray', "'postgres://dray:***@db.example/dray'"],
  ['--store=postgres://dray:s3:cr@3t@db/dray', "'--store=postgres://dray:***@db/dray'"],
  ['postgres://dray@db/dray', 'postgres://dray@db/dray'],
  ['https://api.example.com:8080/v1', 'https://api.example.com:8080/v1'],
])('shows %s without its password', (word, shown) => {
  expect(commandLine(['dray', word])).toBe(`dray ${shown}`)
})
