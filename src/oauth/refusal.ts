/** The error codes of the OAuth endpoints: RFC 6749 5.2, RFC 8628 3.5. */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/**
 * An error in OAuth's own form. Functions that write return it instead of throwing: their writes must be kept, such
 * as the end of a login with a token that was used twice.
 */
export class OAuthError extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, description: string) {
    super(description)
    this.name = 'Refusal'
    this.code = code
  }

  get status(): 400 | 401 {
    return this.code === 'invalid_client' ? 401 : 400
  }
}
