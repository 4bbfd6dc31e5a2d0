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
import { describeColumns, labelFiles, settleColumn } from '../../src/web/parcels/upload/words.ts'

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

test('the labels of more than 500 parcels are several files, and no parcel is in none of them', () => {
  const numbers = Array.from({ length: 1001 }, (_, at) => `N${at}`)
  const files = labelFiles(numbers)
  expect(files.map(({ name }) => name)).toEqual([
    'Labels 1 to 500',
    'Labels 501 to 1000',
    'Labels 1001 to 1001',
  ])
  expect(files.flatMap((file) => file.numbers)).toEqual(numbers)
  expect(labelFiles(numbers.slice(0, 2)).map(({ name }) => name)).toEqual(['The labels of all 2'])
  expect([labelFiles(['N1'])[0]?.name, labelFiles([])]).toEqual(['Its label', []])
})

test('a column taken from another header leaves the other answers, and takes the place of its own', () => {
  const settled = [
    { flag: '--sheet', value: 'city=April' },
    { flag: '--default', value: 'city=London' },
    { flag: '--map', value: 'reference=Our number' },
  ]
  expect(settleColumn(settled, 'city', 'Town')).toEqual([
    settled[0],
    settled[2],
    { flag: '--map', value: 'city=Town' },
  ])
  const street = { column: 'address_line1', header: 'Street + No', how: 'alias', sample: '' } as const
  expect(describeColumns({ read: [street], headers: ['Street', 'No', 'Note'] })).toBe(
    '1 column is read; 1 header is not.',
  )
})
