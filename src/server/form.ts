/** Parses application/x-www-form-urlencoded bodies strictly: rejects repeated parameters and invalid text. */
import { OAuthError } from '../oauth/refusal.ts'
import type { HandlerRequest } from './route.ts'

const TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?$/i
const MAX_FIELDS = 50

export type FormParams = ReadonlyMap<string, string>

/** Returns the parameters of a request. One without a value counts as missing (RFC 6749 3.2). Throws Error. */
export async function receiveForm({ raw, readBody }: HandlerRequest, limit: number): Promise<FormParams> {
  if (!TYPE.test(raw.headersDistinct['content-type']?.join(', ').trim() ?? ''))
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  return readForm(await readBody(limit))
}

function readForm(bytes: Uint8Array): FormParams {
  const form = new Map<string, string>()
  const seen = new Set<string>()
  const pairs = toText(bytes).split('&')
  if (pairs.length > MAX_FIELDS) throw new OAuthError('invalid_request', 'Too many parameters.')
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decodeFormText(at === -1 ? pair : pair.slice(0, at))
    const value = at === -1 ? '' : decodeFormText(pair.slice(at + 1))
    if (name === undefined || value === undefined)
      throw new OAuthError(
        'invalid_request',
        'A parameter is not valid percent-encoded UTF-8 without control characters.',
      )
    if (seen.has(name)) throw new OAuthError('invalid_request', 'A parameter is sent more than once.')
    seen.add(name)
    if (value !== '') form.set(name, value)
  }
  return form
}

/** Decodes text of a form; undefined when it is not valid text. */
export function decodeFormText(encoded: string): string | undefined {
  try {
    const text = decodeURIComponent(encoded.replaceAll('+', ' '))
    return /\p{Cc}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new OAuthError('invalid_request', 'The body is not valid UTF-8.')
  }
}
