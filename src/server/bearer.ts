import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '../core/errors.ts'
import { sha256Bytes } from '../core/hash.ts'
import type { Credential } from '../gateway/request.ts'

/**
 * Returns the bearer token of a request, or undefined when it has no credential. Anything but exactly one token
 * becomes an unknown token, which the gateway rejects at its own step.
 */
export function readCredential({ headersDistinct }: IncomingMessage): Credential | undefined {
  const values = headersDistinct['authorization']
  if (values === undefined) return undefined
  const [value = ''] = values
  const token = values.length === 1 ? /^bearer +([\x21-\x2b\x2d-\x7e]+)$/i.exec(value)?.[1] : undefined
  return { token: token ?? '' }
}

/** Throws unless the request has the control token. The time of the comparison reveals nothing about the token. */
export function assertControlToken(request: IncomingMessage, expected: string): void {
  const credential = readCredential(request)
  if (credential === undefined)
    throw new AppError('missing_token', 'The request carries no control token.', { hint: HINT })
  const given = 'token' in credential ? credential.token : ''
  if (!isSameSecret(given, expected)) {
    throw new AppError('invalid_token', 'This is not the control token of the sandbox.', { hint: HINT })
  }
}

const HINT = 'The control token is in the .control file next to the store of `dray serve`.'

/** Compares two secrets. The time does not reveal how much of them is the same. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256Bytes(given), sha256Bytes(expected))
}
