import { closed } from '../../core/schema.ts'
import { viewClock } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'

export const getClock = defineControl({
  name: 'get_clock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Show the sandbox’s clock',
  input: closed({}),
  output: clock,
  run: ({ read }) => read(viewClock),
})
