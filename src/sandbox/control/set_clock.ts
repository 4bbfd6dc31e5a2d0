import * as Type from 'typebox'
import { changeClock } from '../../core/clock.ts'
import { strictObject, describeField } from '../../core/schema.ts'
import { moveClock, parseInstantField, serializeClock, invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { clock, clockColumns, clockMode } from './schema.ts'

export const setClock = defineControl({
  name: 'set_clock',
  method: 'PUT',
  path: '/sandbox/clock',
  summary: 'Change how the sandbox’s clock runs, from now or from a later instant',
  input: strictObject({
    mode: describeField('Way in which it runs from then on', clockMode),
    at: Type.Optional(Type.String({ description: 'Time to set; never earlier than now' })),
    factor: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Factor of its speed, for scaled' }),
    ),
  }),
  output: clock,
  errors: ['invalid_state'],
  example: () => ({ mode: 'frozen' }),
  cli: {
    command: 'sandbox clock set',
    danger: 'write',
    columns: clockColumns,
    done: 'It is {now} in the sandbox.',
    next: 'dray sandbox status',
  },
  async run(context, { mode, at, factor }) {
    if (mode === 'real' && at !== undefined)
      throw invalidMemberError('at', 'cannot be set with mode real, which uses the machine’s time')
    if (mode !== 'scaled' && factor !== undefined)
      throw invalidMemberError('factor', 'belongs to mode scaled only')
    const instant = at === undefined ? undefined : parseInstantField(at, 'at')
    await moveClock(context, (state, realNow) => changeClock(state, realNow, { mode, at: instant, factor }))
    return context.read(serializeClock)
  },
})
