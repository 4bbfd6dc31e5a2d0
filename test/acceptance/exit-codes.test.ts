import { createServer } from 'node:net'
import { expect } from 'vitest'
import { EXIT } from '../../src/core/errors.ts'
import type { PrintedFailure } from '../support/answers.ts'
import { createCommand, MANIFEST_COLUMNS, manifestLine, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

acceptanceTest('every kind of failure has its own exit code', async (told) => {
  const seen = new Set<number>([0])
  const expectExit = async (
    line: string,
    exit: number,
    code?: string,
    env: Record<string, string> = {},
  ): Promise<void> => {
    const { exit_code, code: said } = (
      await told.dray(`${line} --json`, { exit, env })
    ).json<PrintedFailure>()
    expect({ exit_code, said }, line).toEqual({ exit_code: exit, said: code ?? said })
    seen.add(exit)
  }
  await told.dray(createCommand('A-1', '--json'))
  told.write('bad.csv', [MANIFEST_COLUMNS, manifestLine('X').replace('E1 6EA', 'nowhere')].join('\n'))
  told.write(
    'half.csv',
    [MANIFEST_COLUMNS, manifestLine('Y'), manifestLine('Z').replace('E1 6EA', 'nowhere')].join('\n'),
  )
  told.write('m.csv', makeManifestCsv(1))

  await expectExit('carrier list --nonsense', EXIT.usage)
  await expectExit('carier list', EXIT.usage)
  await expectExit('carrier list --limit 0', EXIT.usage)
  await expectExit('carrier list --status flying', EXIT.usage)
  await expectExit('carrier show', EXIT.usage)
  await expectExit('carrier upload absent.csv --yes', EXIT.usage, 'file_error')
  await expectExit('carrier list --profile nobody', EXIT.usage, undefined, { DRAY_PROFILE: '' })
  await expectExit('carrier upload m.csv', EXIT.not_confirmed, 'not_confirmed')
  await expectExit('carrier list --as guest', EXIT.auth, 'insufficient_scope')
  await expectExit('carrier show ZC473124829GB', EXIT.not_found, 'shipment_not_found')
  await expectExit('carrier show ZC968043371GB', EXIT.rejected, 'invalid_tracking_number')
  await expectExit('carrier coverage', EXIT.rejected, 'invalid_request')
  await expectExit(createCommand('A-1'), EXIT.conflict, 'duplicate_reference')
  seen.add((await told.dray('carrier track ZC968043370GB --json', { exit: EXIT.pending })).exitCode ?? -1)
  seen.add((await told.dray('carrier upload bad.csv --yes --json', { exit: EXIT.rejected })).exitCode ?? -1)
  seen.add((await told.dray('carrier upload half.csv --yes --json', { exit: EXIT.partial })).exitCode ?? -1)
  await expectExit(
    `carrier list --base-url http://127.0.0.1:${await closedPort()} --timeout 1s`,
    EXIT.unavailable,
    'network_error',
    { DRAY_TOKEN: 'x' },
  )
  await expectExit('carrier list --base-url http://127.0.0.1:9', EXIT.auth, 'not_logged_in', {
    DRAY_TOKEN: '',
  })

  // 1 is for bugs, and 10 for rate limits, which the sandbox does not have.
  const foreseen = Object.values(EXIT).filter((code) => code !== EXIT.internal && code !== EXIT.rate_limited)
  expect([...seen].toSorted((a, b) => a - b)).toEqual(foreseen)
})

/** Returns a port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 9
}
