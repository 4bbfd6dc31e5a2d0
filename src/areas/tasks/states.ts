/** The statuses of a task and its moves (docs/rules/tasks.md#the-statuses-of-a-task). */
export const TASK_STATUSES = [
  'created',
  'assigned',
  'en_route',
  'in_progress',
  'under_review',
  'completed',
  'failed',
  'cancelled',
  'unfulfilled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

const MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  created: ['assigned', 'unfulfilled', 'cancelled'],
  // A task is dispatched again after its provider gives it back.
  assigned: ['en_route', 'created', 'cancelled'],
  en_route: ['in_progress', 'created', 'cancelled'],
  in_progress: ['under_review', 'failed'],
  // The work resumes once, for evidence that the rules still miss.
  under_review: ['completed', 'in_progress', 'failed'],
  completed: [],
  failed: [],
  cancelled: [],
  unfulfilled: [],
}

/** Returns true if a task may move from one status to the other. */
export function canMoveTask(from: TaskStatus, to: TaskStatus): boolean {
  return MOVES[from].includes(to)
}

/** Returns true when no status can follow. */
export function isTaskOver(status: TaskStatus): boolean {
  return MOVES[status].length === 0
}

export const TASK_CANCEL_REASONS = ['no_longer_needed', 'wrong_details', 'too_slow', 'other'] as const
export type TaskCancelReason = (typeof TASK_CANCEL_REASONS)[number]

/** The times of a task, and of its quote, that people are told. */
export const TASK_TIMES = ['window.starts_at', 'window.ends_at', 'eta_at'] as const
export const TASK_QUOTE_TIMES = ['window.starts_at', 'window.ends_at', 'earliest_start_at'] as const
