import { expect, test } from 'vitest'
import { readTyped } from '../../../../src/commands/business/orders/typed.ts'

test('a line accepts an order, with the minutes that it takes', () => {
  expect(readTyped('accept 7K2M 20')).toEqual({
    verb: 'accept',
    number: '7k2m',
    body: { prep_time_minutes: 20 },
  })
})

test('a line rejects an order, and its reason may have spaces', () => {
  expect(readTyped(' reject 7K2M item unavailable ')).toEqual({
    verb: 'reject',
    number: '7k2m',
    body: { reason_code: 'item_unavailable' },
  })
})

test.each([
  ['dance 7K2M', 'Unknown command "dance". Type help to list the commands.'],
  ['accept', 'Which order? accept NUMBER'],
  ['accept 7K2M 500', 'accept takes minutes from 1 to 180, not 500.'],
  ['ready 7K2M 5', 'ready takes the number only, not 5.'],
  [
    'reject 7K2M',
    'reject 7k2m needs a reason: item_unavailable, store_closed, too_busy, cannot_fulfil_note, price_error, other.',
  ],
])('the line %j is refused with what is wrong', (line, problem) => {
  expect(readTyped(line)).toEqual({ problem })
})

test('a line opens an order', () => {
  expect(readTyped('show 7K2M')).toEqual({ show: '7k2m' })
  expect(readTyped('show')).toEqual({ problem: 'Which order? show NUMBER' })
})

test.each([
  ['?', 'help'],
  ['q', 'quit'],
  ['new', 'new'],
])('the line %j is the word %s', (line, word) => {
  expect(readTyped(line)).toBe(word)
})
