import * as Type from 'typebox'
import { listAccounts as list } from '../../areas/account/store.ts'
import { listStoreNames } from '../../areas/merchants/store.ts'
import { closed, page } from '../../core/schema.ts'
import { defineControl } from './control.ts'
import { account, toAccount } from './schema.ts'

export const listAccounts = defineControl({
  name: 'list_accounts',
  method: 'GET',
  path: '/sandbox/accounts',
  summary: 'List the sandbox’s accounts',
  input: closed({}),
  output: page(
    closed({
      ...account.properties,
      stores: Type.Array(Type.String(), { description: 'Names of the stores that it runs' }),
    }),
  ),
  run: ({ read }) =>
    read(async (tx) => {
      const names = await listStoreNames(tx)
      const data = (await list(tx)).map((found) => ({
        ...toAccount(found),
        stores: names.get(found.businessAgreement?.agreement_id ?? '') ?? [],
      }))
      return { data, has_more: false, next_cursor: null }
    }),
})
