import * as TypeBox from 'typebox'
import { expect, test } from 'vitest'
import * as Lean from '../../src/generate/lean-typebox.ts'
import { readSources } from '../support/sources.ts'

/** Builds a schema of every kind that operations use. */
function build(Type: typeof TypeBox): unknown {
  const reference = Type.String({ maxLength: 64, pattern: '\\S' })
  const point = Type.Object({ latitude: Type.Number(), note: Type.Optional(Type.Null()) })
  return Type.Object(
    {
      reference: Type.Optional(reference),
      of_parent: reference,
      level: Type.Enum(['next_day', 'economy'], { description: 'How fast' }),
      rows: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 }),
      nullable: Type.Union([Type.Boolean(), Type.Null()], { description: 'Perhaps' }),
      kind: Type.Literal('none'),
      count: Type.Literal(3),
      free: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: Type.Integer() }),
      where: Type.Optional(Type.Object({ ...point.properties, accuracy_m: Type.Number() })),
      empty: Type.Object({}),
      all_optional: Type.Object({ a: Type.Optional(Type.String()) }),
    },
    { additionalProperties: false, 'x-note': 1 },
  )
}

test('the built operations have the schemas that TypeBox makes, member for member', () => {
  expect(JSON.stringify(build(Lean as unknown as typeof TypeBox), null, 1)).toBe(
    JSON.stringify(build(TypeBox), null, 1),
  )
})

test('the built program has every TypeBox function that the operations use', () => {
  const sources = ['src/areas', 'src/core', 'src/sandbox/control'].flatMap((folder) => readSources(folder))
  const used = sources.flatMap(({ text }) => [...text.matchAll(/\bType\.(?!Static|T[A-Z])(\w+)/g)])
  expect(used.length).toBeGreaterThan(0)
  expect(used.map(([, name = '']) => name).filter((name) => !Object.hasOwn(Lean, name))).toEqual([])
})
