/** Logs in with a code: it is shown, a person approves it in a browser, and the service issues the login. */
import type { CommandContext } from '../../cli/cli.ts'
import { canRedraw, hasColour } from '../../cli/output/colour.ts'
import { toJson } from '../../cli/output/json.ts'
import { commandLine } from '../../cli/output/shell.ts'
import { truncateToWidth, usableWidth } from '../../cli/output/text.ts'
import { canPrompt } from '../../cli/prompts.ts'
import { offersCodes, pollDevice, requestDeviceCode } from '../../client/oauth.ts'
import type { DeviceCode, RequestSender } from '../../client/oauth.ts'
import type { Login } from '../../client/session.ts'
import { AppError, type ErrorCode } from '../../core/errors.ts'
import { isLoopback } from '../../core/network.ts'
import { ownPage } from '../link.ts'
import { openPageInBrowser } from './browser.ts'
import { codeScreen, shownPage, waitingLine } from './screen.ts'

const SLOWER_MS = 5000
const SECOND_MS = 1000
/** Errors that are retried while a person opens the page. */
const PASSING: readonly ErrorCode[] = [
  'network_error',
  'service_unavailable',
  'rate_limited',
  'internal_error',
]

/** Throws AppError('usage') for a service without login by code. */
export async function assertOffersCodes(
  { argv }: CommandContext,
  send: RequestSender,
  address: string,
): Promise<void> {
  if (await offersCodes(send)) return
  const typed = commandLine(['dray', ...argv])
  const told = argv.some((word) => /^--(?:base-url|profile)/.test(word))
  const named = told ? typed : `${typed} ${commandLine(['--base-url', address])}`
  throw new AppError('usage', `${address} does not support login with a code.`, {
    hint: `Use a token of this server: \`${named} --token-file FILE\`.`,
  })
}

/**
 * Waits for the approval and returns the login. Throws `login_denied`, `login_expired`, `still_pending`, `Interrupted`
 * or the error of a call.
 */
export async function loginByDevice(
  cli: CommandContext,
  send: RequestSender,
  { address, scope, browser }: { address: string; scope: string | undefined; browser: boolean },
): Promise<Login> {
  const { runtime, io } = cli
  const deviceName = `${process.getBuiltinModule('node:os').hostname()} (dray ${runtime.version})`
  const started = await requestDeviceCode(send, { deviceName, scope })
  const own = await ownPage(cli, address, started.userCode)
  const code = own === undefined ? started : { ...started, pageWithCode: own }
  const limits = limitsOf(cli, code)
  const opened = browser && (await open(cli, code))
  const stopped = runtime.interruption()
  const { drawn, width } = readScreenOptions(cli)
  const forPrograms = ['json', 'ndjson'].includes(cli.settings.format)
  if (forPrograms) await io.stderr.write(codeDocument(code))
  if (forPrograms && !io.stderr.isTTY)
    return waitForLogin(cli, send, code, { ...limits, stopped, tick: () => undefined })
  await io.stderr.write(
    codeScreen(
      {
        address,
        code: code.userCode,
        page: shownPage(code.page),
        pageWithCode: code.pageWithCode && shownPage(code.pageWithCode),
        device: deviceName,
        opened,
        own: own !== undefined,
      },
      { drawn, width, colour: hasColour(io.stderr, io.env, cli.settings.color) },
    ),
  )
  const line = startLine(
    cli,
    () => truncateToWidth(waitingLine(limits.deadline - runtime.elapsed()), drawn ? width - 3 : 80),
    drawn,
  )
  try {
    return await waitForLogin(cli, send, code, { ...limits, stopped, tick: line.draw })
  } finally {
    await line.clear()
  }
}

/** Returns the code in one line, with the names of RFC 8628, for a program that started this one. */
function codeDocument({ userCode, page, pageWithCode, validMs }: DeviceCode): string {
  const told = {
    user_code: userCode,
    verification_uri: page.href,
    ...(pageWithCode !== undefined && { verification_uri_complete: pageWithCode.href }),
    expires_in: validMs / 1000,
  }
  return `${toJson(told)}\n`
}

/** The end of waiting and the error that it throws: when the code expires, or after `--timeout`. */
type LoginDeadline = { deadline: number; late: AppError }

function limitsOf(
  { runtime, settings: { timeoutMs = Infinity } }: CommandContext,
  { validMs }: DeviceCode,
): LoginDeadline {
  const late =
    timeoutMs < validMs
      ? new AppError(
          'still_pending',
          `Nobody approved the login within ${timeoutMs / 1000} s; nothing was saved.`,
          { hint: 'Run the same command again for a new code, with a longer --timeout.' },
        )
      : new AppError('login_expired', 'Nobody approved the login in time; nothing was saved.')
  return { deadline: runtime.elapsed() + Math.min(timeoutMs, validMs), late }
}

type LoginWaitOptions = LoginDeadline & { stopped: AbortSignal; tick(): void }

async function waitForLogin(
  { runtime }: CommandContext,
  send: RequestSender,
  code: DeviceCode,
  { deadline, late, stopped, tick }: LoginWaitOptions,
): Promise<Login> {
  let intervalMs = code.intervalMs
  for (;;) {
    // The last poll is at the deadline, however short the time was.
    const next = Math.min(runtime.elapsed() + intervalMs, deadline)
    for (let left = intervalMs; left > 0 && !stopped.aborted; left -= SECOND_MS) {
      tick()
      await runtime.sleep(Math.min(SECOND_MS, left, Math.max(0, next - runtime.elapsed())), stopped)
    }
    if (stopped.aborted) throw stopped.reason
    const polled = await pollOnce(send, code, stopped)
    if (typeof polled === 'object') return polled
    if (runtime.elapsed() >= deadline) throw late
    if (polled === 'slow_down') intervalMs += SLOWER_MS
  }
}

async function pollOnce(
  send: RequestSender,
  code: DeviceCode,
  signal: AbortSignal,
): Promise<Login | 'pending' | 'slow_down'> {
  try {
    const polled = await pollDevice((request, options) => send(request, { ...options, signal }), code)
    return 'login' in polled ? polled.login : polled.again
  } catch (error) {
    // RFC 8628 3.5: polls less often, so that a recovering service is not overloaded.
    if (error instanceof AppError && PASSING.includes(error.code)) return 'slow_down'
    throw error
  }
}

/** Opens the page only for a person at a terminal, and only an address that is safe to open. */
async function open(
  { io, settings, globals, runtime }: CommandContext,
  { page, pageWithCode = page }: DeviceCode,
): Promise<boolean> {
  if (!canPrompt(io, { json: globals.json, output: settings.format, noInput: settings.noInput })) return false
  const safe = pageWithCode.protocol === 'https:' || isLoopback(pageWithCode.hostname)
  return safe && openPageInBrowser(pageWithCode, runtime.env)
}

function readScreenOptions({ io, settings }: CommandContext): { drawn: boolean; width: number } {
  return {
    drawn: canRedraw(io.stderr, io.env, settings.accessible),
    width: usableWidth(io.stderr.columns, io.env),
  }
}

/** Shows the remaining time, redrawn in place; one plain line where that is not possible. */
function startLine(
  { io }: CommandContext,
  line: () => string,
  drawn: boolean,
): { draw(): void; clear(): Promise<void> | void } {
  if (!drawn) {
    void io.stderr.write(`${line()}\n`)
    return { draw() {}, clear() {} }
  }
  return {
    draw: () => void io.stderr.write(`\r  ${line()}\x1b[K`),
    clear: () => io.stderr.write('\r\x1b[K'),
  }
}
