import { expect, test } from 'vitest'
import { bar, columnChart } from '../../../src/cli/output/chart.ts'

const plain = (text: string) => text

test('a bar is as long as its share, and only nothing has none', () => {
  expect([bar(10, 10, 8), bar(5, 10, 8), bar(1, 1000, 8), bar(0, 10, 8), bar(3, 0, 8)]).toEqual([
    '████████',
    '████',
    '▏',
    '',
    '',
  ])
})

test('a chart has its columns, its axis with names, and the time before below', () => {
  const columns = [2, 0, 8, 4].map((value, at) => ({ value, before: 8 - value, label: `${at + 9}` }))
  const lines = columnChart(columns, {
    width: 30,
    height: 2,
    top: '£8',
    foot: '0',
    beforeName: 'before',
    strong: plain,
    faint: plain,
  })
  expect(lines).toEqual([
    '    £8 ┤           ████',
    '       │ ▄▄▄▄      ████ ████',
    '     0 └────────────────────',
    '         9    10   11   12',
    'before   ▆▆▆▆ ████ ···· ▄▄▄▄',
  ])
})

test.each([24, 40, 80])('a chart of 62 days fits %i columns', (width) => {
  const columns = Array.from({ length: 62 }, (_, at) => ({ value: at, before: 0, label: `${at} Nov` }))
  const options = { width, height: 5, top: '£1,234.00', foot: '0', beforeName: 'last month' }
  const lines = columnChart(columns, { ...options, strong: plain, faint: plain })
  expect(lines.every((line) => line.length <= width)).toBe(true)
})
