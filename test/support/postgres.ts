import { inject } from 'vitest'

/**
 * The URL of a new PostgreSQL database, empty or a copy of another one that nobody is connected to; it disappears with
 * the run. Throws the reason when there is no server.
 */
export async function createDatabase(original?: string): Promise<string> {
  const template = original === undefined ? '' : new URL(original).pathname.slice(1)
  const response = await fetch(inject('postgres'), { method: 'POST', body: template })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No PostgreSQL for the tests: ${answer}`)
  return answer
}
