import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from './build.ts'
import { ensureChromium } from './chromium.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { makeWorkFolder, type WorkFolder } from './work-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL by which `createDatabase` requests a database. */
    postgres: string
    /** The URL by which `builtProgram` requests the program. */
    program: string
    /** The URL by which `openPageInBrowser` requests the browser. */
    chromium: string
    /** The compile cache that all commands share. */
    cache: string
    /** A folder with the locations of stores that tests copy. */
    originals: string
  }
}

/**
 * Starts one PostgreSQL, one build and one browser per run, each at the first request, so that other runs stay fast.
 * If one fails, every test that requested it fails with the reason.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const work = makeWorkFolder()
  const usual = { TMPDIR: tmpdir(), NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  // For files of the tests and of their commands.
  process.env['TMPDIR'] = work.path
  // Programs of the tests import the sources: to compile them takes three quarters of a short one's time.
  process.env['NODE_COMPILE_CACHE'] = join(work.path, 'compiled')
  let server: Promise<PostgresServer> | undefined
  let program: Promise<void> | undefined
  let browser: Promise<string> | undefined
  const secret = randomBytes(16).toString('hex')
  const services: Record<string, (asked: string) => Promise<string>> = {
    [`/${secret}/postgres`]: async (original) =>
      (await (server ??= startPostgres())).createDatabase(original),
    // On a disk, removing files is so slow that they stay until the end.
    [`/${secret}/postgres/drop`]: async (names) => {
      if (work.isInMemory) await (await server)?.dropDatabases(names.split(' '))
      return ''
    },
    [`/${secret}/program`]: async () => (await (program ??= ensureBuilt()), 'built'),
    [`/${secret}/chromium`]: () => (browser ??= ensureChromium()),
  }

  const desk = createServer((request, response) => {
    // A kept connection might close just when the next request is sent.
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
  project.provide('originals', await makeOriginalsFolder(project, work))

  return async () => {
    desk.closeAllConnections()
    desk.close()
    const running = await server?.catch(() => undefined)
    await running?.stop()
    work.remove()
    process.env['TMPDIR'] = usual.TMPDIR
    if (usual.NODE_COMPILE_CACHE === undefined) delete process.env['NODE_COMPILE_CACHE']
    else process.env['NODE_COMPILE_CACHE'] = usual.NODE_COMPILE_CACHE
  }
}

/** Makes the folder for originals, and empties it before a rerun, because the sources may have changed. */
async function makeOriginalsFolder(project: TestProject, work: WorkFolder): Promise<string> {
  const originals = join(work.path, 'originals')
  await mkdir(originals)
  project.onTestsRerun(async () => {
    await rm(originals, { recursive: true, force: true })
    await mkdir(originals)
  })
  return originals
}
