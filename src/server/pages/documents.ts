/** Answers that a browser shows: documents, and the way to another address. */
import type { AppError } from '../../core/errors.ts'
import { commonHeaders } from '../../gateway/gateway.ts'
import type { GatewayResponse } from '../../gateway/request.ts'
import { renderPageDocument, toProblemDocument } from './layout.ts'
import type { SignedInSession, PageDocument } from './layout.ts'
import { POLICY } from './policy.ts'

/** Returns the response with a document, for a browser that is signed in; for another without a session. */
export function toDocumentResponse(
  requestId: string,
  time: string | undefined,
  shown: PageDocument,
  session: SignedInSession | undefined,
): GatewayResponse {
  return {
    status: shown.status,
    headers: {
      ...commonHeaders(requestId, time),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      // With `no-referrer` a browser would not send the origin of its forms.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...shown.headers,
    },
    body: renderPageDocument(shown, session),
  }
}

/** Returns the response to a request that went wrong. */
export function toProblemResponse({ entry, message }: AppError, requestId: string): GatewayResponse {
  const shown = toProblemDocument({ status: entry.status ?? 500, title: entry.title, detail: message })
  return toDocumentResponse(requestId, undefined, shown, undefined)
}

/** Leads a browser to another address, and gives it a cookie. */
export function redirectBrowser(requestId: string, location: string, cookie?: string): GatewayResponse {
  return {
    status: 303,
    headers: {
      ...commonHeaders(requestId, undefined),
      Location: location,
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
      'Referrer-Policy': 'no-referrer',
    },
    body: '',
  }
}
