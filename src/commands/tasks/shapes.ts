import type { Answer } from '../../client/operations.ts'
export type TaskType = Answer<'list_task_types'>['data'][number]
export type TaskQuote = Answer<'quote_task'>
export type Task = Answer<'get_task'>
export type TaskEvidence = Answer<'get_task_evidence'>
