import { AppError, type ErrorCode, ERRORS } from '../core/errors.ts'
import { isLoopback } from '../core/network.ts'
import { commandLine } from './output/shell.ts'
import type { Settings } from './settings.ts'

const ABOUT_TOKENS: readonly ErrorCode[] = ['not_logged_in', 'missing_token', 'invalid_token']

/** Adds to a token error the command that solves it for this service; returns other errors unchanged. */
export function withLoginHint(error: unknown, { target, profile, sources }: Settings): unknown {
  if (!(error instanceof AppError) || target.kind !== 'remote' || !ABOUT_TOKENS.includes(error.code))
    return error
  // A more specific hint is kept.
  if (error.hint !== ERRORS[error.code].hint) return error
  const named = sources.service === 'profile'
  const flags = named
    ? profile === 'default'
      ? []
      : ['--profile', profile]
    : ['--base-url', target.baseUrl, '--profile', 'NAME']
  const login = `Run \`${commandLine(['dray', 'login', ...flags])}\``
  const ways = named && sources.token !== 'environment' ? `${login}.` : `${login} or set DRAY_TOKEN.`
  const isOwn = error.code === 'not_logged_in' && isLoopback(new URL(target.baseUrl).hostname)
  const hint = isOwn ? `${ways} For your own sandbox, add --as everything.` : ways
  return new AppError(error.code, error.message, {
    hint,
    errors: error.errors,
    extra: error.extra,
    cause: error.cause,
  })
}
