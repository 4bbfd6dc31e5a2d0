import type { CommandContext } from '../../cli/cli.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { readControlInput, readSandboxTime } from './arguments.ts'
import { callControl } from './call-control.ts'
import { deleteSandboxState } from './forget-world.ts'

export const sandboxReset = defineCommand({
  words: 'sandbox reset',
  summary: 'Reset the sandbox',
  description:
    'Recreates everything from the seed: parcels, accounts, tokens and the clock. Type `sandbox` to confirm, or pass --confirm sandbox.',
  flags: [
    {
      flag: 'seed',
      kind: 'text',
      value: 'N',
      field: 'seed',
      description: 'new seed. Default: the same seed',
    },
    {
      flag: 'at',
      kind: 'text',
      value: 'TIME',
      description: 'freeze the new clock at this time. Default: running from noon',
    },
  ],
  examples: ['dray sandbox reset', 'dray sandbox reset --confirm sandbox --seed 7 --at 2026-11-20T09:00:00Z'],
  danger: 'destructive',
  answer: { of: ['reset'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const { at } = args
    const input = {
      ...(await readControlInput<'reset'>(cli, args)),
      ...(typeof at === 'string' && { at: await readSandboxTime(cli, at, '--at') }),
    }
    const { DRAY_NOW: now } = cli.runtime.env
    if (at === undefined && now)
      await cli.say(
        `warning: The new clock is running: DRAY_NOW applies only when a store is created. --at ${now} freezes it there.`,
      )
    // One --confirm serves both: a protected profile asks for its own name.
    const name = cli.settings.protected ? cli.settings.profile : 'sandbox'
    if (!cli.globals.dryRun) await confirmName(cli, name, await question(cli))
    return callControl(cli, 'reset', input, async () => {
      await deleteSandboxState(cli)
      const { target } = cli.settings
      if (target.kind === 'embedded') {
        const { removeStaleFiles } = await import('../../host/stale-files.ts')
        removeStaleFiles(target.store, cli.runtime)
      }
      return {}
    })
  },
})

async function question(cli: CommandContext): Promise<string> {
  const { address } = shownTarget(cli.settings.target)
  if ((await cli.ask()) === undefined) return `This deletes all data in the sandbox at ${address}.`
  const { counts } = await (await cli.client()).control('get_status', {})
  return `This deletes all data in the sandbox at ${address}: parcels (${counts.shipments}), their history and all tokens.`
}
