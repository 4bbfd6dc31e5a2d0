import { describe, expect, test } from 'vitest'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { decideUnits } from '../../../src/tabular/manifest/units.ts'
import { mapManifestColumns } from '../../support/manifests.ts'

function decide(
  csv: string,
  answers: Parameters<typeof decideUnits>[1] = {},
): ReturnType<typeof decideUnits> {
  const table = readTable(csv)
  return decideUnits(mapManifestColumns(table).mapping, answers)
}

describe('the unit of bare numbers', () => {
  test('is g and mm when they look like it', () => {
    expect(decide('weight,length\n850,300\n1200,250\n')).toEqual({
      units: { weight: 'g', length: 'mm' },
      questions: [],
    })
  })

  test('is asked for when they do not, naming the cell that does not', () => {
    expect(
      decide('other,weight,length,width\nx,850,300,20\n\nx,1.2,25,200\nx,0.8,30,30\n').questions,
    ).toEqual([
      { needs: 'weight', cells: [{ column: 'weight', row: 4, value: '1.2' }] },
      {
        needs: 'length',
        cells: [
          { column: 'length', row: 4, value: '25' },
          { column: 'width', row: 2, value: '20' },
        ],
      },
    ])
  })

  test('is what was answered', () => {
    expect(decide('weight,dimensions\n1.2,30x20x10\n', { weight: 'kg', length: 'cm' })).toEqual({
      units: { weight: 'kg', length: 'cm' },
      questions: [],
    })
  })

  test('is not asked for when the header or every value names it', () => {
    expect(decide('weight_kg,length_cm,width,height\n1.2,30,20cm,4in\n').questions).toEqual([])
  })

  test('is known for an export of ShipStation', () => {
    const header = 'Order - Number,Ship To - Name,Ship To - Address 1,Ship To - Postal Code,Weight,Length'
    expect(decide(`${header}\n1,a,b,c,8.5,12\n`)).toEqual({
      units: { weight: 'oz', length: 'in' },
      questions: [],
    })
  })
})
