/** Changes the start-up file of a shell: puts the block of this program in, or takes it out. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileReason } from '../../cli/files/reason.ts'
import { writeOwn } from '../../cli/files/write.ts'
import { AppError } from '../../core/errors.ts'
import type { Place } from './shells.ts'

const BEGIN = '# >>> dray completion >>> `dray completion uninstall` removes these lines'
const END = '# <<< dray completion <<<'
const BLOCK = /\n?^# >>> dray completion >>>[^]*?^# <<< dray completion <<<$\n?/gm

export type Change = {
  shell: string
  path: string
  action: 'written' | 'updated' | 'removed' | 'unchanged'
  /** The lines that were or will be written; empty for a removal. */
  lines: string[]
}

export type Edit = {
  change: Change
  text: string
  /** The lines of this program that the file has now. */
  old: string[]
}

/** Returns what an install changes. Throws AppError('file_error'). */
export function planInstall(place: Place): Edit {
  const { shell, path, lines, isOwnFile } = place
  const before = read(path)
  const block = [BEGIN, ...lines, END].join('\n')
  const rest = isOwnFile ? '' : (before ?? '').replaceAll(BLOCK, '\n')
  const text = rest.trim() === '' ? `${block}\n` : `${rest.trimEnd()}\n\n${block}\n`
  const action = before === text ? 'unchanged' : before?.includes(END) === true ? 'updated' : 'written'
  return { change: { shell, path, action, lines }, text, old: linesOfBlocks(before) }
}

/** Returns what an uninstall changes. Throws AppError('file_error'). */
export function planUninstall({ shell, path }: Place): Edit {
  const before = read(path)
  const isThere = before?.includes(END) === true
  const rest = isThere ? before.replaceAll(BLOCK, '\n').trimEnd() : (before ?? '')
  const text = rest === '' || !isThere ? rest : `${rest}\n`
  return {
    change: { shell, path, action: isThere ? 'removed' : 'unchanged', lines: [] },
    text,
    old: linesOfBlocks(before),
  }
}

function linesOfBlocks(text = ''): string[] {
  const lines = [...text.matchAll(BLOCK)].flatMap(([block]) => block.trim().split('\n'))
  return lines.filter((line) => !line.startsWith(BEGIN.slice(0, 24)) && line !== END)
}

/** Writes a change; a file that would be empty is removed. Throws AppError('file_error'). */
export async function apply({ change, text }: Edit, pid: number): Promise<void> {
  const { path, action } = change
  if (action === 'unchanged') return
  try {
    if (text === '') return rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
  } catch (error) {
    throw cannot(path, 'written', error)
  }
  await writeOwn({ path, file: { name: 'completion', isOurs: () => true }, force: true }, pid, text)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannot(path, 'read', error)
  }
}

function cannot(path: string, what: string, error: unknown): AppError {
  return new AppError('file_error', `${path} cannot be ${what}: ${fileReason(error)}.`, { cause: error })
}
