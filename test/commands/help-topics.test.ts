import { describe, expect, test } from 'vitest'
import { reflow } from '../../src/cli/topic-lines.ts'
import { TOPICS } from '../../src/commands/help-topics.ts'
import { ERRORS, EXIT } from '../../src/core/errors.ts'

test.each(Object.entries(TOPICS))(
  '`dray help %s` fits a terminal of 84 columns and ends its last line',
  (_topic, text) => {
    const lines = text().split('\n')
    expect(lines.at(-1)).toBe('')
    expect(lines.filter((line) => line.length > 84)).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  },
)

describe('on a narrow terminal', () => {
  test.each(Object.entries(TOPICS))('`dray help %s` breaks its lines between words', (_topic, text) => {
    const words = (topic: string): string[] => topic.split(/\s+/)
    const narrow = reflow(text(), 60)
    expect(words(narrow)).toEqual(words(text()))
    // Commands are copied, so they keep their line.
    expect(narrow.split('\n').filter((line) => line.length > 60 && !line.startsWith('  $ '))).toEqual([])
    expect(reflow(text(), 84)).toBe(text())
  })

  test('the meaning of a name stays next to it, or begins below it', () => {
    const topic = 'NAMES\n  first            one two three four five\n                   six\n'
    expect(reflow(topic, 44)).toBe(
      'NAMES\n  first            one two three four five\n                   six\n',
    )
    expect(reflow(topic, 36)).toBe('NAMES\n  first\n      one two three four five six\n')
  })
})

test('the list has every exit code and every error code', () => {
  const text = TOPICS['exit-codes']?.() ?? ''
  for (const [name, code] of Object.entries(EXIT))
    expect(text).toMatch(new RegExp(`^ *${code}  ${name} `, 'm'))
  const words = new Set(text.split(/[\s,]+/))
  expect(Object.keys(ERRORS).filter((code) => !words.has(code))).toEqual([])
})

test('the list has every variable that is read', async () => {
  const fs = await import('node:fs')
  const source = ['environment.ts', '../runtime.ts']
    .map((file) => fs.readFileSync(new URL(`../../src/cli/${file}`, import.meta.url), 'utf8'))
    .join('')
  const read = new Set(source.match(/DRAY_[A-Z_]+/g))
  expect(read.size).toBeGreaterThan(10)
  expect([...read].filter((name) => !TOPICS['environment']?.().includes(name))).toEqual([])
})
