/** Every statement about the versions of items, for the test that runs all of them on both engines. */
import * as versions from '../../src/areas/catalog/queries/versions.ts'
import type { Tx } from '../../src/core/db.ts'

const NOW = 1_790_000_000_000

const makeVersion = (version: number): versions.ItemVersionRecord => ({
  item_id: 'itm_7',
  merchant_id: 'mer_1',
  version,
  at: NOW,
  seq: version,
  account: 'owner',
  via: 'agent',
  import_id: 'imp_1',
  what: version === 1 ? 'created' : 'updated',
  replaced: version === 1 ? null : { name: 'Item' },
})

/** Needs the items of `catalogueStatements`. */
export const versionStatements: readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] = [
  ['insertItemVersions', (tx) => versions.insertItemVersions(tx, [1, 2].map(makeVersion))],
  ['insertItemVersions', (tx) => versions.insertItemVersions(tx, [makeVersion(52)])],
  ['listItemVersions', (tx) => versions.listItemVersions(tx, 'itm_7', 5)],
  [
    'listMenuChanges',
    (tx) =>
      versions.listMenuChanges(
        tx,
        'mer_1',
        { from: NOW, to: NOW + 1, import_id: 'imp_1' },
        { after: { at: NOW, seq: 2, item_id: 'itm_7', version: 2 }, limit: 2 },
      ),
  ],
  ['findLastImport', (tx) => versions.findLastImport(tx, 'mer_1')],
  ['listChangesSince', (tx) => versions.listChangesSince(tx, ['itm_7'], NOW)],
  ['listReplacedSince', (tx) => versions.listReplacedSince(tx, ['itm_7', 'itm_9'], NOW - 1)],
]
