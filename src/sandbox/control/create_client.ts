import * as Type from 'typebox'
import { loadAccount } from '../../areas/account/queries/accounts.ts'
import { strictObject } from '../../core/schema.ts'
import { lockWorld } from '../../db/world.ts'
import { addClient } from '../../oauth/clients.ts'
import { grantAsked } from './asked-scopes.ts'
import { defineControl } from './control.ts'
import { accountHandle, accountParam, fewerScopes, scopes, scopeFlag, accountId } from './schema.ts'

export const createClient = defineControl({
  name: 'create_client',
  method: 'POST',
  path: '/sandbox/accounts/{account}/clients',
  summary: 'Create a client ID and secret for an account (shown once)',
  description:
    'For programs that run without a user: they get tokens with the client ID and secret at /oauth/token of `dray serve` (client_credentials).',
  input: strictObject({ account: accountParam, scopes: fewerScopes }),
  output: strictObject({
    client_id: Type.String({ meaning: 'Client ID' }),
    client_secret: Type.String({ meaning: 'Secret of the client' }),
    account_id: accountId,
    handle: accountHandle,
    scopes,
  }),
  errors: ['account_not_found'],
  example: () => ({ account: 'books' }),
  cli: {
    command: 'sandbox account client',
    danger: 'write',
    positionals: ['account'],
    flags: { scopes: scopeFlag },
    columns: ['client_id', 'client_secret', 'handle', 'scopes'],
    done: 'Save the secret now: it cannot be shown again.',
    examples: [
      'dray sandbox account client shipper',
      'dray sandbox account client owner --scope orders.read --scope orders.manage --json',
    ],
  },
  run: ({ write, random }, { account: name, scopes: wanted }) =>
    write(async (tx, _stored, now) => {
      // A reset would not see what is written for its accounts in the meantime.
      await lockWorld(tx)
      const account = await loadAccount(tx, name)
      const granted = grantAsked(account, wanted)
      const { account_id, handle } = account
      const { clientId, secret } = await addClient(
        tx,
        { accountId: account_id, scopes: granted },
        now,
        random,
      )
      return { client_id: clientId, client_secret: secret, account_id, handle, scopes: granted }
    }),
})
