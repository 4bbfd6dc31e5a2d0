/** The checks of `dray doctor` on the way to a service: proxy, reachability, certificate, clock, login. */
import { existsSync } from 'node:fs'
import { withLoginHint } from '../../cli/login-hint.ts'
import type { Runtime } from '../../cli/runtime.ts'
import type { Settings } from '../../cli/settings.ts'
import { type ProbeResult, probeService, readCertificate } from '../../client/probe.ts'
import { findProxy, type Proxy } from '../../client/proxy.ts'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../../core/network.ts'
import { DEFAULT_PORT } from '../hosting/default-port.ts'
import {
  type Check,
  okCheck,
  formatShellCommand,
  skippedCheck,
  toFailedCheck,
  warningCheck,
  failedCheck,
} from './check.ts'

type Remote = Extract<Settings['target'], { kind: 'remote' }>

const LIMIT_MS = 5000
/** Tokens and quotes hold for minutes; less than this does no harm. */
const SKEW_MS = 60_000
const DAY_MS = 86_400_000
const SOON_DAYS = 14

/** Looks at the way to a service, and then at the login. */
export async function checkService(settings: Settings, target: Remote, runtime: Runtime): Promise<Check[]> {
  const limitMs = settings.timeoutMs ?? LIMIT_MS
  const proxy = findProxy(new URL(target.baseUrl), runtime.env)
  const [reached, certificate] = await Promise.all([
    checkReach(target, runtime, limitMs, (error) => fixOf(error, settings, target.baseUrl, proxy)),
    proxy === undefined
      ? checkCertificate(target, runtime, limitMs)
      : [skippedCheck('TLS', 'not checked: calls go through a proxy')],
  ])
  const isReached = reached.every(({ status }) => status !== 'wrong')
  return [
    checkProxy(target, proxy),
    ...reached,
    ...certificate,
    isReached
      ? await checkLogin(settings, target, runtime, limitMs)
      : skippedCheck('Login', 'not checked: the server cannot be reached'),
  ]
}

function checkProxy(target: Remote, proxy: Proxy | undefined): Check {
  if (proxy === undefined) return okCheck('Proxy', 'none is used')
  const { variable, url } = proxy
  if (url === undefined) return failedCheck('Proxy', `${variable} is not a URL`, `unset ${variable}`, 'usage')
  return okCheck(
    'Proxy',
    `${variable}: calls go through ${url.host}, unless NO_PROXY contains ${new URL(target.baseUrl).hostname}`,
  )
}

async function checkReach(
  { baseUrl }: Remote,
  runtime: Runtime,
  limitMs: number,
  fixFor: (error: unknown) => string | undefined,
): Promise<Check[]> {
  try {
    const reached = await probeService(baseUrl, runtime, limitMs)
    const { date } = reached
    return [
      checkReadiness(baseUrl, reached),
      ...(date === undefined ? [] : [checkSkew(runtime.now() - date)]),
    ]
  } catch (error) {
    return [toFailedCheck('Service', error, fixFor(error))]
  }
}

/** Returns what the answer of `/readyz` says. A service of another make may not have it. */
function checkReadiness(baseUrl: string, { status, isReady, tookMs }: ProbeResult): Check {
  const detail = `${baseUrl} answered in ${Math.round(tookMs)} ms`
  const ask = `curl -sS ${baseUrl}/readyz`
  if (isReady) return okCheck('Service', `${detail} and is ready`)
  if (status === 503) {
    const fix = 'On its machine: dray doctor'
    return failedCheck('Service', `${detail} but is not ready`, fix, 'unavailable')
  }
  if (status >= 500) return failedCheck('Service', `${detail} with status ${status}`, ask, 'unavailable')
  return warningCheck(
    'Service',
    `${detail}, but /readyz does not report that it is ready (status ${status})`,
    ask,
  )
}

/** Returns what to do where a service cannot be reached: at the proxy, in its address, or at the service. */
function fixOf(
  error: unknown,
  { sources, profile }: Settings,
  baseUrl: string,
  proxy: Proxy | undefined,
): string | undefined {
  if (proxy !== undefined) return `unset ${proxy.variable}`
  const { hostname, port, host } = new URL(baseUrl)
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause.message : ''
  const readdress = (address: string): string =>
    sources.service === 'environment'
      ? `export DRAY_BASE_URL=${address}`
      : sources.service === 'profile'
        ? formatShellCommand('dray', 'profile', 'add', profile, '--update', '--base-url', address)
        : formatShellCommand('dray', 'doctor', '--base-url', address)
  if (isLoopback(hostname))
    return reason === 'it does not use TLS'
      ? readdress(`http://${host}`)
      : formatShellCommand(
          'dray',
          'serve',
          ...(['', String(DEFAULT_PORT)].includes(port) ? [] : ['--port', port]),
        )
  if (reason === 'there is no such host') return readdress('https://HOST')
  // The hint of a certificate says how to trust it.
  if (error instanceof AppError && error.hint !== undefined) return undefined
  return `curl -sS ${baseUrl}/readyz`
}

function checkSkew(skewMs: number): Check {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  if (Math.abs(skewMs) < SKEW_MS)
    return okCheck('Clock', `this machine's clock is within ${SKEW_MS / 1000} s of the service's`)
  const detail = `This machine's clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service's`
  return warningCheck('Clock', detail, CLOCK_FIXES[process.platform] ?? 'sudo timedatectl set-ntp true')
}

const CLOCK_FIXES: Readonly<Record<string, string>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
}

async function checkCertificate(
  { baseUrl }: Remote,
  { env, now }: Runtime,
  limitMs: number,
): Promise<Check[]> {
  if (!baseUrl.startsWith('https:')) return [okCheck('TLS', 'not used: the address is on this machine')]
  const checks: Check[] = []
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    checks.push(
      warningCheck(
        'TLS',
        'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked',
        'unset NODE_TLS_REJECT_UNAUTHORIZED',
      ),
    )
  const authorities = env['NODE_EXTRA_CA_CERTS']
  if (authorities !== undefined && authorities !== '' && !existsSync(authorities))
    checks.push(
      warningCheck(
        'TLS',
        `NODE_EXTRA_CA_CERTS names ${authorities}, which does not exist`,
        'unset NODE_EXTRA_CA_CERTS',
      ),
    )
  try {
    const { issuer, validTo, protocol, trusted } = await readCertificate(baseUrl, limitMs)
    const days = Math.floor((validTo - now()) / DAY_MS)
    const until = new Date(validTo).toISOString().slice(0, 10)
    const detail = `${protocol}, certificate by ${issuer} until ${until}`
    // That it is not trusted makes the service unreachable, which is said there.
    if (!trusted)
      checks.push(
        warningCheck(
          'TLS',
          `${detail}; it is not trusted on this machine`,
          'export NODE_EXTRA_CA_CERTS=FILE',
        ),
      )
    else if (days < SOON_DAYS)
      checks.push(warningCheck('TLS', `${detail}: ${days} days`, 'Renew the certificate of the service'))
    else checks.push(okCheck('TLS', detail))
  } catch {
    checks.push(skippedCheck('TLS', 'no certificate was seen'))
  }
  return checks
}

async function checkLogin(
  settings: Settings,
  target: Remote,
  runtime: Runtime,
  limitMs: number,
): Promise<Check> {
  try {
    const client = await runtime.openClient({ ...target, timeoutMs: limitMs }, { firstRun() {}, debug() {} })
    try {
      const { account, accountId, scopes } = await client.whoAmI()
      if (account === undefined && accountId === undefined && scopes === undefined)
        return skippedCheck('Login', 'not checked: the server does not report the owner of the token')
      const rights = scopes === undefined ? '' : `, ${scopes.length} scopes`
      return okCheck('Login', `${account ?? accountId ?? 'the token is accepted'}${rights}`)
    } finally {
      await client.close()
    }
  } catch (error) {
    return toFailedCheck('Login', withLoginHint(error, settings))
  }
}
