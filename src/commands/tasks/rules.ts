import type { EvidenceRuleChange } from '../../areas/tasks/rules/evidence-rules.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { readJsonInput } from '../../cli/json-input.ts'
import { AppError } from '../../core/errors.ts'

const RULE_WORDS = '"shelf_photos min_count=4 geofence_radius_m=50"'

/** Stricter evidence from `--rules` and `--rule`. Throws AppError('usage' | 'file_error'). */
export async function readRules(
  cli: CommandContext,
  { rules: file, rule: typed = [] }: { rules?: string | undefined; rule?: string[] | undefined },
): Promise<EvidenceRuleChange[]> {
  return [...(file === undefined ? [] : await readFile(cli, file)), ...typed.map((each) => readRule(each))]
}

/** `requirement_id min_count=4 geofence_radius_m=50`. Throws AppError('usage'). */
export function readRule(typed: string): EvidenceRuleChange {
  const [id = '', ...parts] = typed.trim().split(/[\s,]+/)
  const values = parts.map((part) => /^(min_count|geofence_radius_m)=(\d{1,6})$/.exec(part))
  if (id === '' || id.includes('=') || values.length === 0 || values.includes(null)) {
    throw new AppError(
      'usage',
      `--rule must be like ${RULE_WORDS}, not ${JSON.stringify(typed.slice(0, 60))}.`,
    )
  }
  return {
    requirement_id: id,
    ...Object.fromEntries(values.map((found) => [found?.[1] ?? '', Number(found?.[2])])),
  }
}

async function readFile(cli: CommandContext, file: string): Promise<EvidenceRuleChange[]> {
  const { evidence_rules: rules } = await readJsonInput(cli, file)
  if (Array.isArray(rules)) return rules as EvidenceRuleChange[]
  throw new AppError('file_error', `${file} must hold {"evidence_rules": [...]}.`)
}
