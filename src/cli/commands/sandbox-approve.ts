import { AppError } from '../../errors.ts'
import { defineCommand, text } from '../command.ts'
import { changeSandbox, readInput } from '../sandbox.ts'

export const sandboxApprove = defineCommand({
  words: 'sandbox approve',
  summary: 'Approve the login of a device, or deny it, by the code that it shows',
  description:
    'Does what a person would do on the page that `dray login` opens: for tests, and where there is no browser.',
  positionals: [
    { name: 'code', field: 'user_code', description: 'the code, such as BCDF-GHJK', required: true },
  ],
  flags: [
    {
      flag: 'account',
      kind: 'text',
      field: 'account',
      value: 'NAME',
      description: 'account that the device will speak for; the one of the profile without it',
    },
    { flag: 'deny', kind: 'boolean', field: 'deny', description: 'turn the device away' },
  ],
  examples: ['dray sandbox approve BCDF-GHJK --account shipper', 'dray sandbox approve bcdfghjk --deny'],
  danger: 'write',
  async run(cli, args) {
    if (text(args, 'code')?.trim() === '')
      throw new AppError('usage', '<code> is empty: give the code that the device shows, such as BCDF-GHJK.')
    if (args['deny'] === true && args['account'] !== undefined)
      throw new AppError('usage', 'A device is denied for nobody: leave --account out, or --deny.')
    const input = await readInput(cli, args)
    const own = input['deny'] === true ? undefined : cli.settings.target.account
    return changeSandbox(
      cli,
      'approve_device',
      { ...(own !== undefined && { account: own }), ...input },
      ({ status }) => ({
        columns: [
          { field: 'user_code', label: 'Code' },
          { field: 'status' },
          { field: 'device' },
          { field: 'handle', label: 'Account' },
          { field: 'scopes' },
        ],
        done: status === 'approved' ? '{device} may log in as {handle}.' : '{device} was turned away.',
      }),
    )
  },
})
