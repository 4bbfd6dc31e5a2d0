import { expect, test } from 'vitest'
import { TASK_TYPES } from '../../../src/areas/tasks/seed/task-types.ts'
import type { Prompts } from '../../../src/cli/questions.ts'
import { askRequirements, lackingOf, readRequirement } from '../../../src/commands/tasks/requirements.ts'

function schemaOf(name: string): object {
  return TASK_TYPES.find(({ task_type }) => task_type === name)?.requirements_schema ?? {}
}

const AUDIT = schemaOf('shelf_audit')
const METER = schemaOf('meter_reading')
const QUEUE = schemaOf('queue_hold')
const FRONT = schemaOf('storefront_verification')

test('reads a value as the schema means it', () => {
  expect(readRequirement(AUDIT, 'store_name=Spar = the best')).toEqual(['store_name', 'Spar = the best'])
  expect(readRequirement(AUDIT, 'products=Oat milk, Rye bread,')).toEqual([
    'products',
    ['Oat milk', 'Rye bread'],
  ])
  expect(readRequirement(METER, 'meter=gas')).toEqual(['meter', 'gas'])
  expect(readRequirement(QUEUE, 'hold_minutes=45')).toEqual(['hold_minutes', 45])
  expect(readRequirement(FRONT, 'ask_inside=yes')).toEqual(['ask_inside', true])
})

test.each([
  [AUDIT, 'nonsense', 'name=value, the name one of store_name, products, aisle'],
  [AUDIT, '__proto__=1', 'name=value'],
  [METER, 'meter=steam', 'meter must be one of gas, water, electricity'],
  [METER, 'serial_number=x', 'serial_number must be 4 to 20 capitals, digits and hyphens'],
  [QUEUE, 'hold_minutes=9', 'hold_minutes must be a whole number from 10 to 240'],
  [QUEUE, 'hold_minutes=10.5', 'a whole number'],
  [FRONT, 'ask_inside=maybe', 'yes or no'],
  [AUDIT, 'products=,', 'a list with commas'],
  [AUDIT, 'store_name=', 'text of 1 to 100 characters'],
])('says what is wrong with %#', (schema, typed, words) => {
  expect(() => readRequirement(schema, typed)).toThrow(words)
})

test('knows what is lacking', () => {
  expect(lackingOf(AUDIT, { store_name: 'Spar' }).map(({ name }) => name)).toEqual(['products'])
  expect(lackingOf(AUDIT, { store_name: 'Spar', products: ['x'] })).toEqual([])
  expect(lackingOf(QUEUE, {})).toEqual([
    { name: 'queue_for', description: 'What the queue is for', example: 'QUEUE_FOR' },
    { name: 'hold_minutes', description: 'Waiting time, in minutes', example: '10' },
  ])
  expect(lackingOf(METER, {})).toMatchObject([{ name: 'meter', example: 'gas' }])
})

test('prompts for every field, takes none for an optional one, and can be said with flags', async () => {
  const asked: string[] = []
  const answers = ['wrong', 'AB-1234']
  const ask = {
    select: async ({ message, choices }: { message: string; choices: { value: string }[] }) => {
      asked.push(message)
      return choices.at(-1)?.value
    },
    input: async ({
      message,
      validate,
    }: {
      message: string
      validate(answer: string): string | undefined
    }) => {
      asked.push(message)
      let answer = message.includes('serial') ? (answers.shift() ?? '') : ''
      while (validate(answer) !== undefined) answer = answers.shift() ?? ''
      return answer
    },
  } as unknown as Prompts
  const flags: string[] = []
  const found = await askRequirements(ask, METER, {}, (flag) => flags.push(flag))
  expect(found).toEqual({ meter: 'electricity', serial_number: 'AB-1234' })
  expect(flags).toEqual(['meter=electricity', 'serial_number=AB-1234'])
  expect(asked).toEqual(['Which meter', 'Its serial number (Enter for none)', 'Where it is (Enter for none)'])
  for (const flag of flags) expect(found).toMatchObject(Object.fromEntries([readRequirement(METER, flag)]))
})
