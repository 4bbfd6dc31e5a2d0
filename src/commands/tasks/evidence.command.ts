import { EVIDENCE_KINDS } from '../../areas/tasks/rules/task.ts'
import { namedOrLast } from '../../cli/calls/last.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { FORCE_FLAG } from '../../cli/files/write.ts'
import { isInteractiveTable, renderOptionsOf } from '../../cli/output/render-options-of.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import type { PictureBytes } from '../../cli/pictures/media.ts'
import { printResult, isWholeResponsePrinted, printNextStep } from '../../cli/print.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { renderPictures, protocolOf, SHOW_FLAG } from '../proofs/draw.ts'
import { savePictures } from '../proofs/pictures.ts'
import type { EvidenceVerification } from './verify.ts'

type TaskEvidence = OperationOutput<'get_task_evidence'>

const FLAGS = [
  {
    flag: 'requirement',
    kind: 'text',
    value: 'ID',
    description: 'only what was captured for this requirement',
  },
  {
    flag: 'kind',
    kind: 'enum',
    choices: EVIDENCE_KINDS,
    description: 'only evidence of this kind',
  },
  {
    flag: 'save',
    kind: 'text',
    value: 'DIR',
    fileAccess: 'make',
    description: 'save the photos and SHA256SUMS in this folder',
  },
  FORCE_FLAG,
  { flag: 'verify', kind: 'boolean', description: 'compute every hash and the manifest again' },
  SHOW_FLAG,
] as const satisfies readonly Flag[]

const TASK = { name: 'task_id', description: 'task ID. Default: the last task' } as const

/** `dray tasks evidence [TASK]`. */
export const tasksEvidence = defineCommand({
  words: 'tasks evidence',
  summary: 'Show a task’s evidence: photos, hashes, locations, answers',
  description:
    'Default: your last task. --save writes the photos and a SHA256SUMS file for `sha256sum -c`; use --force to overwrite a file that dray did not write. --verify downloads every photo, recomputes its hash and the manifest root, and reports mismatches (exit 6). A terminal that can draw images shows the photos.',
  positionals: [TASK],
  flags: FLAGS,
  examples: [
    'dray tasks evidence',
    'dray tasks evidence tsk_01m7vkystgemq8k9w39qsaekf4 --save proof',
    'dray tasks evidence tsk_01m7vkystgemq8k9w39qsaekf4 --verify --json',
  ],
  run: evidence,
})

async function evidence(cli: CommandContext, args: FlagValues<typeof FLAGS, [typeof TASK]>): Promise<number> {
  const { requirement: requirement_id, save: folder, kind, force = false } = args
  if (force && folder === undefined) throw new AppError('usage', '--force requires --save.')
  const client = await cli.client()
  const { value: found } = await client.call('get_task_evidence', {
    task_id: await namedOrLast(cli, args.task_id, 'task_id'),
    ...(requirement_id !== undefined && { requirement_id }),
    ...(kind !== undefined && { kind }),
  })
  const protocol = protocolOf(cli, args.show)
  const verifies = args.verify === true
  const fetched: PictureBytes =
    verifies || folder !== undefined || protocol !== undefined
      ? await (await import('../../cli/pictures/media.ts')).fetchMedia(client, found.items)
      : new Map()
  const files =
    folder === undefined
      ? undefined
      : await savePictures(cli, folder, { pictures: found.items, fetched }, { force })
  const verification =
    verifies || folder !== undefined
      ? (await import('./verify.ts')).verifyEvidence(found, fetched)
      : undefined
  await printEvidence(cli, found, verifies ? verification : undefined)
  if (protocol !== undefined) await renderPictures(cli, found.items, fetched, { protocol, files })
  if (folder === undefined) await printSaveHint(cli, found)
  return conclude(cli, verification, verifies)
}

async function printSaveHint(cli: CommandContext, found: TaskEvidence): Promise<void> {
  if (isInteractiveTable(cli) && found.items.some(({ media }) => media !== null))
    await printNextStep(cli, found, 'dray tasks evidence {task_id} --save evidence')
}

async function printEvidence(
  cli: CommandContext,
  found: TaskEvidence,
  verification: EvidenceVerification | undefined,
): Promise<void> {
  if (isInteractiveTable(cli)) {
    const { evidenceText } = await import('./evidence-text.ts')
    await cli.io.stdout.write(`${await evidenceText(found, renderOptionsOf(cli, 'stdout'))}\n`)
    return
  }
  if (verification !== undefined) return printResult(cli, verification)
  if (isWholeResponsePrinted(cli)) return printResult(cli, found)
  const { ITEM_COLUMNS, rowsOf } = await import('./evidence-text.ts')
  const rows = cli.settings.format === 'ndjson' ? found.items : rowsOf(found)
  await printResult(cli, { data: rows, has_more: false, next_cursor: null }, { columns: ITEM_COLUMNS })
}

async function conclude(
  cli: CommandContext,
  verification: EvidenceVerification | undefined,
  verifies: boolean,
): Promise<number> {
  if (verification === undefined) return EXIT.ok
  const { verified, problems, items } = verification
  for (const problem of problems) await cli.say(`✘ ${sanitizeForTerminal(problem)}`)
  if (verified && verifies) {
    const count = items.filter(({ sha256 }) => sha256 !== null).length
    await cli.say(`Verified: ${count} ${count === 1 ? 'picture' : 'pictures'} and the manifest root match.`)
  }
  return verified ? EXIT.ok : EXIT.rejected
}
