/** The table of endings is true: each command, page and tool of it exists, and every call that ends a mishap is in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsOperation, PAGE_NAMES, PAGES } from '../src/core/pages.ts'
import { COMMANDS } from '../src/generated/commands.ts'
import { TOOLS } from '../src/generated/tools.ts'
import { ROOT } from './support/sources.ts'

const ROWS = readFileSync(join(ROOT, 'docs/endings.md'), 'utf8')
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  .filter((cells) => cells.length === 7 && cells[3]?.startsWith('dray '))
  .map(([, mishap = '', , command = '', page = '', tool = '']) => ({ mishap, command, page, tool }))

test.each(ROWS)('$mishap: ended by $tool', ({ command, page, tool }) => {
  expect(Object.keys(COMMANDS)).toContain(command.slice('dray '.length))
  expect(TOOLS.map(({ name }) => name)).toContain(tool)
  const pages = PAGE_NAMES.filter((name) => callsOperation(name, tool)).map((name) => PAGES[name].title)
  expect([page]).toEqual(pages.length === 0 ? ['–'] : pages)
})

test('every tool that helps with an order is in it', () => {
  const helping = TOOLS.filter(({ toolset }) => toolset === 'order-help').map(({ name }) => name)
  expect(helping.filter((name) => !ROWS.some(({ tool }) => tool === name))).toEqual([])
})
