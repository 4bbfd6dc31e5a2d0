/** Types answers at a terminal in memory. */
import { expect } from 'vitest'
import type { MemoryIo } from './memory-io.ts'

/** Types once the question is shown. */
export async function typeAnswer(io: MemoryIo, question: string, text: string): Promise<void> {
  await expect.poll(() => io.asked()).toContain(question)
  io.type(`${text}\n`)
}
