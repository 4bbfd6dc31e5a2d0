import { inject } from 'vitest'
import { afterFile } from './after-file.ts'

/** Names of the databases of this file. */
const made: string[] = []

/**
 * Creates a PostgreSQL database, empty or a copy of another one without connections, and returns its URL. It is
 * dropped with the file. Throws the reason when there is no server.
 */
export async function createDatabase(original?: string): Promise<string> {
  if (made.length === 0) afterFile(dropMade)
  const url = await createLastingDatabase(original)
  made.push(nameOf(url))
  return url
}

/** As `createDatabase`, for a database that all files of the run may copy. */
export async function createLastingDatabase(original?: string): Promise<string> {
  return ask('', original === undefined ? '' : nameOf(original))
}

/** Drops all databases at the first call; simultaneous stories each call it. */
async function dropMade(): Promise<void> {
  if (made.length > 0) await ask('/drop', made.splice(0).join(' '))
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

async function ask(what: string, body: string): Promise<string> {
  const response = await fetch(`${inject('postgres')}${what}`, { method: 'POST', body })
  const answer = await response.text()
  if (!response.ok) throw new Error(`No PostgreSQL for the tests: ${answer}`)
  return answer
}
