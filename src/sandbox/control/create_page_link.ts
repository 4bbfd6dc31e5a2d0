import * as Type from 'typebox'
import { PAGE_NAMES, pageLink } from '../../core/pages.ts'
import { strictObject } from '../../core/schema.ts'
import { createControlTicket, PAGE_LINK_LIFE_S } from '../../oauth/page-sessions.ts'
import { defineControl } from './control.ts'
import { accountParam } from './schema.ts'

export const createPageLink = defineControl({
  name: 'create_page_link',
  method: 'POST',
  path: '/sandbox/page-links',
  summary: 'Make a link that signs one browser in to a page, for an account; it works once',
  input: strictObject({
    account: accountParam,
    page: Type.Optional(
      Type.Enum(PAGE_NAMES, {
        description: 'Page to open. Default: the list of pages that need no sandbox control',
      }),
    ),
  }),
  output: strictObject({
    path: Type.String({ description: 'Path and query of the link, at the address of the service' }),
    expires_in: Type.Integer({ description: 'Seconds until it is void' }),
  }),
  errors: ['account_not_found'],
  example: () => ({ account: 'everything', page: 'kitchen' }),
  cli: {
    command: 'open',
    danger: 'write',
  },
  async run({ db, now, random }, { account, page }) {
    const ticket = await db.write((tx) =>
      createControlTicket(tx, { account, page }, { machineNow: now(), random }),
    )
    return { path: pageLink(ticket, page), expires_in: PAGE_LINK_LIFE_S }
  },
})
