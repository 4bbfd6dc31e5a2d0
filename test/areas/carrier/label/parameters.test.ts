/** The address of a label: each parameter has its values, and every fault is told at once. */
import { expect, test } from 'vitest'
import { parseLabelParameters } from '../../../../src/areas/carrier/label/parameters.ts'
import { catchError } from '../../../support/caught.ts'

test.each([
  ['', { format: 'pdf', size: '4x6', dpi: '300' }],
  ['format=zpl', { format: 'zpl', size: '4x6', dpi: '203' }],
  ['format=png&size=a6', { format: 'png', size: 'a6', dpi: '300' }],
  ['format=zpl&dpi=300', { format: 'zpl', size: '4x6', dpi: '300' }],
])('%j is read', (query, parameters) => {
  expect(parseLabelParameters(query)).toEqual(parameters)
})

test('four labels on a sheet, a repeated value and an unknown name are rejected together', () => {
  const long = 'x'.repeat(70)
  const error = catchError(() => parseLabelParameters(`size=a4&dpi=203&dpi=203&format=&${long}=1`))
  expect(error).toMatchObject({ code: 'invalid_request', message: 'size is one of 4x6, a6.' })
  expect(error.errors).toEqual([
    { parameter: 'size', code: 'invalid_enum', detail: 'size is one of 4x6, a6.' },
    { parameter: 'dpi', code: 'invalid_enum', detail: 'dpi is one of 203, 300.' },
    { parameter: 'format', code: 'invalid_enum', detail: 'format is one of pdf, zpl, png.' },
    {
      parameter: long.slice(0, 60),
      code: 'unknown_member',
      detail: `${long.slice(0, 60)} is not a label parameter.`,
    },
  ])
})
