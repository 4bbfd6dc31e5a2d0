/** Links that a service makes: to its pages, and to one resource for a person without an account. */
import { AppError } from '../core/errors.ts'
import { type PageName, PAGES } from '../core/pages.ts'
import { readResponseObject } from './answers.ts'
import type { SharedLinkInfo } from './client.ts'
import { controlOver, limitOf, type Remote, whoAmI, withToken } from './remote-access.ts'
import { makeBearerHeader } from './remote-request.ts'
import type { SenderRequest } from './sender.ts'

/** Makes a link for a browser that then acts as the account of the token. */
export async function requestPageLink(
  remote: Remote,
  page: PageName | undefined,
): Promise<{ path: string; expires_in: number }> {
  // A link of a token never opens the page of the sandbox's keeper.
  if (page !== undefined && PAGES[page].need === 'control')
    return controlOver(remote)('create_page_link', { account: await ownAccount(remote), page })
  return withToken(remote, undefined, async (token) => {
    const request: SenderRequest = {
      method: 'POST',
      path: '/pages/links',
      headers: { ...makeBearerHeader(token), 'Content-Type': 'application/json' },
      body: JSON.stringify(page === undefined ? {} : { page }),
    }
    const value = readResponseObject(
      await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }),
    )
    const { path, expires_in } = value as { path?: unknown; expires_in?: unknown }
    if (typeof path !== 'string' || typeof expires_in !== 'number' || !path.startsWith('/pages/'))
      throw new AppError('internal_error', 'The response of the server is not a link.')
    return { path, expires_in }
  })
}

/** Returns the account to act as: the target's, or that of its login, or the one that may do everything. */
async function ownAccount(remote: Remote): Promise<string> {
  if (remote.target.account !== undefined) return remote.target.account
  const hasLogin = (await remote.session.token()) !== undefined
  return (hasLogin ? (await whoAmI(remote)).account : undefined) ?? 'everything'
}

const SHARED_LINKS = '/v1/shared-links'

/** Makes a link. A repeat after a lost response makes another one; both end together. */
export async function requestSharedLink(remote: Remote, resourceId: string): Promise<SharedLinkInfo> {
  return withToken(remote, undefined, async (token) => {
    const request: SenderRequest = {
      method: 'POST',
      path: SHARED_LINKS,
      headers: { ...makeBearerHeader(token), 'Content-Type': 'application/json' },
      body: JSON.stringify({ resource_id: resourceId }),
    }
    const value = readResponseObject(
      await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }),
    )
    const { resource_id, path, expires_at } = value as Partial<Record<keyof SharedLinkInfo, unknown>>
    if (typeof resource_id !== 'string' || typeof expires_at !== 'string' || typeof path !== 'string')
      throw new AppError('internal_error', 'The response of the server is not a link.')
    if (!path.startsWith('/track/')) throw new AppError('internal_error', 'The service sent a strange link.')
    return { resource_id, path, expires_at }
  })
}

export async function withdraw(
  remote: Remote,
  resourceId: string,
): Promise<{ resource_id: string; withdrawn: number }> {
  return withToken(remote, undefined, async (token) => {
    const request: SenderRequest = {
      method: 'DELETE',
      path: `${SHARED_LINKS}/${encodeURIComponent(resourceId)}`,
      headers: makeBearerHeader(token),
    }
    const value = readResponseObject(
      await remote.send(request, { repeatable: true, limitMs: limitOf(remote, false) }),
    )
    const { resource_id, withdrawn } = value as { resource_id?: unknown; withdrawn?: unknown }
    if (typeof resource_id !== 'string' || typeof withdrawn !== 'number')
      throw new AppError('internal_error', 'The server did not report how many links it withdrew.')
    return { resource_id, withdrawn }
  })
}
