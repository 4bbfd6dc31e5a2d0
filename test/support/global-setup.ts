import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from './build.ts'
import { ensureChromium } from './chromium.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { makeWorkFolder, type WorkFolder } from './work-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where `createDatabase` asks for a database. */
    postgres: string
    /** Where `builtProgram` asks for the program. */
    program: string
    /** Where `openBrowser` asks for the browser. */
    chromium: string
    /** A folder in which all commands keep what Node compiled. */
    cache: string
    /** A folder that says where stores lie that tests copy. */
    originals: string
  }
}

/**
 * One PostgreSQL, one build and one browser per run, each made when the first test asks for it, so that runs without
 * stay quick.
 * Why it could not be made is what every test that asked fails with.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const work = makeWorkFolder()
  // Files of tests and of the commands that they start.
  process.env['TMPDIR'] = work.path
  let server: Promise<PostgresServer> | undefined
  let program: Promise<void> | undefined
  let browser: Promise<string> | undefined
  const secret = randomBytes(16).toString('hex')
  const services: Record<string, (asked: string) => Promise<string>> = {
    [`/${secret}/postgres`]: async (original) =>
      (await (server ??= startPostgres())).createDatabase(original),
    // Files on a disk are removed so slowly that they stay until the end.
    [`/${secret}/postgres/drop`]: async (names) => {
      if (work.isInMemory) await (await server)?.dropDatabases(names.split(' '))
      return ''
    },
    [`/${secret}/program`]: async () => (await (program ??= ensureBuilt()), 'built'),
    [`/${secret}/chromium`]: () => (browser ??= ensureChromium()),
  }

  const desk = createServer((request, response) => {
    // A connection that is kept may be closed at the very moment at which somebody asks again.
    response.setHeader('Connection', 'close')
    const serve = services[request.url ?? '']
    if (serve === undefined) {
      response.writeHead(404).end()
      return
    }
    text(request)
      .then(serve)
      .then(
        (answer) => response.end(answer),
        (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
      )
  })
  await new Promise<void>((resolve) => {
    desk.listen(0, '127.0.0.1', resolve)
  })
  const address = `http://127.0.0.1:${(desk.address() as AddressInfo).port}/${secret}`
  project.provide('postgres', `${address}/postgres`)
  project.provide('program', `${address}/program`)
  project.provide('chromium', `${address}/chromium`)
  project.provide('cache', join(work.path, 'cache'))
  project.provide('originals', await keepOriginals(project, work))

  return async () => {
    desk.closeAllConnections()
    desk.close()
    const running = await server?.catch(() => undefined)
    await running?.stop()
    work.remove()
  }
}

/** Stores of an earlier run are not of what the sources say now. */
async function keepOriginals(project: TestProject, work: WorkFolder): Promise<string> {
  const originals = join(work.path, 'originals')
  await mkdir(originals)
  project.onTestsRerun(async () => {
    await rm(originals, { recursive: true, force: true })
    await mkdir(originals)
  })
  return originals
}
