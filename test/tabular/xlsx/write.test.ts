import { expect, test } from 'vitest'
import { unescapeCoercion } from '../../../src/tabular/csv/escape-coercion.ts'
import { openWorkbook } from '../../../src/tabular/xlsx/workbook.ts'
import { writeWorkbook } from '../../../src/tabular/xlsx/write.ts'
import { fc } from '../../support/properties.ts'

const { asyncProperty, assert, array, string, oneof, constantFrom } = fc

async function read(bytes: Uint8Array) {
  const [sheet] = (await openWorkbook(bytes)).sheets
  return sheet?.read()
}

const text = oneof(
  string({ unit: constantFrom(...Array.from('_x000D&<>"\'\r\n\t 01/=\u0001\ufffe'), '_x005F_') }),
  string({ unit: 'binary' }),
)

test('every text of a workbook is read as it was written', async () => {
  await assert(
    asyncProperty(
      array(array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (rows) => {
        const sheet = await read(writeWorkbook('Errors', [['a', 'b', 'c', 'd'], ...rows]))
        const found = rows.map((cells, at) => {
          const there = sheet?.rows.find(({ row }) => row === at + 2)?.cells ?? []
          // A row of blanks is no row.
          return there.length === 0
            ? undefined
            : cells.map((_, column) => unescapeCoercion(there[column] ?? ''))
        })
        expect(found).toEqual(
          rows.map((cells) => (cells.every((cell) => cell.trim() === '') ? undefined : cells)),
        )
      },
    ),
  )
})

test('a number is a number', async () => {
  const sheet = await read(writeWorkbook('A & B', [['n'], [1.234]]))
  expect(sheet?.rows[1]).toMatchObject({ cells: ['1.234'], held: new Map([[0, '1.234']]) })
})
