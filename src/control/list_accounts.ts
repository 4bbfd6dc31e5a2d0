import { closed, page } from '../operations/schema.ts'
import { listAccounts as list } from '../store/accounts.ts'
import { defineControl } from './control.ts'
import { account, toAccount } from './schema.ts'

export const listAccounts = defineControl({
  name: 'list_accounts',
  method: 'GET',
  path: '/sandbox/accounts',
  summary: 'List the sandbox’s accounts',
  input: closed({}),
  output: page(account),
  run: ({ read }) =>
    read(async (tx) => ({ data: (await list(tx)).map(toAccount), has_more: false, next_cursor: null })),
})
