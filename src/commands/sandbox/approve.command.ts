import type { CommandContext } from '../../cli/cli.ts'
import { type Args, readTextArgument } from '../../cli/command.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { readControlInput } from './arguments.ts'
import { callControl } from './call-control.ts'

export const sandboxApprove = defineCommand({
  words: 'sandbox approve',
  summary: 'Approve or deny a device login by its code, or print a link for a browser',
  description:
    'With a code it does the same as the page that `dray login` opens. ' +
    'Without a code it prints a link. The link works once, for 10 minutes, and lets the browser that opens it approve logins for 12 hours. ' +
    'Behind a proxy, replace the server address in the link with the proxy’s. Both need the control token, so they work only on the machine that runs the server.',
  positionals: [
    { name: 'code', field: 'user_code', description: 'code shown by the device, for example BCDF-GHJK' },
  ],
  flags: [
    {
      flag: 'account',
      kind: 'text',
      field: 'account',
      value: 'NAME',
      description: 'account for the device. Default: the profile’s account',
    },
    { flag: 'deny', kind: 'boolean', field: 'deny', description: 'turn the device away' },
  ],
  examples: [
    'dray sandbox approve BCDF-GHJK --account shipper',
    'dray sandbox approve bcdfghjk --deny',
    'dray sandbox approve --base-url http://127.0.0.1:8080',
  ],
  danger: 'write',
  answer: { of: ['approve_device'], fields: ['approval_link', 'expires_in'] },
  takes: ['dry-run'],
  async run(cli, args) {
    if (readTextArgument(args, 'code')?.trim() === '')
      throw new AppError('usage', '<code> is empty: give the code that the device shows, such as BCDF-GHJK.')
    if (args['deny'] === true && args['account'] !== undefined)
      throw new AppError('usage', '--deny needs no account: leave out --account or --deny.')
    const code = readTextArgument(args, 'code')
    if (code === undefined) return printLink(cli, args)
    const flags = await readControlInput<'approve_device'>(cli, args)
    const own = flags.deny === true ? undefined : cli.settings.target.account
    const input = { ...(own !== undefined && { account: own }), ...flags, user_code: code }
    return callControl(cli, 'approve_device', input, ({ status }) => ({
      done: status === 'approved' ? '{device} can log in as {handle}.' : '{device} was denied access.',
    }))
  },
})

/** Prints a link at which a browser becomes one that may approve. */
async function printLink(cli: CommandContext, args: Args): Promise<number> {
  const flag = ['account', 'deny'].find((name) => args[name] !== undefined)
  if (flag !== undefined)
    throw new AppError('usage', `--${flag} needs the code that the device shows: dray sandbox approve CODE.`)
  if (cli.globals.dryRun) {
    await cli.say('Dry run: no link was created.')
    return 0
  }
  await assertProfileConfirmed(cli)
  const { createLink, findServiceUrl } = await import('../link.ts')
  const { target } = cli.settings
  const address = target.kind === 'remote' ? target.baseUrl : await findServiceUrl(cli, target.store)
  const { link, expiresIn } = await createLink(await cli.client(), address)
  await printResult(
    cli,
    { approval_link: link.href, expires_in: expiresIn },
    {
      columns: [{ field: 'approval_link', label: 'Link' }],
      done: 'Open it in the browser that will approve logins. It works once, for 10 minutes.',
    },
  )
  return 0
}
