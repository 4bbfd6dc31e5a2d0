import * as Type from 'typebox'
import { strictObject } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { sandboxFault, faultColumns, serializeFault } from './faults.ts'

export const listFaults = defineControl({
  name: 'list_faults',
  method: 'GET',
  path: '/sandbox/faults',
  summary: 'List the injected faults, with the calls that they hit',
  input: strictObject({}),
  output: strictObject({ data: Type.Array(sandboxFault, { meaning: 'Faults' }) }),
  cli: {
    command: 'sandbox fault list',
    danger: 'read',
    columns: faultColumns,
    examples: ['dray sandbox fault list'],
  },
  run: ({ read }) => read(async (_, { faults = [] }) => ({ data: faults.map(serializeFault) })),
})
