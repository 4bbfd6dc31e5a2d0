import { expect, test } from 'vitest'
import { readMetricsAddress } from '../../../src/commands/serve/metrics.ts'

test.each([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['[0:0:0:0:0:0:0:1]:9464', { host: '::1', port: 9464 }],
  ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ['0.0.0.0:09464', { host: '0.0.0.0', port: 9464 }],
])('--metrics %s is an address and a port', (given, address) => {
  expect(readMetricsAddress(given)).toEqual(address)
})

test.each([
  '',
  '9464',
  ':9464',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '127.0.0.1:x',
  '::1:9464',
  '::1',
  'http://127.0.0.1:9464',
  '127.0.0.1:9464/metrics',
  '127.0.0.1:9464 ',
  'a b:9464',
  'user@host:9464',
  '*:9464',
])('--metrics %j is refused with what it must be', (given) => {
  expect(() => readMetricsAddress(given)).toThrow('--metrics must be an address and a port, such as')
})

test('without --metrics there is no such address', () => {
  expect(readMetricsAddress(undefined)).toBeUndefined()
})
