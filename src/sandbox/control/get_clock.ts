import { strictObject } from '../../core/schema.ts'
import { serializeClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock, clockColumns } from './schema.ts'

export const getClock = defineControl({
  name: 'get_clock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Show the sandbox clock and its mode',
  input: strictObject({}),
  output: clock,
  cli: {
    command: 'sandbox clock show',
    danger: 'read',
    columns: clockColumns,
    next: 'dray sandbox clock advance 2h',
    examples: ['dray sandbox clock show'],
  },
  run: ({ read }) => read(serializeClock),
})
