import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where `createDatabase` asks for a database. */
    postgres: string
  }
}

/**
 * One PostgreSQL per run, started when the first test asks for a database, so that runs without one stay quick.
 * Why it could not start is what every test that asked fails with.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const secret = randomBytes(16).toString('hex')

  const desk = createServer((request, response) => {
    if (request.url !== `/${secret}`) {
      response.writeHead(404).end()
      return
    }
    server ??= startPostgres()
    server
      .then((running) => running.createDatabase())
      .then(
        (url) => response.end(url),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
      )
  })
  await new Promise<void>((resolve) => {
    desk.listen(0, '127.0.0.1', resolve)
  })
  project.provide('postgres', `http://127.0.0.1:${(desk.address() as AddressInfo).port}/${secret}`)

  return async () => {
    desk.closeAllConnections()
    desk.close()
    const running = await server?.catch(() => undefined)
    await running?.stop()
  }
}
