/** The sandbox's own switches: only the page that needs them has them, by a link that the control token made. */
import type { IncomingMessage } from 'node:http'
import { type Scope, SCOPES } from '../../core/account.ts'
import { AppError } from '../../core/errors.ts'
import { jsonAnswer } from '../json-response.ts'
import type { Route, RouteDeps } from '../route.ts'
import type { PageBackend, BrowserSession } from './backend.ts'
import { parseJsonObject } from './read-object.ts'
import { askingPage, recordSessionCaller, requireSession } from './session.ts'

/** Names the account that a page with control acts for, in place of that of its session. */
const AS_HEADER = 'dray-as'

/** Returns the desk of a service without control calls: its sessions have no control either. */
export function withoutControl(desk: PageBackend): PageBackend {
  return {
    ...desk,
    async findSession(secret, page) {
      const session = await desk.findSession(secret, page)
      return session && { ...session, control: false }
    },
  }
}

/** Carries out a control call for a page. */
export function controlRoute({
  control,
  pages,
  serviceTime,
}: Pick<RouteDeps, 'control' | 'pages' | 'serviceTime'>): Route {
  return {
    name: 'page_control',
    method: 'POST',
    path: '/pages/control/{call}',
    async answer({ raw, params, requestId, readBody }, note) {
      const session = await requireSession(pages, raw, askingPage(raw))
      recordSessionCaller(note, session)
      assertControl(session)
      const name = params['call'] ?? ''
      const call = control?.calls.find((each) => each.name === name)
      if (control === undefined || call === undefined)
        throw new AppError('route_not_found', `Unknown control call ${name.slice(0, 60)}.`)
      note.operation = `sandbox:${name}`
      const value = await control.invoke(name, parseJsonObject(await readBody(call.bodyLimit)))
      const time = await serviceTime().catch(() => undefined)
      return jsonAnswer(requestId, time, JSON.stringify(value ?? {}))
    },
  }
}

/** Throws `insufficient_scope` for a session without control. */
function assertControl({ account, control }: BrowserSession): void {
  if (!control)
    throw new AppError('insufficient_scope', 'This page has no control of the sandbox.', {
      hint: `On the machine that runs the server, \`dray open world --as ${account.handle}\` opens a page that has it.`,
    })
}

/**
 * Returns the caller of a page: its session, or the account that it names. Whoever has control may mint a token for
 * every account, so this opens nothing more. Throws `insufficient_scope`.
 */
export function callerOf(
  session: BrowserSession,
  { headers }: Pick<IncomingMessage, 'headers'>,
): { account: string; scopes: readonly Scope[] } {
  const named = headers[AS_HEADER]
  if (named === undefined) return { account: session.account.account_id, scopes: session.scopes }
  assertControl(session)
  return { account: String(named), scopes: SCOPES }
}
