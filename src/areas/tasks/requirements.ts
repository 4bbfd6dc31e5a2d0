import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import type { TaskTypeRecord } from './queries/taskers.ts'

/** Throws `requirements_invalid` with every fault against the schema of the task type. */
export async function assertRequirements(
  { explain }: Pick<OperationContext, 'explain'>,
  { task_type, doc }: TaskTypeRecord,
  requirements: unknown,
): Promise<void> {
  const found = await explain(doc.requirements_schema, requirements)
  if (found.length === 0) return
  const errors = found.map((error) => ({ ...error, pointer: `/requirements${error.pointer ?? ''}` }))
  throw new AppError('requirements_invalid', `requirements do not match the schema of ${task_type}.`, {
    errors,
    extra: { operations: ['list_task_types'] },
    hint: `list_task_types has the requirements_schema of ${task_type}.`,
  })
}
