/** The filters that the parcels page gives the list, and its names for what it shows. */
import { expect, test } from 'vitest'
import {
  canCancel,
  isNarrowed,
  labelsPath,
  NO_FILTERS,
  numberIn,
  spellCount,
  spellMoment,
  toSpan,
  toQuery,
} from '../../src/web/parcels/parcel.ts'

test('a search is a number, also a mistyped one, or a whole reference; the last day belongs to the span', () => {
  expect(numberIn(' zc 9680-43370 gb ')).toBe('ZC968043370GB')
  expect(numberIn('ZC968043371GB')).toBe('ZC968043371GB')
  expect(numberIn('A-1001')).toBeUndefined()
  expect(toQuery(NO_FILTERS, null)).toEqual({ limit: 25 })
  expect(
    toQuery({ status: 'lost', search: ' A-1001 ', from: '2026-11-20', to: '2026-11-30' }, 'next'),
  ).toEqual({
    limit: 25,
    status: ['lost'],
    reference: 'A-1001',
    created_from: '2026-11-20',
    created_to: '2026-12-01',
    cursor: 'next',
  })
  expect(toSpan({ from: '', to: '2026-11-30' })).toEqual({ created_to: '2026-12-01' })
  expect(spellCount({ count: 1000, more: true })).toBe('1,000+')
  expect([isNarrowed(NO_FILTERS), isNarrowed({ ...NO_FILTERS, search: ' ' })]).toEqual([false, false])
  expect(isNarrowed({ ...NO_FILTERS, from: '2026-11-20' })).toBe(true)
})

test('a parcel that is over cannot be cancelled, and its times are those of London', () => {
  expect(canCancel({ status: 'lost' })).toBe(true)
  expect(canCancel({ status: 'delivered' })).toBe(false)
  expect(spellMoment('2026-07-01T22:30:00.000Z')).toBe('Wed 1 Jul, 23:30')
  expect(
    labelsPath([{ tracking_number: 'A' }, { tracking_number: 'B' }], { format: 'pdf', size: 'a4' }),
  ).toBe('/pages/labels?parcels=A,B&format=pdf&size=a4')
})
