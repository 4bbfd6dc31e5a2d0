import { Errors } from 'typebox/value'
import { serviceNow } from '../../core/clock.ts'
import type { Db } from '../../core/db.ts'
import { AppError, type ProblemFieldError, type FieldErrorCode } from '../../core/errors.ts'
import { writePositions } from '../../core/event-position.ts'
import { hiddenFaults } from '../../core/hidden.ts'
import { withoutNulls } from '../../core/nulls.ts'
import type { AnySandboxOperation } from '../../core/operation.ts'
import { formatSchemaIssue, toFieldName, type SchemaIssue } from '../../core/schema-issues.ts'
import { loadWorld } from '../../db/world.ts'
import type { ControlContext, ControlDeps } from './control.ts'
import { type ControlAnswer, findControl } from './index.ts'

/** Carries out a control call of a sandbox. Whoever calls this has shown that it may. Throws AppError. */
export async function invokeControl<N extends string>(
  db: Db,
  name: N,
  given: Readonly<Record<string, unknown>>,
  deps: ControlDeps,
): Promise<ControlAnswer<N>> {
  const control = await findControl(name)
  if (control === undefined)
    throw new AppError('route_not_found', `Unknown control call ${name.slice(0, 60)}.`)
  const input = writePositions(control.input, withoutNulls(control.input, given))
  assertInput(control, input)
  return control.run(makeContext(db, deps), input) as Promise<ControlAnswer<N>>
}

function makeContext(db: Db, { now, random, env, requests }: ControlDeps): ControlContext {
  return {
    db,
    now,
    random,
    env,
    requests,
    read: (work) =>
      db.read(async (tx) => {
        const stored = await loadWorld(tx)
        return work(tx, stored, serviceNow(stored.clock, now()))
      }),
    write: (work) =>
      db.write(async (tx) => {
        const stored = await loadWorld(tx)
        return work(tx, stored, serviceNow(stored.clock, now()))
      }),
  }
}

const CODES: Readonly<Record<string, FieldErrorCode>> = {
  required: 'required',
  // the schema of a field that a closed object does not have
  boolean: 'unknown_member',
  type: 'wrong_type',
  enum: 'invalid_enum',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  maxLength: 'too_long',
  maxItems: 'too_many',
}

function assertInput(control: AnySandboxOperation, input: Readonly<Record<string, unknown>>): void {
  const issues = Errors(control.input, input) as SchemaIssue[]
  // Said already, of each field; there may be so many that this one is cut off.
  const errors = issues
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .flatMap((issue) => toErrors(issue, control.input))
  const hidden = hiddenFaults(control.input, input)
  const all = [...errors, ...hidden]
  if (all.length === 0) return
  const code = errors.length === 0 ? 'hidden_characters' : 'invalid_request'
  throw new AppError(code, `${all.map(({ detail }) => detail).join('; ')}.`, { errors: all })
}

function toErrors(issue: SchemaIssue, schema: object): ProblemFieldError[] {
  const { keyword, instancePath, params } = issue
  const code = CODES[keyword] ?? 'invalid_format'
  const missing = params['requiredProperties']
  if (Array.isArray(missing)) {
    return missing.map((member) => ({
      pointer: `${instancePath}/${String(member)}`,
      code,
      detail: `${String(member)} is required`,
    }))
  }
  const what = keyword === 'boolean' ? 'is unknown' : formatSchemaIssue(schema, issue)
  return [{ pointer: instancePath.slice(0, 60), code, detail: `${toFieldName(instancePath)} ${what}`.trim() }]
}
