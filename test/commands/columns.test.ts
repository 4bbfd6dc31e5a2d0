import { expect, test } from 'vitest'
import { findResultFields } from '../../src/cli/answer-fields.ts'
import { COMMANDS } from '../../src/generated/commands.ts'

test('each column of a table is a field that --fields takes', async () => {
  const commands = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()))
  const unknown = await Promise.all(
    commands.map(async (command) => {
      const { words, operation, takes } = command
      if (operation === undefined || !takes.includes('fields')) return []
      const known = (await findResultFields(command, {}, { query: undefined } as never)) ?? []
      return [...operation.columns, ...(operation.details ?? [])]
        .map((column) => (typeof column === 'string' ? column : column.field))
        .filter((field) => !known.includes(field))
        .map((field) => `${words}: ${field}`)
    }),
  )
  expect(unknown.flat()).toEqual([])
})
