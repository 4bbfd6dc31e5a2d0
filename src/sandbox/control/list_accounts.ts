import * as Type from 'typebox'
import { listAllAccounts } from '../../areas/account/queries/accounts.ts'
import { listStoreNames } from '../../areas/merchants/queries.ts'
import { strictObject, paginated } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { account, accountColumns, serializeAccount } from './schema.ts'

export const listAccounts = defineControl({
  name: 'list_accounts',
  method: 'GET',
  path: '/sandbox/accounts',
  summary: 'List the accounts and their permissions',
  description:
    '`--as NAME` acts as one of them for a command, `dray login --sandbox --account NAME` from now on.',
  input: strictObject({}),
  output: paginated(
    strictObject({
      ...account.properties,
      stores: Type.Array(Type.String(), { description: 'Names of the stores that it runs' }),
    }),
  ),
  cli: {
    command: 'sandbox account list',
    danger: 'read',
    columns: [...accountColumns, 'stores'],
    next: 'dray whoami --as shipper',
    examples: ['dray sandbox account list', 'dray carrier list --as shipper'],
  },
  run: ({ read }) =>
    read(async (tx) => {
      const names = await listStoreNames(tx)
      const data = (await listAllAccounts(tx)).map((found) => ({
        ...serializeAccount(found),
        stores: names.get(found.businessAgreement?.agreement_id ?? '') ?? [],
      }))
      return { data, has_more: false, next_cursor: null }
    }),
})
