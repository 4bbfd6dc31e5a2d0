import * as Type from 'typebox'
import { strictObject } from '../../core/schema.ts'
import { SUPPLY_LEVELS } from '../../core/supply.ts'
import { lockWorld, saveSupply } from '../../db/world.ts'
import { defineControl } from './control.ts'

export const supply = Type.Enum(SUPPLY_LEVELS, {
  description:
    'normal: dozens of drivers, couriers and taskers; scarce: two for each kind of job; unlimited: one for every job',
  label: 'Supply',
})

export const setSupply = defineControl({
  name: 'set_supply',
  method: 'PUT',
  path: '/sandbox/supply',
  summary: 'Set the number of drivers, couriers and taskers',
  input: strictObject({ supply }),
  output: strictObject({ supply }),
  example: () => ({ supply: 'normal' }),
  cli: {
    command: 'sandbox supply',
    danger: 'write',
    columns: ['supply'],
    done: 'Supply is {supply}.',
    next: 'dray sandbox status',
  },
  run: ({ db }, { supply: wanted }) =>
    db.write(async (tx) => {
      await lockWorld(tx)
      await saveSupply(tx, wanted)
      return { supply: wanted }
    }),
})
