/** The facts of the simulated market: rows that a person wrote, and that the program takes for right. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/sources.ts'

const name = Type.String({ minLength: 2, pattern: '^\\S(.*\\S)?$' })
const latitude = Type.Number({ minimum: 49, maximum: 61 })
const longitude = Type.Number({ minimum: -9, maximum: 2.1 })
const spot = Type.Tuple([latitude, longitude])
const zone = Type.Enum(['A', 'B', 'C', 'D'])
const area = [Type.String({ pattern: '^[A-Z]{1,2}$' }), name, latitude, longitude, zone]
const island = Type.Literal('island')
const dates = Type.String({ pattern: '^\\d\\d-\\d\\d( \\d\\d-\\d\\d)*$' })
const rows = (...kinds: TSchema[]) => Type.Array(Type.Union(kinds), { minItems: 1, uniqueItems: true })

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  'bank-holidays.json': Type.Object({
    published: Type.Record(Type.String({ pattern: '^20\\d\\d$' }), dates),
    closed: rows(dates),
  }),
  'coast.json': rows(spot),
  'countries.json': rows(Type.String({ pattern: '^[A-Z]{2} [A-Z]{3} [1-9]\\d{0,2} [a-z]+([ |][a-z]+)*$' })),
  'london/addresses.json': rows(
    Type.Tuple([name, name, name, spot]),
    Type.Tuple([name, name, name, spot, name]),
  ),
  'london/districts.json': rows(
    Type.Tuple([Type.String({ pattern: '^[A-Z]{1,2}\\d{1,2}$' }), name, latitude, longitude]),
  ),
  'london/labels.json': Type.Object({ stations: rows(name), districts: rows(name) }),
  'london/parks.json': rows(Type.Object({ name, corners: rows(spot) })),
  'london/places.json': Type.Object({
    places: rows(Type.Tuple([name, latitude, longitude])),
    aliases: Type.Record(Type.String(), name),
  }),
  'london/roads.json': rows(Type.Object({ name, line: Type.Array(spot, { minItems: 2 }) })),
  'london/thames.json': rows(Type.Tuple([latitude, longitude, Type.Number({ minimum: 20, maximum: 300 })])),
  'phone-plans.json': Type.Record(
    Type.String({ pattern: '^[A-Z]{2}$' }),
    Type.String({ pattern: '^(-|\\d+) \\d+-\\d+$' }),
  ),
  'postcode-areas.json': Type.Object({
    areas: rows(Type.Tuple(area), Type.Tuple([...area, island])),
    districts: rows(Type.Tuple([Type.String(), ...area]), Type.Tuple([Type.String(), ...area, island])),
  }),
}

const folder = join(ROOT, 'src/reference-data')

describe('the facts of the market', () => {
  test('have a schema each', () => {
    expect(
      globSync('**/*', { cwd: folder })
        .filter((file) => file.includes('.'))
        .toSorted(),
    ).toEqual(Object.keys(SCHEMAS).toSorted())
  })

  test.each(Object.entries(SCHEMAS))('are well formed in %s', (file, schema) => {
    const data: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    expect(Value.Errors(schema, data).slice(0, 5)).toEqual([])
  })
})
