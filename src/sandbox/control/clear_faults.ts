import * as Type from 'typebox'
import { strictObject } from '../../core/schema.ts'
import { loadWorld, lockWorld, saveFaults } from '../../db/world.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { faultId } from './faults.ts'

export const clearFaults = defineControl({
  name: 'clear_faults',
  method: 'POST',
  path: '/sandbox/faults/clear',
  summary: 'End one fault on order, or all of them',
  input: strictObject({ fault_id: Type.Optional(faultId) }),
  output: strictObject({ cleared: Type.Integer({ description: 'Number of faults', label: 'Cleared' }) }),
  example: (done) => ({ fault_id: done['add_fault'].fault_id }),
  cli: {
    command: 'sandbox fault clear',
    danger: 'write',
    positionals: ['fault_id'],
    columns: ['cleared'],
    done: 'Faults cleared: {cleared}.',
    next: 'dray sandbox fault list',
    examples: ['dray sandbox fault clear', 'dray sandbox fault clear 1'],
  },
  run: ({ db }, { fault_id }) =>
    db.write(async (tx) => {
      await lockWorld(tx)
      const { faults = [] } = await loadWorld(tx)
      const left = fault_id === undefined ? [] : faults.filter((each) => each.fault_id !== fault_id)
      if (fault_id !== undefined && left.length === faults.length)
        throw invalidMemberError('fault_id', `must be that of a fault on order, and ${fault_id} is none`)
      await saveFaults(tx, left)
      return { cleared: faults.length - left.length }
    }),
})
