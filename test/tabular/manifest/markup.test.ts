/** Markup and placeholders as names and addresses. */
import { expect, test } from 'vitest'
import { describePlaceholder, hasTags, withoutTags } from '../../../src/core/markup.ts'
import { GOOD_ROW, makeCsv } from '../../support/manifests.ts'
import { readParcels } from '../../support/read-parcels.ts'

test('json-address.csv: tags are decoded, and said; JSON and placeholders are refused', async () => {
  const { rows, said } = await readParcels('json-address.csv')
  expect(rows).toEqual([
    '2 Shipping Address: It is JSON, and not a text; write the text alone.',
    '3 Otis Bell / 101 Rye Lane, Peckham / London / SE15 4ST',
    '4 Otis Bell / 101 Rye Lane / London / SE15 4ST',
    '5 Name: A program did not fill in this placeholder; write the value.',
    '6 Name: A program did not fill in this placeholder; write the value.',
    '7 Otis Bell / 101 Rye Lane, Peckham / London / SE15 4ST',
  ])
  expect(said).toContainEqual(
    expect.stringContaining(
      'HTML tags are removed: row 3 “101 Rye Lane<br/>Peckham” is “101 Rye Lane, Peckham”',
    ),
  )
})

test.each([
  '{{customer.name}}',
  'Dear {{ name }}',
  '${name}',
  '%recipient%',
  '<%= order.name %>',
  '{name}',
  '{% name %}',
  '[customer_name]',
  '«Name»',
  '<<Name>>',
  '__NAME__',
  '{"address1":"7 Weaver Row"}',
  '["7 Weaver Row","Flat 3"]',
  '[Name]',
  '[FIRSTNAME]',
  '[[name]]',
  '[first_name] [last_name]',
  '##NAME##',
  '*|FNAME|*',
  '{$customer}',
  '$customer_name$',
  '@@name@@',
  '%%NAME%%',
  "['101 Rye Lane','Peckham']",
  'a:1:{s:4:"name";s:3:"Bob";}',
  'address1=7 Weaver Row&address2=Flat 3',
])('%s is no text', (text) => {
  expect(describePlaceholder(text)).toBeDefined()
})

test.each([
  '100% wool, 50% silk',
  'Bell & Co [UK]',
  'Flat {3}',
  'I <3 tea',
  'A < B > C',
  'a_b_c',
  '50%_off%',
  '7 Weaver Row [rear]',
  'Unit #3 ## rear',
  'nora@example.com',
  'A=B',
  'Suite $5$',
  '[]',
  '[Vegan]',
])('%s is a text', (text) => {
  expect([describePlaceholder(text), hasTags(text)]).toEqual([undefined, false])
})

test('the end of a line as a program writes it parts the lines of a street, and text in CDATA is the text', async () => {
  const { rows } = await readParcels({
    text: makeCsv(
      { ...GOOD_ROW, address_line1: String.raw`101 Rye Lane\nPeckham` },
      { ...GOOD_ROW, reference: 'A2', address_line1: '<![CDATA[101 Rye Lane]]>' },
    ),
  })
  expect(rows).toEqual([
    '2 Amelia Hart / 101 Rye Lane, Peckham / London / E1 6EA',
    '3 Amelia Hart / 101 Rye Lane / London / E1 6EA',
  ])
})

test('tags that begin a line part the lines', () => {
  expect(withoutTags('<p>101 Rye Lane</p><p>Peckham</p>', ', ')).toBe('101 Rye Lane, Peckham')
  expect(withoutTags('101 <b>Rye</b> Lane,<br />Peckham', ', ')).toBe('101 Rye Lane, Peckham')
})
