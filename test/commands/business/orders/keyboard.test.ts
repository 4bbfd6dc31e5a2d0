import { expect, test } from 'vitest'
import { keysOf } from '../../../../src/commands/business/orders/keyboard.ts'

test('several keys in one chunk of input are read as single keys', () => {
  expect(keysOf('a\x1b[Bp\x1bOA\r')).toEqual(['a', 'down', 'p', 'up', 'enter'])
})

test('Escape alone is a key; unknown sequences are not its letters', () => {
  expect(keysOf('\x1b')).toEqual(['escape'])
  expect(keysOf('\x1b[1;5C')).toEqual(['\x1b[1;5C'])
})

test('Ctrl-C and Ctrl-D have names', () => {
  expect(keysOf('\x03\x04')).toEqual(['ctrl-c', 'ctrl-d'])
})
