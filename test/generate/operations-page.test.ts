import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getMembershipStatus } from '../../src/areas/account/get_membership_status.ts'
import { OPERATIONS_PAGE, replaceSections } from '../../src/generate/operations-page.ts'
import { COMMANDS } from '../../src/generated/commands.ts'

const PAGE = join(import.meta.dirname, '../..', OPERATIONS_PAGE)

test('the page of operations has every section that is generated', () => {
  const sections = readFileSync(PAGE, 'utf8').matchAll(/^<!-- generated:(.*) -->$/gm)
  expect(new Set([...sections].map(([, name]) => name))).toEqual(
    new Set(['beside', 'exit-codes', 'operations']),
  )
})

test('replaces a section and keeps the rest', () => {
  const page = 'before\n\n<!-- generated:operations -->\n\n| old |\n\n<!-- /generated -->\n\nafter\n'
  const made = replaceSections(page, [getMembershipStatus])
  expect(made).toContain('| `get_membership_status` | `GET /v1/me/membership` | `profile.read` |')
  expect(made).toMatch(
    /^before\n\n<!-- generated:operations -->\n\n\|[^]*\|\n\n<!-- \/generated -->\n\nafter\n$/,
  )
  expect(made).not.toContain('old')
  expect(replaceSections(made, [getMembershipStatus])).toBe(made)
})

test('each operation has an existing command', () => {
  const commands = [...readFileSync(PAGE, 'utf8').matchAll(/ `dray ([^`]+)` +\|/gm)].map(
    ([, words = '']) => words,
  )
  expect(commands.length).toBeGreaterThan(20)
  expect(commands.filter((words) => !Object.hasOwn(COMMANDS, words))).toEqual([])
})

test('rejects an unknown section', () => {
  expect(() => replaceSections('<!-- generated:tour -->\n\n<!-- /generated -->', [])).toThrow(
    'a section tour',
  )
})
