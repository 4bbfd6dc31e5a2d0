/** The filters that the parcels page gives the list, and its names for what it shows. */
import { expect, test } from 'vitest'
import { isParcelCancellable } from '../../src/areas/carrier/states.ts'
import {
  isNarrowed,
  labelsPath,
  NO_FILTERS,
  numberIn,
  formatCount,
  formatMoment,
  toSpan,
  toQuery,
} from '../../src/web/parcels/parcel.ts'
import {
  describeColumns,
  labelFiles,
  meaningsOf,
  setColumnAnswer,
  setMeaningAnswer,
  wrongWord,
} from '../../src/web/parcels/upload/words.ts'

test('a search is a number, also a mistyped one, or words; the last day belongs to the span', () => {
  expect(numberIn(' zc 9680-43370 gb ')).toBe('ZC968043370GB')
  expect(numberIn('ZC968043371GB')).toBe('ZC968043371GB')
  expect(numberIn('A-1001')).toBeUndefined()
  expect(toQuery(NO_FILTERS, null)).toEqual({ limit: 25 })
  expect(
    toQuery({ status: 'lost', search: ' A-1001 ', from: '2026-11-20', to: '2026-11-30' }, 'next'),
  ).toEqual({
    limit: 25,
    status: ['lost'],
    created_from: '2026-11-20',
    created_to: '2026-12-01',
    cursor: 'next',
  })
  expect(toSpan({ from: '', to: '2026-11-30' })).toEqual({ created_to: '2026-12-01' })
  expect(formatCount({ count: 10_025, more: true })).toBe('10,000+')
  expect(formatCount({ count: 1147, more: false })).toBe('1,147')
  expect([isNarrowed(NO_FILTERS), isNarrowed({ ...NO_FILTERS, search: ' ' })]).toEqual([false, false])
  expect(isNarrowed({ ...NO_FILTERS, from: '2026-11-20' })).toBe(true)
})

test('a parcel that is over cannot be cancelled, and its times are those of London', () => {
  expect(isParcelCancellable({ status: 'lost' })).toBe(true)
  expect(isParcelCancellable({ status: 'delivered' })).toBe(false)
  expect(formatMoment('2026-07-01T22:30:00.000Z')).toBe('Wed 1 Jul, 23:30')
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
  expect(labelFiles(numbers.slice(0, 2)).map(({ name }) => name)).toEqual(['All 2 labels'])
  expect([labelFiles(['N1'])[0]?.name, labelFiles([])]).toEqual(['Label', []])
  expect(labelFiles(['N1'], 'Selected label').map(({ name }) => name)).toEqual(['Selected label'])
  expect(labelFiles(numbers, '1200 selected labels')).toEqual(files)
})

test('a column taken from another header leaves the other answers, and takes the place of its own', () => {
  const settled = [
    { flag: '--sheet', value: 'city=April' },
    { flag: '--default', value: 'city=London' },
    { flag: '--map', value: 'reference=Our number' },
  ]
  expect(setColumnAnswer(settled, 'city', 'Town')).toEqual([
    settled[0],
    settled[2],
    { flag: '--map', value: 'city=Town' },
  ])
  const street = { column: 'address_line1', header: 'Street + No', how: 'alias', sample: '' } as const
  expect(describeColumns({ read: [street], headers: ['Street', 'No', 'Note'] })).toBe(
    '1 column is read; 1 header is ignored.',
  )
})

test('a word stands for one value in its column, until it is said again or forgotten', () => {
  const settled = [
    { flag: '--map', value: 'reference=Our number' },
    { flag: '--map-value', value: 'service_level:N=economy' },
  ]
  const said = setMeaningAnswer(settled, { column: 'service_level', word: ' Y ', meaning: 'next_day' })
  expect(said).toEqual([...settled, { flag: '--map-value', value: 'service_level:Y=next_day' }])
  expect(setMeaningAnswer(said, { column: 'service_level', word: 'y', meaning: 'two_day' })).toEqual([
    ...settled,
    { flag: '--map-value', value: 'service_level:y=two_day' },
  ])
  expect(setMeaningAnswer(said, { column: 'service_level', word: 'N', meaning: '' })).toEqual([
    settled[0],
    { flag: '--map-value', value: 'service_level:Y=next_day' },
  ])
  expect(meaningsOf(said)).toEqual([
    { column: 'service_level', word: 'N', meaning: 'economy' },
    { column: 'service_level', word: 'Y', meaning: 'next_day' },
  ])
})

test('the first word of a column that was not understood is offered', () => {
  const fault = { row: 2, reference: 'A', text: 'It is not a service level.', suggestion: null }
  const faults = [
    { ...fault, column: 'PLZ', value: 'SE15' },
    { ...fault, column: 'Versandart', value: 'Y' },
  ]
  const read = [{ column: 'service_level', header: 'Versandart', how: 'alias', sample: 'Y' } as const]
  expect(wrongWord(faults, read, 'service_level')).toBe('Y')
  expect(wrongWord([], read, 'service_level')).toBe('')
})
