import * as Type from 'typebox'
import { strictObject } from '../../core/schema.ts'
import { createTicket, LINK_LIFE_S } from '../../oauth/approvers.ts'
import { defineControl } from './control.ts'

export const createApprovalLink = defineControl({
  name: 'create_approval_link',
  method: 'POST',
  path: '/sandbox/approval-links',
  summary: 'Make a link that lets one browser approve devices; it works once',
  input: strictObject({}),
  output: strictObject({
    path: Type.String({ description: 'Path and query of the link, at the address of the service' }),
    expires_in: Type.Integer({ description: 'Seconds until it is void' }),
  }),
  cli: {
    command: 'sandbox approve',
    danger: 'write',
  },
  async run({ db, now, random }) {
    const ticket = await db.write((tx) => createTicket(tx, { machineNow: now(), random }))
    return { path: `/device?ticket=${ticket}`, expires_in: LINK_LIFE_S }
  },
})
