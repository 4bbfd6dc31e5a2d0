import type { CommandContext } from '../../cli/cli.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { inSameWorld, inWorld, printResult, type TargetFlags, worldOf } from '../../cli/print.ts'
import { EXIT } from '../../core/errors.ts'
import { isPostgresUrl } from '../../core/network.ts'
import type { Check } from './check.ts'
import {
  checkDisk,
  checkErrors,
  checkFolders,
  checkOpenCalls,
  checkProgram,
  checkTerminal,
  checkZone,
} from './machine.ts'
import { checkPrinters } from './printers.ts'
import { toPage } from './screen.ts'
import { checkKeyring, checkSettings } from './settings.ts'

export const doctor = defineCommand({
  words: 'doctor',
  summary: 'Check your setup and suggest fixes',
  description:
    'Checks the program, settings, folders, disk, data store or server, proxy, certificate, clock, login, keyring, pending calls and ticket printers. It creates no store, changes no data, and works when other commands cannot start. The exit code is 0, or that of the first failed check; warnings do not count.',
  examples: ['dray doctor', 'dray doctor --profile work', 'dray doctor --json'],
  async run(given) {
    const { settings, checks } = checkSettings(given)
    // Its own settings omit what may be broken; those of other commands say how to print.
    const cli: CommandContext = settings === undefined ? given : { ...given, settings }
    const found = await checkAll(cli, checks, settings !== undefined)
    const all = found.map((check) => inItsWorld(check, worldOf(cli)))
    if (isInteractiveTable(cli)) await cli.io.stdout.write(toPage(all, cli))
    else
      await printResult(
        cli,
        { data: all, has_more: false, next_cursor: null },
        { list: true, columns: ['check', 'status', 'detail', 'fix'].map((field) => ({ field })) },
      )
    return all.find(({ status }) => status === 'wrong')?.exit_code ?? EXIT.ok
  },
})

/** Returns a finding with commands for the profile, the service and the store that was examined. */
function inItsWorld(check: Check, world: TargetFlags): Check {
  const { detail, fix } = check
  const isOfWorld = fix !== null && /^dray (?:intents|sandbox) /.test(fix)
  return {
    ...check,
    detail: inWorld(detail, world),
    fix: isOfWorld ? inSameWorld(fix, world) : fix && inWorld(fix, world),
  }
}

async function checkAll(
  cli: CommandContext,
  settings: readonly Check[],
  isUsable: boolean,
): Promise<Check[]> {
  const { runtime } = cli
  const [place, keyring] = await Promise.all([
    isUsable ? checkPlace(cli) : [],
    checkKeyring(isUsable ? cli.settings : undefined, runtime).catch(() => undefined),
  ])
  return [
    checkProgram(runtime),
    ...settings,
    ...checkFolders(runtime),
    checkDisk(runtime, isUsable ? storeFileOf(cli.settings) : undefined),
    ...place,
    ...(keyring === undefined ? [] : [keyring]),
    checkOpenCalls(runtime),
    checkErrors(runtime),
    ...checkPrinters(runtime),
    ...checkTerminal(cli),
    ...checkZone(cli.runtime.env),
  ]
}

/** Returns the file of an embedded store. */
function storeFileOf({ target }: CommandContext['settings']): string | undefined {
  if (target.kind === 'remote' || target.store === ':memory:' || isPostgresUrl(target.store)) return undefined
  return target.store
}

/** Looks at the store or the service of this command. */
async function checkPlace({ settings, runtime }: CommandContext): Promise<Check[]> {
  const { target } = settings
  if (target.kind === 'remote') {
    const { checkService } = await import('./service.ts')
    return checkService(settings, target, runtime)
  }
  const { checkClock, checkStore } = await import('./store.ts')
  const { checks, canOpen } = await checkStore(target, settings.sources.service === 'environment', runtime)
  return canOpen ? [...checks, await checkClock(target, runtime)] : checks
}
