import { expect, test } from 'vitest'
import { readRouteEngine } from '../../src/cli/route-engine.ts'

test('takes the formula, or the address of a server', () => {
  expect(readRouteEngine('formula', '--route-engine')).toBeUndefined()
  expect(readRouteEngine('osrm=http://127.0.0.1:5000', '--route-engine')).toBe('http://127.0.0.1:5000')
  expect(readRouteEngine('osrm=https://maps.example.com/car/', '--route-engine')).toBe(
    'https://maps.example.com/car',
  )
})

test.each([
  '',
  'osrm',
  'osrm=',
  'osrm=localhost:5000',
  'osrm=file:///etc/passwd',
  'osrm=http://me:pw@127.0.0.1',
  'osrm=http://127.0.0.1/?key=1',
  'osrm=http://127.0.0.1/\n',
  'valhalla=http://127.0.0.1',
])('refuses %j, without repeating it', (text) => {
  const read = () => readRouteEngine(text, 'DRAY_ROUTE_ENGINE')
  expect(read).toThrow(/^DRAY_ROUTE_ENGINE must be formula, or osrm=/)
  expect(read).not.toThrow(/pw/)
})
