import * as Type from 'typebox'
import { closed } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { fault, faultColumns, viewFault } from './faults.ts'

export const listFaults = defineControl({
  name: 'list_faults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List the faults on order, with the calls that they hit',
  input: closed({}),
  output: closed({ data: Type.Array(fault, { meaning: 'Faults' }) }),
  cli: {
    command: 'sandbox fault list',
    danger: 'read',
    columns: faultColumns,
    examples: ['dray sandbox fault list'],
  },
  run: ({ read }) => read(async (_, { faults = [] }) => ({ data: faults.map(viewFault) })),
})
