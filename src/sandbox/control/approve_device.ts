import * as Type from 'typebox'
import { strictObject, nullable } from '../../core/schema.ts'
import { decideDevice } from '../../oauth/device.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { accountParam, scopes } from './schema.ts'

/** An account with all rights. */
const DEFAULT_ACCOUNT = 'everything'

export const approveDevice = defineControl({
  name: 'approve_device',
  method: 'POST',
  path: '/sandbox/devices/{user_code}',
  summary: 'Approve or deny a device login by its code',
  input: strictObject({
    user_code: Type.String({ minLength: 1, maxLength: 40, description: 'Code that the device shows' }),
    account: Type.Optional(accountParam),
    deny: Type.Optional(Type.Boolean({ description: 'Turn it away' })),
  }),
  output: strictObject({
    user_code: Type.String({ meaning: 'Code of the device', label: 'Code' }),
    status: Type.Enum(['approved', 'denied'] as const, { meaning: 'Decision' }),
    device: Type.String({ meaning: 'Name that the device gives itself' }),
    account_id: nullable('Account for which the device acts; null if denied', Type.String()),
    handle: nullable('Short name of this account; null if denied', Type.String(), 'Account'),
    scopes,
  }),
  errors: ['account_not_found', 'invalid_state'],
  example: (done) => ({ user_code: done['device'].user_code, account: 'books' }),
  cli: {
    command: 'sandbox approve',
    danger: 'write',
    columns: ['user_code', 'status', 'device', 'handle', 'scopes'],
  },
  run({ write }, { user_code: userCode, account: name, deny = false }) {
    if (deny && name !== undefined)
      throw invalidMemberError('account', 'is not needed to deny a device: leave it out')
    return write(async (tx, _stored, now) => {
      const { device, account } = await decideDevice(
        tx,
        deny ? { userCode, approve: false } : { userCode, approve: true, accountId: name ?? DEFAULT_ACCOUNT },
        now,
      )
      return {
        user_code: device.user_code,
        status: deny ? ('denied' as const) : ('approved' as const),
        device: device.device,
        account_id: account?.account_id ?? null,
        handle: account?.handle ?? null,
        scopes: deny ? [] : [...device.scopes],
      }
    })
  },
})
