import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { type Args, text } from '../command.ts'
import { lastCreated } from '../recent.ts'

/** The task that was named, else the last one created from here. Throws AppError('usage'). */
export function taskOf(cli: Cli, args: Args): string {
  const id = text(args, 'task_id') ?? lastCreated(cli, 'create_task')?.id
  if (id !== undefined) return id
  throw new AppError('usage', 'Which task? None was created from here.', {
    hint: '`dray tasks create` has something done.',
  })
}
