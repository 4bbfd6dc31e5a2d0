import type { Tx } from '../../src/core/db.ts'
import { cleanOldCodes, findStoredForms } from '../../src/db/old-codes.ts'
import { refoldNames } from '../../src/db/old-names.ts'

/** Statements about codes and names that were stored before they were cleaned. */
export const codeStatements: readonly (readonly [string, (tx: Tx) => Promise<unknown>])[] = [
  [
    'cleanOldCodes',
    async (tx) => {
      // As the migration lists them.
      await tx.insertMany(
        'old_codes',
        ['kind', 'owner_id', 'stored', 'code'],
        ['order 2\u200b', 'naïve'].map((stored) => ['parcel', 'agr_1', stored, stored]),
      )
      await cleanOldCodes(tx)
      return tx.all('select stored, code from old_codes')
    },
  ],
  [
    'refoldNames',
    async (tx) => {
      const asBefore = `update catalog_items set name_key = name_key || '\u200b'
        where item_id = (select min(item_id) from catalog_items)`
      await tx.run(asBefore)
      await refoldNames(tx)
      return tx.all('select name_key from catalog_items order by item_id')
    },
  ],
  ['findStoredForms', (tx) => findStoredForms(tx, 'parcel', 'agr_1', ['order 2', 'order 9'])],
]
