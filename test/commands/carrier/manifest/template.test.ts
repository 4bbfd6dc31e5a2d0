import { expect, test } from 'vitest'
import { emptyCsv, exampleCsv } from '../../../../src/cli/upload/template.ts'
import { MANIFEST_FILE_COLUMNS } from '../../../../src/tabular/manifest/columns.ts'
import { MANIFEST_FILE_KIND } from '../../../../src/tabular/manifest/kind.ts'
import { catchError } from '../../../support/caught.ts'
import { parseTestManifest } from '../../../support/manifests.ts'

test('the empty manifest names every column once and has no rows', () => {
  const header = emptyCsv(MANIFEST_FILE_KIND).trimEnd().split(',')
  expect(header).toEqual(
    MANIFEST_FILE_COLUMNS.filter(({ name, helps }) => helps === undefined && name !== 'dimensions').map(
      ({ name }) => name,
    ),
  )
  expect(catchError(() => parseTestManifest(emptyCsv(MANIFEST_FILE_KIND))).extra['reason']).toMatchObject({
    code: 'empty_file',
  })
})

test('the example uploads without a change', () => {
  const { rows, unknown, notes } = parseTestManifest(exampleCsv(MANIFEST_FILE_KIND), { strict: true })
  expect(rows.flatMap(({ errors }) => errors)).toEqual([])
  expect(rows).toHaveLength(5)
  expect({ unknown, notes }).toEqual({ unknown: [], notes: [] })
})

test('the manifest of the README uploads without a change, to every zone and by every service level', () => {
  const { rows } = parseTestManifest(new URL('../../../../examples/manifest.csv', import.meta.url), {
    strict: true,
  })
  expect(rows.flatMap(({ errors }) => errors)).toEqual([])
  expect(rows).toHaveLength(12)
  expect(new Set(rows.map(({ reference }) => reference)).size).toBe(12)
  expect(new Set(rows.map(({ draft }) => draft?.service_level))).toEqual(
    new Set(['same_day', 'next_day', 'two_day', 'economy']),
  )
})
