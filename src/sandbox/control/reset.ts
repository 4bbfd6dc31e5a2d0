import * as Type from 'typebox'
import { frozenClock, noonClock } from '../../core/clock.ts'
import { strictObject, describeField } from '../../core/schema.ts'
import { CLEARING, clearStore } from '../../db/status.ts'
import { lockWorld } from '../../db/world.ts'
import { isSeed, makeKey, seedStore } from '../seed.ts'
import { parseInstantField, serializeClock, invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { clock } from './schema.ts'

const fixture = Type.Enum(['london'] as const, { meaning: 'World that it is filled with' })

export const reset = defineControl({
  name: 'reset',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Forget everything and start again, with the same seed or another',
  input: strictObject({
    seed: Type.Optional(
      Type.String({ maxLength: 20, description: 'Whole number. Default: the current seed' }),
    ),
    fixture: Type.Optional(fixture),
    at: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Time at which to freeze the new clock. Default: running from noon',
      }),
    ),
  }),
  output: strictObject({
    seed: Type.String({ meaning: 'Seed of the new world' }),
    fixture,
    clock: describeField('Clock', clock),
  }),
  example: () => ({ at: '2026-11-20T09:00:00Z' }),
  cli: {
    command: 'sandbox reset',
    danger: 'destructive',
    columns: ['clock.now', 'clock.mode', 'seed'],
    done: 'The sandbox is reset.',
    next: 'dray sandbox status',
  },
  async run({ db, now, random, read }, { seed, at }) {
    if (seed !== undefined && !isSeed(seed))
      throw invalidMemberError('seed', 'must be a whole number of at most 64 bits')
    const frozenAt = at === undefined ? undefined : parseInstantField(at, 'at')
    const used = await db.write(async (tx) => {
      const { world } = await lockWorld(tx)
      const next = seed ?? world.seed
      await clearStore(tx)
      await seedStore(tx, {
        seed: next,
        clock: frozenAt === undefined ? noonClock(now(), world.timezone) : frozenClock(frozenAt),
        cursorKey: makeKey(random),
      })
      return next
    }, CLEARING)
    return { seed: used, fixture: 'london' as const, clock: await read(serializeClock) }
  },
})
