/** Takes changes of an item back: the former values are sent as a change of their own. */
import { type ItemMembers, computeItemAtVersion } from '../../../areas/catalog/rules/item-history.ts'
import {
  findAnswered,
  findOpenCall,
  makeCall,
  recordNewCall,
  rememberAnswered,
} from '../../../cli/calls/call-once.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import type { OperationHints } from '../../../cli/command.ts'
import { loadOperationHints } from '../../../cli/hints-of.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { commandLine, quoteArgument } from '../../../cli/output/shell.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { printResult } from '../../../cli/print.ts'
import type { CallResult } from '../../../client/client.ts'
import { AppError, EXIT } from '../../../core/errors.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { runItemChange, type ItemCall } from './change-item.ts'
import { resolveItem } from './find-item.ts'
import { type History, planUndoSteps, UNDO_OPERATIONS, type UndoOperation } from './history.ts'

/** Brings an item back to a version; without one, to the version before the present one. Throws AppError. */
export async function undo(cli: CommandContext, asked: string, to: number | undefined): Promise<number> {
  const said = (operation: UndoOperation): unknown => [asked, to ?? null, operation]
  for (const operation of cli.globals.dryRun ? [] : UNDO_OPERATIONS) {
    const held = (await findOpenCall(cli, said(operation))) ?? (await findAnswered(cli, said(operation)))
    if (held === undefined) continue
    const code = await makeCall(cli, held, (answer) => printUndone(cli, operation, answer))
    // By its number, the rest can be found again.
    if (to === undefined || held.intent.key === cli.globals.idempotencyKey) return code
  }
  const client = await cli.client()
  const { itemId } = await resolveItem(client, asked)
  const { value: history } = await client.call('get_catalog_item_history', { item_id: itemId })
  const version = versionToUndo(history, to)
  const { now } = await client.serviceTime()
  const steps = planUndoSteps(history, computeItemAtVersion(history.item, history.data, version), now)
  if (steps.length === 0) {
    await printResult(cli, { item_id: itemId, name: history.item.name, version: history.version })
    await cli.say(
      `Nothing changed: ${sanitizeForTerminal(history.item.name)} already has the values of version ${version}.`,
    )
    return EXIT.ok
  }
  // Two people may take back the same mistake, of which the second would bring it back.
  if (to === undefined) await printUndoneVersion(cli, history)
  let code: number = EXIT.ok
  for (const { operation, input } of steps) {
    const sending: ItemCall = {
      operation: await undoHints(operation),
      input,
      said: said(operation),
      source: 'undo',
    }
    code = await runItemChange(cli, sending, {
      send: (sent) => send(cli, operation, sent),
      print: (answer) => printUndone(cli, operation, answer),
    })
  }
  return code
}

/** Names the author of the change that is undone. */
async function printUndoneVersion(cli: CommandContext, { data: [latest] }: History): Promise<void> {
  if (latest === undefined) return
  const time = cellText(latest.changed_at, '', { tty: true, width: 80, colour: false })
  const whose = latest.changed_by === null ? '' : `, by ${sanitizeForTerminal(latest.changed_by)}`
  await cli.say(`Undoes version ${latest.version} of ${time}${whose}.`)
}

async function send(
  cli: CommandContext,
  operation: UndoOperation,
  { input, said }: ItemCall,
): Promise<number> {
  const held = await recordNewCall(cli, said, { operation, input })
  return makeCall(cli, held, async (answer) => {
    rememberAnswered(cli, said, held)
    return printUndone(cli, operation, answer)
  })
}

async function printUndone(
  cli: CommandContext,
  operation: UndoOperation,
  { value, replayed }: CallResult,
): Promise<number> {
  await printResult(cli, value, { ...(await undoHints(operation)), replayed })
  return EXIT.ok
}

/** An undo is a change like any other, which the same command takes back. */
async function undoHints(operation: UndoOperation): Promise<OperationHints> {
  return {
    ...(await loadOperationHints(operation)),
    done: 'Restored {name}; it is now at version {version}.',
    next: 'dray business catalog history {item_id}',
  }
}

/** Returns the version that the item shall be like. Throws AppError where that is not possible. */
function versionToUndo({ item, version, deleted_at, data }: History, to = version - 1): number {
  const name = sanitizeForTerminal(item.name)
  if (deleted_at !== null)
    throw new AppError(
      'invalid_state',
      `${name} was deleted. A deletion cannot be undone. Nothing was sent.`,
      { hint: `Create it again with a new ID: \`${creationOf(item)}\`` },
    )
  if (to >= version)
    throw new AppError('usage', `--to ${to}: ${name} is at version ${version}; choose an earlier version.`)
  if (to < 1)
    throw new AppError(
      'invalid_state',
      `${name} has not changed since its creation: there is nothing to undo.`,
      {
        hint: `\`dray business catalog delete ${quoteArgument(item.name)}\` deletes it permanently.`,
      },
    )
  const oldest = data.at(-1)?.version ?? version + 1
  if (to >= oldest - 1) return to
  throw new AppError('invalid_state', `Version ${to} of ${name} is no longer stored.`, {
    hint: `\`dray business catalog history ${quoteArgument(item.name)}\` shows what is.`,
  })
}

function creationOf({ name, category, price, description, modifier_groups }: ItemMembers): string {
  const words = ['--name', name, '--category', category.name, '--price', formatGroupedMoney(price)]
  const more = description === null ? [] : ['--description', description]
  const choices = modifier_groups.length === 0 ? '' : ' --modifiers …'
  return `${sanitizeForTerminal(commandLine(['dray', 'business', 'catalog', 'create', ...words, ...more]))}${choices}`
}
