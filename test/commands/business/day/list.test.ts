import { expect, test } from 'vitest'
import { renderTextTable } from '../../../../src/cli/output/table.ts'
import { spec } from '../../../../src/generated/specs/list_business_days.ts'
import { gbp } from '../../../support/money.ts'
import { makeRenderOptions } from '../../../support/screens.ts'

test('50 columns show the net sales of each day, what is due, and the cash', async () => {
  const day = {
    number: 12,
    date: '2026-11-20',
    closed_at: '2026-11-21T05:10:00.000Z',
    statement: { orders: 80, net_sales: gbp(123456), due: gbp(98765) },
    cash: { expected: gbp(21240), difference: gbp(-500) },
  }
  const { columns } = spec.operation
  const [heads = ''] = (await renderTextTable([day], columns, makeRenderOptions(50))).split('\n')
  expect(heads.match(/No\.|Day|Closed|Orders paid|Net sales|Due|Cash|Difference/g)).toEqual([
    'No.',
    'Day',
    'Net sales',
    'Due',
    'Cash',
  ])
})
