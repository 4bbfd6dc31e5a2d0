/**
 * The program against a broken or hostile service. One fault of each kind, and
 * each with a body of millions, meets the built program; the others meet the same command line in this process.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS, EXIT } from '../../src/core/errors.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import type { PrintedFailure, Shipment } from '../support/answers.ts'
import { makeCertificate } from '../support/certificate.ts'
import { createCommand } from '../support/clerk.ts'
import { type ProxyFault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type ReceivedRequest, startFaults } from '../support/faults.ts'
import { FORBIDDEN, HOSTILE } from '../support/hostile.ts'
import { runInline } from '../support/inline.ts'
import { makeParcel } from '../support/parcel.ts'
import { builtProgram, type CommandResult, startDray, splitCommandLine } from '../support/program.ts'
import {
  edited,
  LATER,
  lost,
  makeRedirectFault,
  SLOW,
  makeTextFault,
  UNREADABLE,
  withHeaders,
} from '../support/remote-faults.ts'
import { type ServedStore, serveStore } from '../support/served.ts'
import { createTestTask, finish } from '../support/tasks.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

/** A timeout for commands that must end by themselves. */
const SOON = '--timeout 1s'
const LIST = 'carrier list --json'

let served: ServedStore
let world: TestSandbox
let token: string
let numbers: string[]

beforeAll(async () => {
  await builtProgram()
  served = await serveStore({ registry: { NAMES, load } })
  world = sandboxOverStore(served.db)
  token = await served.token('everything')
  const parcels = [1, 2, 3].map(() => world.ok('create_shipment', makeParcel()))
  numbers = (await Promise.all(parcels)).map(({ tracking_number }) => tracking_number)
})

afterAll(() => expect(served.bugs).toEqual([]))

type Remote = FaultProxy & {
  /** Runs a command of a user with an empty home, as typed after `dray`. */
  dray(line: string, env?: Record<string, string>): Promise<CommandResult>
  /** Runs it in this process. */
  inline(line: string): Promise<CommandResult>
  home: string
}

/** Opens a proxy to the service that applies the chosen fault to each request. */
async function openRemote(...chosen: Parameters<FaultProxy['choose']>): Promise<Remote> {
  const proxy = await startFaultProxy(served.url)
  proxy.choose(...chosen)
  const home = mkdtempSync(join(tmpdir(), 'dray-remote-'))
  const own = { HOME: home, DRAY_HOME: join(home, 'dray'), DRAY_BASE_URL: proxy.url, DRAY_TOKEN: token }
  homes.push(home)
  return {
    ...proxy,
    home,
    dray: (line, env = {}) => startDray(splitCommandLine(line), { cwd: home, env: { ...own, ...env } }).ended,
    inline: (line) => runInline(splitCommandLine(line), { env: own, isConcurrent: true }),
  }
}

const homes: string[] = []
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** Returns the failure of a command with `--json`: one document, one sentence, its exit code. */
function failureOf({ stdout, stderr, exitCode }: CommandResult): PrintedFailure {
  const failure = JSON.parse(stdout) as PrintedFailure
  expect(failure.exit_code, stderr).toBe(exitCode)
  expect(exitCode).toBe(EXIT[ERRORS[failure.code].exit])
  expect(failure.detail).toMatch(/^[^\n]{10,300}\.$/)
  expect(stderr).not.toContain('Error:')
  expect(stdout + stderr).not.toContain(token)
  return failure
}

/** Bodies that would hold up everything else in this process. */
const HEAVY = /2 GB|never comes to an end|bomb|million|garbage/

/** The faults of a table, and how the command meets each; the first meets the built program. */
const entriesOf = <F>(faults: Readonly<Record<string, F>>) =>
  Object.entries(faults).map(([name, fault], index) => {
    const run = index === 0 || HEAVY.test(name) ? ('dray' as const) : ('inline' as const)
    return [name, fault, run] as const
  })

describe('a read, where the service', () => {
  test.concurrent.each(entriesOf(SLOW))('%s, ends at its time', async (_name, fault, run) => {
    const remote = await openRemote(() => fault)
    expect(failureOf(await remote[run](`${LIST} ${SOON}`)).code).toBe('network_error')
  })

  const unreadable = entriesOf(UNREADABLE)
  /** Its size and its shape end the command, not its time, on the slowest machine too. */
  const outcomeOf = async (fault: ProxyFault, run: 'dray' | 'inline'): Promise<[string, number]> => {
    const remote = await openRemote(() => fault)
    const { code } = failureOf(await remote[run](`${LIST} --timeout 10m`))
    return [code, remote.asked.length]
  }

  test.concurrent.each(unreadable.filter(([name]) => !HEAVY.test(name)))(
    '%s, ends at once',
    async (_name, fault, run) => {
      expect(await outcomeOf(fault, run)).toEqual(['invalid_response', 1])
    },
  )

  // Each of these keeps a core busy with what it sends.
  test.each(unreadable.filter(([name]) => HEAVY.test(name)))(
    '%s, ends at once',
    async (_name, fault, run) => {
      expect(await outcomeOf(fault, run)).toEqual(['invalid_response', 1])
    },
  )

  test.concurrent.each(entriesOf(LATER))('%s, ends at its time', async (_name, { fault, code }, run) => {
    const remote = await openRemote(() => fault)
    expect(failureOf(await remote[run](`${LIST} --timeout 5s`)).code).toBe(code)
  })

  test.concurrent('sends more rows than requested, ends at once', async () => {
    const { inline } = await openRemote(
      () =>
        ({ forward, pass }) =>
          forward('/v1/shipments').then(pass),
    )
    expect(failureOf(await inline(`${LIST} --limit 2`)).detail).toContain('3 rows')
  })

  test.concurrent('sends the response of another request, ends at once', async () => {
    const [other = '', asked = ''] = numbers
    const { inline } = await openRemote(
      () =>
        ({ forward, pass }) =>
          forward(`/v1/shipments/${other}`).then(pass),
    )
    expect(failureOf(await inline(`carrier show ${asked} --json`)).detail).toContain(
      'a different tracking_number than the request',
    )
    expect(failureOf(await inline(LIST)).detail).toContain('lacks data')
  })

  test.concurrent.each<[string, (asked: ReceivedRequest) => string]>([
    ['the same page for ever', () => 'a'],
    ['two pages that lead to each other', ({ url }) => (url.includes('cursor=a') ? 'b' : 'a')],
  ])('gives %s, ends with --all', async (_name, next) => {
    const { inline, asked } = await openRemote((one) => ({ forward, pass, ...way }) => {
      const page = edited((body) => body.replace('"next_cursor":null', `"next_cursor":"${next(one)}"`))
      return page({ ...way, pass, forward: () => forward('/v1/shipments') })
    })
    expect(failureOf(await inline(`${LIST} --all`)).detail).toContain('never ends')
    expect(asked.length).toBeLessThan(5)
  })

  test.concurrent('gives pages without rows for ever, ends with --all', async () => {
    let sent = 0
    const { inline } = await openRemote(
      () => (way) =>
        makeTextFault(`{"data":[],"has_more":true,"next_cursor":"${++sent}"}`, {
          'Content-Type': 'application/json',
        })(way),
    )
    expect(failureOf(await inline(`${LIST} --all`)).detail).toContain('never ends')
  })

  test.concurrent('gives pages without rows before the one that has some, is read on', async () => {
    let sent = 0
    const { inline } = await openRemote(() => (way) => {
      sent += 1
      if (sent > 3) return way.forward('/v1/shipments').then(way.pass)
      return makeTextFault(`{"data":[],"has_more":true,"next_cursor":"${sent}"}`, {
        'Content-Type': 'application/json',
      })(way)
    })
    expect((await inline(LIST)).json<{ data: unknown[] }>().data.length).toBeGreaterThan(0)
  })

  test.concurrent.each(['Sat, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday'])(
    'dates its answers %s, is read all the same',
    async (date) => {
      const { inline } = await openRemote(() => withHeaders({ Date: date }))
      expect(await inline(LIST)).toMatchObject({ exitCode: 0, stderr: '' })
    },
  )

  test.concurrent.each(['9999-12-31T23:59:59.999Z;mode=running', '0001-01-01T00:00:00.000Z', 'noon;;;'])(
    'says that its clock shows %s, is read all the same',
    async (time) => {
      const { inline } = await openRemote(() => withHeaders({ 'Service-Time': time }))
      expect(await inline('carrier list --created-from today')).toMatchObject({ exitCode: 0 })
    },
  )

  test.concurrent('writes to the terminal, writes nothing but text', async () => {
    const detail = HOSTILE.filter((each) => each.isWellFormed() && !each.includes('\0')).join(' ')
    const problem = {
      code: 'invalid_request',
      detail,
      hint: detail,
      errors: [{ code: 'x', detail, pointer: detail }],
    }
    const { dray } = await openRemote(() => ({ response }) => {
      response.writeHead(400, {
        'Content-Type': 'application/problem+json',
        'Request-Id': '\x9b2J',
        'X-Title': '\x9d0;title\x9c',
      })
      response.end(JSON.stringify(problem))
    })
    for (const flags of ['', '--json', '--debug']) {
      const { stdout, stderr, exitCode } = await dray(`carrier list ${flags}`)
      expect(exitCode).toBe(EXIT.rejected)
      expect(FORBIDDEN.exec((stdout + stderr).replaceAll('\n', ''))?.[0]).toBeUndefined()
    }
  })

  test.concurrent('claims what only the program may say, is not believed', async () => {
    const claim = { code: 'not_confirmed', detail: 'Nothing changed.' }
    const { inline } = await openRemote(() => ({ response }) => {
      response.writeHead(409, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(claim))
    })
    expect(failureOf(await inline(LIST))).toMatchObject({
      code: 'invalid_state',
      remote_code: 'not_confirmed',
    })
  })
})

describe('a redirect', () => {
  const elsewhere: readonly [string, (other: string, own: string) => string][] = [
    ['another origin', (other) => `${other}/v1/shipments`],
    ['another origin without its scheme', (other) => other.replace('http:', '')],
    ['another scheme', (_other, own) => own.replace('http:', 'https:')],
    ['a file', () => 'file:///etc/passwd'],
    ['the address of a cloud’s secrets', () => 'http://169.254.169.254/latest/meta-data'],
    [
      'another user of the same host',
      (_other, own) => own.replace('//', '//user:secret@').replace(/:\d+$/, ':1'),
    ],
  ]

  test.concurrent.each(elsewhere)('of a read to %s is not followed', async (_name, to) => {
    const other = await startFaults((response) => response.end('{}'))
    const { inline, asked } = await openRemote(({ headers }) =>
      makeRedirectFault(307, to(other.url, `http://${headers.host}`)),
    )
    expect(failureOf(await inline(LIST)).detail).toContain('redirects to another address')
    expect([asked.length, other.asked]).toEqual([1, []])
  })

  test.concurrent.each([303, 307])(
    'of a change is not followed, wherever it leads, and carries no key there: %i',
    async (status) => {
      const other = await startFaults((response) => response.end('{}'))
      for (const to of [`${other.url}/v1/shipments`, '/v1/shipments']) {
        const { inline, asked } = await openRemote(({ method }) =>
          method === 'GET' ? undefined : makeRedirectFault(status, to),
        )
        expect(failureOf(await inline(createCommand(`redirected-${status}`, '--json'))).code).toBe(
          'invalid_response',
        )
        expect(asked.filter(({ method }) => method !== 'GET')).toHaveLength(1)
      }
      expect(other.asked).toEqual([])
    },
  )

  test.concurrent('in a circle, or from place to place without end, ends', async () => {
    for (const to of ['/v1/shipments', './deeper/x']) {
      const { inline, asked } = await openRemote(() => makeRedirectFault(302, to))
      expect(failureOf(await inline(LIST)).detail).toContain('in a circle')
      expect(asked.length).toBeLessThan(10)
    }
  })
})

describe('a change', () => {
  const made = async (reference: string): Promise<number> =>
    (await world.ok('list_shipments', { reference })).data.length
  const keysOf = ({ asked }: FaultProxy): Set<unknown> =>
    new Set(asked.filter(isChange).map(({ headers }) => headers['idempotency-key']))
  /** A request for the price is not a change. */
  const isChange = ({ method, url }: { method: string; url: string }): boolean =>
    method !== 'GET' && url !== '/v1/shipments/batch'
  /** Applies a fault to the first requests that change something. */
  const first = (count: number, fault: ProxyFault): Parameters<FaultProxy['choose']>[0] => {
    let met = 0
    return (asked) => (isChange(asked) && met++ < count ? fault : undefined)
  }

  test.concurrent('a change is made once, under one key, if its response is lost twice', async () => {
    const remote = await openRemote(first(2, lost))
    const { exitCode, stdout } = await remote.dray(createCommand('lost-twice', '--json'))
    expect([exitCode, (JSON.parse(stdout) as Shipment).reference]).toEqual([0, 'lost-twice'])
    expect([keysOf(remote).size, await made('lost-twice')]).toEqual([1, 1])
  })

  test.concurrent.each<[string, ProxyFault, ErrorCode]>([
    ['is lost for ever', lost, 'network_error'],
    ['is garbage', edited(() => 'garbage'), 'invalid_response'],
    [
      'is about something else',
      edited((body) => body.replace(/"amount":\d+/, '"amount":-1')),
      'invalid_response',
    ],
    [
      'is somebody’s page that forbids it',
      async ({ forward, response }) => {
        await forward()
        response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>No')
      },
      'invalid_response',
    ],
  ])('whose answer %s is remembered, and the same command finds it', async (name, fault, code) => {
    const reference = name.replaceAll(/\W/g, '-')
    const remote = await openRemote((asked) => (isChange(asked) ? fault : undefined))
    const command = createCommand(reference, '--json')
    // Only the lost answer is asked for until the time has ended; the others need all of theirs on a busy machine.
    const soon: Record<string, string> = code === 'network_error' ? { DRAY_TIMEOUT: '1s' } : {}
    expect(failureOf(await remote.dray(command, soon)).code).toBe(code)
    remote.choose(() => undefined)
    const again = await remote.dray(command)
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('Resuming')])
    expect([keysOf(remote).size, await made(reference)]).toEqual([1, 1])
  })
})

describe('evidence that is saved', () => {
  let taskId: string
  beforeAll(async () => {
    const { task_id } = await createTestTask(world, { as: 'everything' })
    await finish(world, task_id, 'everything')
    taskId = task_id
  })
  const isEvidence = ({ url }: ReceivedRequest): boolean => url.endsWith('/evidence')

  test.concurrent.each([
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'https://evil.example/picture.png',
    '//evil.example/picture.png',
    '/v1/me/membership',
    '/media/../v1/me/membership',
  ])('is not fetched from %s', async (url) => {
    const { dray, asked, home } = await openRemote((one) =>
      isEvidence(one) ? edited((body) => body.replace(/"url":"[^"]+"/, `"url":"${url}"`)) : undefined,
    )
    const { code, detail } = failureOf(await dray(`tasks evidence ${taskId} --save proof --json`))
    expect([code, detail]).toEqual(['invalid_response', expect.stringContaining('nothing was downloaded')])
    expect(asked.every((one) => isEvidence(one))).toBe(true)
    expect(readdirSync(home)).not.toContain('proof')
  })

  test.concurrent.each<[string, ProxyFault, string]>([
    ['is another than its hash says', edited((body) => `${body} `), 'nothing was saved'],
    [
      'is larger than any picture',
      ({ response }) => {
        response
          .writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 5_000_000_000 })
          .flushHeaders()
      },
      'larger than',
    ],
  ])('is not written when it %s', async (_name, fault, told) => {
    const { dray, home } = await openRemote(({ url }) => (url.startsWith('/media/') ? fault : undefined))
    const { code, detail } = failureOf(await dray(`tasks evidence ${taskId} --save proof --json`))
    expect([code, detail]).toEqual(['invalid_response', expect.stringContaining(told)])
    expect(readdirSync(home)).not.toContain('proof')
  })

  test.concurrent('keeps its name to itself, whatever the service calls it', async () => {
    const { dray, home } = await openRemote((one) =>
      isEvidence(one)
        ? edited((body) =>
            body.replaceAll(/"requirement_id":"[^"]+"/g, '"requirement_id":"../../../tmp/x\\u001b[2J"'),
          )
        : undefined,
    )
    await dray(`tasks evidence ${taskId} --save proof --json`)
    const files = readdirSync(join(home, 'proof'))
    expect(files).toContain('SHA256SUMS')
    expect(files.filter((name) => !/^[\w.-]+$/.test(name))).toEqual([])
    expect(readFileSync(join(home, 'proof/SHA256SUMS'), 'utf8')).not.toMatch(FORBIDDEN)
  })
})

describe('a certificate', () => {
  const year = (n: number): Date => new Date(Date.UTC(n, 0, 1))

  test.concurrent.each([
    { what: 'of an unknown authority', host: '127.0.0.1', until: year(2100), trust: false },
    { what: 'that has expired', host: '127.0.0.1', until: year(2001), trust: true },
    { what: 'of another host', host: 'api.example.com', until: year(2100), trust: true },
  ])('$what is refused before anything is sent', async ({ what, host, until, trust }) => {
    const certificate = makeCertificate(host, { from: year(2000), until })
    let requests = 0
    const server = createTlsServer(certificate, (_request, response) => {
      requests += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { dray, home } = await openRemote(() => undefined)
    const file = join(home, 'authority.pem')
    writeFileSync(file, certificate.cert)
    const ran = await dray(LIST, {
      DRAY_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...(trust && { NODE_EXTRA_CA_CERTS: file }),
    })
    server.close()
    const { code, detail } = failureOf(ran)
    expect([code, detail, requests], what).toEqual([
      'network_error',
      expect.stringContaining('certificate'),
      0,
    ])
  })
})
