import { inject } from 'vitest'

/** The URL of a new, empty PostgreSQL database; it disappears with the run. Throws the reason when there is no server. */
export async function createDatabase(): Promise<string> {
  const response = await fetch(inject('postgres'), { method: 'POST' })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No PostgreSQL for the tests: ${answer}`)
  return answer
}
