/** Shows collected evidence to people: the progress of each requirement, then the items. */
import { makePaint } from '../../cli/output/colour.ts'
import type { RenderOptions } from '../../cli/output/render-options.ts'
import { renderTextTable } from '../../cli/output/table.ts'
import { sanitizeForTerminal, wrapText } from '../../cli/output/text.ts'
import type { OperationOutput } from '../../client/operations.ts'
import type { Column } from '../../core/operation.ts'

type TaskEvidence = OperationOutput<'get_task_evidence'>

export const ITEM_COLUMNS: readonly Column[] = [
  { field: 'requirement_id' },
  { field: 'kind' },
  { field: 'status' },
  { field: 'rejection_reason', label: 'Rejection reason' },
  { field: 'captured_at' },
  { field: 'media.integrity.distance_to_target_m', label: 'Distance' },
  { field: 'answers_text', label: 'Answers' },
  { field: 'media.sha256', label: 'SHA-256' },
  { field: 'evidence_id' },
]

/** The rows of the table; a pipe gets them too. */
export function rowsOf({ items }: TaskEvidence): unknown[] {
  return items.map((item) => ({
    ...item,
    answers_text: item.answers.map(({ question_id, value }) => `${question_id} ${String(value)}`).join(', '),
  }))
}

export async function evidenceText(evidence: TaskEvidence, renderOptions: RenderOptions): Promise<string> {
  const style = makePaint(renderOptions.colour)
  const { requirements, items, manifest, rules_satisfied } = evidence
  const heads = requirements.flatMap(({ requirement_id, kind, required, collected, satisfied, problems }) => [
    formatRequirementLine(
      `${sanitizeForTerminal(requirement_id)}: ${collected} of ${required} ${kind}${required === 1 ? '' : 's'}`,
      satisfied,
      renderOptions,
    ),
    ...problems
      .flatMap((problem) => wrapText(`  ${sanitizeForTerminal(problem)}`, renderOptions.width))
      .map(style.dim),
  ])
  const rows = await renderTextTable(
    rowsOf(evidence).map((row) => short(row as Row)),
    ITEM_COLUMNS.filter(({ field }) => field !== 'evidence_id'),
    renderOptions,
  )
  return [
    style.bold(rules_satisfied ? 'All required evidence is complete.' : 'Some required evidence is missing.'),
    ...heads,
    ...(items.length === 0 ? [] : ['', rows]),
    '',
    ...wrapText(
      `Manifest of ${manifest.item_count} items, SHA-256 ${sanitizeForTerminal(manifest.root)}`,
      renderOptions.width,
    ).map(style.dim),
  ].join('\n')
}

type Row = { media: { sha256: string } | null }

/** A whole hash is for programs: `--json` has it. */
function short(row: Row): unknown {
  return row.media === null ? row : { ...row, media: { ...row.media, sha256: row.media.sha256.slice(0, 12) } }
}

/** The progress of one requirement: a mark before it, or a word behind it where glyphs are not read. */
function formatRequirementLine(line: string, satisfied: boolean, renderOptions: RenderOptions): string {
  if (renderOptions.accessible === true) return `${line}, ${satisfied ? 'complete' : 'not complete yet'}`
  const style = makePaint(renderOptions.colour)
  return `${satisfied ? style.green('✔') : style.yellow('○')} ${line}`
}
