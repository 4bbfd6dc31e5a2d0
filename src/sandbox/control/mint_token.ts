import * as Type from 'typebox'
import { deleteExpiredTokens, insertToken, loadAccount } from '../../areas/account/queries/accounts.ts'
import { sha256Hex } from '../../core/hash.ts'
import { strictObject, instant, describeField } from '../../core/schema.ts'
import { parseDuration, toTimestamp } from '../../core/time.ts'
import { lockWorld } from '../../db/world.ts'
import { newSecret } from '../../oauth/secrets.ts'
import { grantAsked } from './asked-scopes.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { accountHandle, accountParam, fewerScopes, scopes, scopeFlag, accountId } from './schema.ts'

const MAX_TOKEN_LIFE_MS = 3650 * 86_400_000
/** Longer than people advance the clock: a test that moves it by months keeps its token. */
const DEFAULT_LIFE = '365d'

export const mintToken = defineControl({
  name: 'mint_token',
  method: 'POST',
  path: '/sandbox/accounts/{account}/tokens',
  summary: 'Create an API token (shown once)',
  description: 'To log in without showing a token, use `dray login --sandbox --account NAME`.',
  input: strictObject({
    account: accountParam,
    scopes: fewerScopes,
    expires_in: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'lifetime by the sandbox clock, such as 1h. Default: 365d',
      }),
    ),
  }),
  output: strictObject({
    token: Type.String({ meaning: 'API token' }),
    token_type: Type.Literal('Bearer', { meaning: 'Token type: Bearer' }),
    account_id: accountId,
    handle: accountHandle,
    scopes,
    expires_at: describeField('Expiry, by the sandbox clock', instant),
  }),
  errors: ['account_not_found'],
  example: () => ({ account: 'books', scopes: ['shipments.read'], expires_in: '30d' }),
  cli: {
    command: 'sandbox account token',
    danger: 'write',
    positionals: ['account'],
    flags: { scopes: scopeFlag, expires_in: { value: 'SPAN' } },
    columns: ['token', 'handle', 'expires_at', 'scopes'],
    done: 'Save it now: it cannot be shown again.',
    examples: [
      'dray sandbox account token shipper',
      'TOKEN=$(dray sandbox account token shipper --scope shipments.read --query token)',
    ],
  },
  run: ({ write, random }, { account: name, scopes: wanted, expires_in = DEFAULT_LIFE }) =>
    write(async (tx, _stored, now) => {
      // A reset would not see what is written for its accounts in the meantime.
      await lockWorld(tx)
      const life = parseDuration(expires_in)
      if (life === undefined || life <= 0 || life > MAX_TOKEN_LIFE_MS) {
        throw invalidMemberError('expires_in', 'must be a duration of up to ten years, such as 1h or 30d')
      }
      const account = await loadAccount(tx, name)
      const granted = grantAsked(account, wanted)
      await deleteExpiredTokens(tx, account.account_id, now)
      const token = newSecret('access', random)
      await insertToken(tx, {
        token_hash: sha256Hex(token),
        account_id: account.account_id,
        scopes: granted,
        expires_at: now + life,
        created_at: now,
      })
      return {
        token,
        token_type: 'Bearer' as const,
        account_id: account.account_id,
        handle: account.handle,
        scopes: granted,
        expires_at: toTimestamp(now + life),
      }
    }),
})
