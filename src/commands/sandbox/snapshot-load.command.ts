import { createReadStream } from 'node:fs'
import { readTextArgument } from '../../cli/command.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { printResult } from '../../cli/print.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { deleteSandboxState } from './forget-world.ts'
import { assertReadable, SERVICE_TIME, snapshotFile } from './snapshots.ts'
import { nameTargets, targetsOf } from './webhook-targets.ts'

export const sandboxSnapshotLoad = defineCommand({
  words: 'sandbox snapshot load',
  summary: 'Replace the sandbox with a snapshot',
  description:
    'Replaces everything or, if the file is damaged or from a newer version, nothing. One from an older version is upgraded. The clock continues from its saved time. Type ' +
    '`sandbox` to confirm, or pass --confirm sandbox. Tokens of restored accounts stay valid; shared links end.',
  positionals: [{ name: 'name', description: 'name, or file', fileAccess: 'read' }],
  examples: ['dray sandbox snapshot load before-lunch --confirm sandbox'],
  danger: 'destructive',
  answer: { fields: ['dray_snapshot', 'schema_version', 'seed', 'service_time', 'webhook_targets', 'path'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const given = readTextArgument(args, 'name')
    if (given === undefined)
      throw missingInputError(cli.argv, [{ flag: 'NAME', value: 'before', description: 'a name, or a file' }])
    const path = snapshotFile(cli, given)
    assertReadable(path, given)
    const { address } = shownTarget(cli.settings.target)
    const name = cli.settings.protected ? cli.settings.profile : 'sandbox'
    if (cli.globals.dryRun) {
      await cli.say(`Dry run: ${path} was not loaded.`)
      return 0
    }
    await confirmName(cli, name, `This replaces everything in the sandbox at ${address} with ${path}.`)
    const head = (await (await cli.client()).loadSnapshot(() => createReadStream(path))) as object
    await deleteSandboxState(cli)
    await nameTargets(cli, targetsOf(head))
    await printResult(
      cli,
      { ...head, path },
      {
        columns: [SERVICE_TIME, { field: 'seed' }],
        done: 'The sandbox is restored.',
        next: 'dray sandbox status',
      },
    )
    return 0
  },
})
