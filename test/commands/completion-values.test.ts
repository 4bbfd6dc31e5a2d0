import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownValues } from '../../src/commands/completion/values.ts'
import { saveSeenIds } from '../../src/local-state/seen.ts'
import { makeHome } from '../support/home.ts'

/** Returns the values at the end of a line, with their names. */
function ask(home: ReturnType<typeof makeHome>, kind: string, ...line: string[]): string[] {
  return knownValues(kind, line, home).map((offer) => offer.filter((each) => each !== undefined).join('\t'))
}

const STORES = { data: [{ merchant_id: 'mer_1', name: 'Noodles\u{1B}[2J of\tLime Street', address: {} }] }

test('offers what was seen at a service to commands of the same service only, for its owner only to read', () => {
  using home = makeHome()
  const store = join(home.cwd, 'a.db')
  saveSeenIds(home, { service: store, account: 'everything' }, STORES)
  saveSeenIds(home, { service: 'https://dray.example', account: null }, { data: [{ merchant_id: 'mer_2' }] })
  expect(ask(home, 'merchant_id', 'food', 'menu', '--store', store, '')).toEqual([
    'mer_1\tNoodles\u{1B}[2J of\tLime Street',
  ])
  expect(ask(home, 'merchant_id', 'food', 'menu', '--base-url=https://dray.example', '')).toEqual(['mer_2'])
  expect(ask(home, 'merchant_id', 'food', 'menu', '')).toEqual([])
  expect(ask(home, 'merchant_id', 'food', 'menu', '--profile', 'nobody', '')).toEqual([])
  expect(statSync(join(home.paths.state, 'seen.ndjson')).mode & 0o777).toBe(0o600)
})

test('keeps no name of a person, no id that a shell would run, and a thing seen twice once', () => {
  using home = makeHome()
  const store = join(home.cwd, 'a.db')
  const parcel = { tracking_number: 'DR1', name: 'Grace Okoro', to: { name: 'Grace Okoro', phone: '+44' } }
  for (const _ of [1, 2])
    saveSeenIds(
      home,
      { service: store, account: 'shipper' },
      { data: [parcel, { order_id: '$(touch called)' }] },
    )
  const text = readFileSync(join(home.paths.state, 'seen.ndjson'), 'utf8')
  expect(text).not.toMatch(/Grace|\+44|touch/)
  expect(text.trim().split('\n')).toHaveLength(1)
})

test('offers orders by their numbers, with the day where a number repeats', () => {
  using home = makeHome()
  const store = join(home.cwd, 'a.db')
  const order = (order_id: string, display_number: string, created_at: string) => ({
    order_id,
    display_number,
    created_at,
    timezone: 'Europe/London',
  })
  const data = [
    order('ord_1', 'X7KH', '2026-11-20T23:30:00.000Z'),
    order('ord_2', '7K2M', '2026-06-20T23:30:00.000Z'),
    order('ord_3', 'X7KH', '2026-11-27T09:00:00.000Z'),
  ]
  saveSeenIds(home, { service: store, account: 'everything' }, { data })
  expect(ask(home, 'order', 'food', 'show', '--store', store, '').toSorted()).toEqual([
    '7K2M\t2026-06-21',
    'X7KH@2026-11-20\t2026-11-20',
    'X7KH@2026-11-27\t2026-11-27',
  ])
})

test('offers profiles, maps, places, and the accounts that a sandbox begins with', () => {
  using home = makeHome()
  home.writeConfig({
    profiles: { live: { base_url: 'https://dray.example' } },
    maps: { wms: { name: 'Recipient' } },
  })
  expect(ask(home, 'profile')).toEqual(['default', 'live'])
  expect(ask(home, 'map', 'carrier', 'upload', '')).toEqual(['wms'])
  expect(ask(home, 'place')).toContain('kings-cross')
  expect(ask(home, 'handle,shipper,owner', 'carrier', 'list', '--as', '')).toEqual(['shipper', 'owner'])
  expect(ask(home, 'handle,shipper,owner', '--profile', 'live', '--as', '')).toEqual([])
})
