import { expect, test } from 'vitest'
import { readEmail, readPhone } from '../../../src/tabular/manifest/contacts.ts'

const whole = (value: string) => ({ value, isDoubtful: false })
const part = (value: string) => ({ value, isDoubtful: true })
const NOTHING = { value: undefined, isDoubtful: false }
const LEFT_OUT = { value: undefined, isDoubtful: true }

const MOBILE = '+447700900123'

test.each([
  '07700 900123',
  '+44 (0)7700 900123',
  '0044 7700 900123',
  '7700900123',
  '447700900123',
  '(07700) 900123',
  '07700.900.123',
  'tel: 07700 900123',
  '+44 07700 900123',
  '07700 900123\u200e',
  '\u202a+44 7700 900123\u202c',
  '４４7700900123',
  '447700900123.0',
  '٠٧٧٠٠٩٠٠١٢٣',
])('the telephone number %j is read whole', (text) => {
  expect(readPhone(text, 'GB')).toEqual(whole(MOBILE))
})

test.each([
  '07700 900123 ext 12',
  '07700900123 x12',
  '07700900123x12',
  '+447700900123#12',
  '07700 900123 / 020 7946 0123',
  '07700900123;02079460123',
  '07700 900123 (mobile)',
  '07700 900123 call first',
  'Mobile 07700900123',
])('the first number of %j is read, and said', (text) => {
  expect(readPhone(text, 'GB')).toEqual(part(MOBILE))
})

test.each(['n/a', 'N.A.', '-', '--', '0', '00000000000', 'none', 'TBC', '?'])(
  'the telephone %j is a cell that somebody had to fill',
  (text) => {
    expect(readPhone(text, 'GB')).toEqual(NOTHING)
  },
)

test.each([
  '12',
  'call me',
  '+44',
  '01onal',
  '0800 1111',
  '07700 9OO123',
  '07700 9001234',
  '07700 90012',
  '+44 20 7946 012',
  '1-800-555-0199',
  '4.47701E+11',
  '0301234O567',
])('the telephone %j is left out, and said', (text) => {
  expect(readPhone(text, 'GB')).toEqual(LEFT_OUT)
})

test('no number is made from the digits around a letter, where short numbers are usual', () => {
  expect(readPhone('0301234O567', 'DE')).toEqual(LEFT_OUT)
})

test.each([
  ['a@b.example', whole('a@b.example')],
  ['mailto:a@b.example', whole('a@b.example')],
  ['a@b.exam\u200bple', whole('a@b.example')],
  ['Fern Holloway <fern@b.example>', part('fern@b.example')],
  ['a@b.example, c@d.example', part('a@b.example')],
  ['a@b.example; c@d.example', part('a@b.example')],
  ['a@b', LEFT_OUT],
  ['a@b..example', LEFT_OUT],
  ['see notes', LEFT_OUT],
  ['n/a', NOTHING],
  ['-', NOTHING],
])('the e-mail address %j is %o', (text, read) => {
  expect(readEmail(text, 254)).toEqual(read)
})
