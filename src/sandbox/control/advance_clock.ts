import * as Type from 'typebox'
import { advanceTo, serviceNow } from '../../core/clock.ts'
import { strictObject } from '../../core/schema.ts'
import { countEvents, lastEventSeq } from '../../db/events.ts'
import { moveClock, parseInstantField, readSpan, serializeClock, invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'

export const advanceClock = defineControl({
  name: 'advance_clock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Move the clock forwards and let everything happen that is due by then',
  input: strictObject({
    by: Type.Optional(
      Type.String({ maxLength: 40, description: 'Time to advance, such as 90s, 2h, 3d or P1DT2H' }),
    ),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'The instant it shows then' })),
  }),
  output: strictObject({
    ...clock.properties,
    applied: Type.Integer({ description: 'Number of due events applied' }),
    happened: Type.Array(
      strictObject({
        type: Type.String({ meaning: 'Type of the change' }),
        count: Type.Integer({ meaning: 'Number of such changes' }),
      }),
      {
        description: 'Number of changes by type',
        label: 'Events',
      },
    ),
  }),
  errors: ['invalid_state'],
  example: () => ({ by: '1m' }),
  cli: {
    command: 'sandbox clock advance',
    danger: 'write',
    columns: ['now', 'happened', 'next_due_at'],
  },
  async run(context, { by, to }) {
    if ((by === undefined) === (to === undefined))
      throw invalidMemberError('by', 'or to must be given, and not both')
    const instant = to === undefined ? undefined : parseInstantField(to, 'to')
    const span = by === undefined ? 0 : readSpan(by, 'by')
    const before = await context.read(lastEventSeq)
    const applied = await moveClock(context, (state, realNow) =>
      advanceTo(state, realNow, instant ?? serviceNow(state, realNow) + span),
    )
    const happened = await context.read((tx) => countEvents(tx, before))
    return { ...(await context.read(serializeClock)), applied, happened }
  },
})
