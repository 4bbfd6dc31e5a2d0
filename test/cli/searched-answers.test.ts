import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/cli/io.ts'
import { openPrompts } from '../../src/cli/prompts.ts'
import { memoryIo } from '../support/memory-io.ts'

const choices = [
  { value: 'next_day', name: 'Next day' },
  { value: 'economy', name: 'Economy' },
]

async function ask() {
  const io = memoryIo({ tty: true })
  const answer = openPrompts(io, { color: 'never' })?.select({ message: 'Service level', choices })
  await expect.poll(() => io.asked()).toContain('❯ Next day')
  return { io, answer }
}

test('a few answers are searched as many are, by text and Enter at once as well', async () => {
  const { io, answer } = await ask()
  expect(io.asked()).toContain('type to search')
  io.type('econ\r')
  expect(await answer).toBe('economy')
})

test('nothing is chosen while more text follows the Enter', async () => {
  const { io, answer } = await ask()
  io.type('econ\rx')
  await expect.poll(() => io.asked()).toContain('No results found')
  io.type('\x03')
  await expect(answer).rejects.toThrow(InterruptedError)
})
