import * as Type from 'typebox'
import { defaultScopes, openAccount } from '../../areas/account/seed.ts'
import { signCarrierAgreement } from '../../areas/carrier/seed.ts'
import { openMerchant } from '../../areas/catalog/seed/merchants.ts'
import { AppError } from '../../core/errors.ts'
import { strictObject, nonBlankText } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { account, accountColumns, handle, scopes, serializeAccount, scopeFlag } from './schema.ts'

export const addAccount = defineControl({
  name: 'add_account',
  method: 'POST',
  path: '/sandbox/accounts',
  summary: 'Add an account',
  input: strictObject({
    handle,
    name: Type.Optional(nonBlankText(100, { description: 'name of the person or the company' })),
    scopes: Type.Optional(
      Type.Array(scopes.items, { description: 'permissions. Default: all that its agreements allow' }),
    ),
    membership: Type.Optional(
      Type.Enum(['none', 'active', 'trialing'] as const, { description: 'the membership it starts with' }),
    ),
    carrier: Type.Optional(Type.Boolean({ description: 'with a carrier agreement' })),
    business: Type.Optional(Type.Boolean({ description: 'with a business agreement' })),
  }),
  output: account,
  errors: ['invalid_state'],
  example: () => ({ handle: 'books', name: 'Strand Books', carrier: true }),
  cli: {
    command: 'sandbox account add',
    danger: 'write',
    positionals: ['handle'],
    flags: { scopes: scopeFlag },
    columns: [...accountColumns, 'account_id'],
    done: 'Added the account {handle}.',
    next: 'dray whoami --as {handle}',
    examples: [
      'dray sandbox account add books --name "Strand Books" --carrier',
      'dray sandbox account add reader --carrier --scope shipments.read',
    ],
  },
  run: (
    { write },
    { handle: wanted, name, membership = 'none', carrier = false, business = false, ...input },
  ) =>
    write(async (tx, { world }, now) => {
      const added = await openAccount(tx, world, now, {
        handle: wanted,
        name: name ?? wanted,
        scopes: input.scopes ?? defaultScopes({ carrier, business }),
        membership,
        carrier,
        business,
      })
      if (added === undefined) throw new AppError('invalid_state', `The account ${wanted} already exists.`)
      await signCarrierAgreement(tx, added)
      await openMerchant(tx, world, now, added)
      return serializeAccount(added)
    }),
})
