import * as Type from 'typebox'
import {
  balance,
  date,
  objectField,
  instant,
  describeField,
  money,
  component,
  nullable,
} from '../../core/schema.ts'
import { dayStatement, lateEntries } from './statement-schema.ts'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const businessDaySchema = component('BusinessDay', {
  number: Type.Integer({ meaning: 'Number of the document, from 1, without gaps', label: 'No.' }),
  merchant_id: Type.String({ meaning: 'Store' }),
  date: describeField('Business day', date, 'Day'),
  timezone: Type.String({ meaning: 'Time zone of the store (IANA)' }),
  day_starts: Type.String({ meaning: 'Local time at which business days begin' }),
  from: describeField('Start of the day', instant),
  to: describeField('End of the day, not included', instant),
  closed_at: describeField('Time of the close', instant, 'Closed'),
  closed_by: Type.String({ meaning: 'Account that closed the day' }),
  statement: describeField(
    'Payments and refunds that no earlier document counts, up to the end of the day',
    dayStatement,
  ),
  late: Type.Optional(
    describeField(
      'Entries of the statement that were made on the day before, after its close; absent in older documents',
      lateEntries,
    ),
  ),
  cash: objectField('Cash at the counter', {
    expected: describeField('Cash collected by the store', money, 'Cash'),
    counted: nullable('Counted cash; null if it was not counted', money),
    difference: nullable('Counted less expected cash; null if it was not counted', balance, 'Difference'),
  }),
  previous_hash: describeField('Hash of the document before; 64 zeros in the first', hash),
  hash: describeField('SHA-256, in hex, of the document without this member in its RFC 8785 form', hash),
})
