/** The media types that a caller accepts. */
import { AppError } from '../core/errors.ts'

/** Returns the types of an `Accept` header, in small letters, without those of quality 0; any type without the header. */
export function acceptedTypes(accept: string | undefined): string[] {
  if (accept === undefined || accept.trim() === '') return ['*/*']
  return accept
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim() ?? '')
}

/** Throws `not_acceptable` for a caller that does not accept JSON, since it could not read the response. */
export function assertAcceptsJson(accept: string | undefined): void {
  const isJson = (type: string): boolean =>
    type === '*/*' || type === 'application/*' || /^application\/([\w.-]+\+)?json$/.test(type)
  if (acceptedTypes(accept).some(isJson)) return
  throw new AppError('not_acceptable', 'Accept names no type that is served here; send application/json.')
}
