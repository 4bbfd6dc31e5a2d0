import { describe, expect, test } from 'vitest'
import { defineCommand } from '../../src/cli/define-command.ts'
import { parseArgs } from '../../src/cli/parse.ts'

const command = defineCommand({
  words: 'food order',
  summary: 'Order',
  flags: [
    { flag: 'way', kind: 'enum', choices: ['delivery', 'dine_in'], description: '' },
    {
      flag: 'service',
      field: 'services',
      kind: 'enum',
      choices: ['next_day', 'two-day'],
      repeat: true,
      description: '',
    },
  ],
  run: async () => 0,
})

describe('a word of a closed list', () => {
  test.each(['dine_in', 'dine-in', 'Dine in'])('is meant by %s', (typed) => {
    expect(parseArgs(command, ['--way', typed]).args['way']).toBe('dine_in')
  })

  test('may be given in several spellings', () => {
    expect(parseArgs(command, ['--service', 'Next-day,two_day']).args['service']).toEqual([
      'next_day',
      'two-day',
    ])
  })

  test('is not guessed', () => {
    expect(() => parseArgs(command, ['--way', 'dinein'])).toThrow('"dinein"')
  })
})

test('a flag that a command lacks is the one that is refused, whatever else was typed', () => {
  expect(() => parseArgs(command, ['--why', 'delivery', '--json'])).toThrow('--why')
  expect(() => parseArgs(command, ['--json', '--wait'])).toThrow('does not take --wait')
})

test('a number below 0 is a plain argument where a command takes one', () => {
  const counting = defineCommand({
    words: 'business catalog stock',
    summary: 'Count',
    positionals: [
      { name: 'item', description: '' },
      { name: 'count', signed: true, description: '' },
    ],
    run: async () => 0,
  })
  const { args, globals } = parseArgs(counting, ['Focaccia', '-2', '--json'])
  expect([args['item'], args['count'], globals.json]).toEqual(['Focaccia', '-2', true])
  expect(() => parseArgs(counting, ['Focaccia', '-x'])).toThrow('-x')
})
