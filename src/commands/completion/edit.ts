/** Changes the start-up file of a shell: puts the block of this program in, or takes it out. */
import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeOutputFile } from '../../cli/files/write.ts'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { makeFolders } from '../../core/folders.ts'
import type { StartupFile } from './shells.ts'

const BEGIN = '# >>> dray completion >>> `dray completion uninstall` removes these lines'
const END = '# <<< dray completion <<<'
const BLOCK =
  /(?:\r?\n)?^# >>> dray completion >>>.*\r?\n(?:(?!# (?:>>>|<<<) dray completion).*\r?\n)*# <<< dray completion <<<$(?:\r?\n)?/gm
/** A line that begins or ends a block. */
const MARK = /^# (?:>>>|<<<) dray completion/m

export type StartupFileChange = {
  shell: string
  path: string
  action: 'written' | 'updated' | 'removed' | 'unchanged'
  /** The lines that were or will be written; empty for a removal. */
  lines: string[]
}

export type StartupFileEdit = {
  change: StartupFileChange
  text: string
  /** The lines of this program that the file has now. */
  old: string[]
}

/** Returns what an install changes. Throws AppError('file_error'). */
export function planInstall(place: StartupFile): StartupFileEdit {
  const { shell, path, lines, isOwnFile } = place
  const before = read(path)
  const eol = eolOf(before)
  const block = [BEGIN, ...lines, END, ''].join(eol)
  const rest = isOwnFile ? '' : withoutBlocks(before ?? '', path)
  const text = rest.trim() === '' ? block : `${rest.trimEnd()}${eol}${eol}${block}`
  const action = before === text ? 'unchanged' : before?.includes(END) === true ? 'updated' : 'written'
  return { change: { shell, path, action, lines }, text, old: linesOfBlocks(before) }
}

/** Returns what an uninstall changes. Throws AppError('file_error'). */
export function planUninstall({ shell, path }: StartupFile): StartupFileEdit {
  const before = read(path)
  const isThere = before !== undefined && MARK.test(before)
  const rest = isThere ? withoutBlocks(before, path).trimEnd() : (before ?? '')
  const text = rest === '' || !isThere ? rest : `${rest}${eolOf(before)}`
  return {
    change: { shell, path, action: isThere ? 'removed' : 'unchanged', lines: [] },
    text,
    old: linesOfBlocks(before),
  }
}

/** Returns the lines of the user. Throws AppError('file_error') where a block has no begin or no end: it might be theirs. */
function withoutBlocks(text: string, path: string): string {
  const rest = text.replaceAll(BLOCK, eolOf(text))
  if (!MARK.test(rest)) return rest
  throw new AppError('file_error', `${path} has only some of the lines of dray. It was not changed.`, {
    hint: 'Remove the remaining dray completion lines by hand, then run the same command again.',
  })
}

function eolOf(text = ''): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function linesOfBlocks(text = ''): string[] {
  const lines = [...text.matchAll(BLOCK)].flatMap(([block]) => block.trim().split(/\r?\n/))
  return lines.filter((line) => !line.startsWith(BEGIN.slice(0, 24)) && line !== END)
}

/** Writes a change; a file that would be empty is removed. Throws AppError('file_error'). */
export async function applyStartupFileEdit({ change, text }: StartupFileEdit, pid: number): Promise<void> {
  const { path, action } = change
  if (action === 'unchanged') return
  try {
    if (text === '') return rmSync(path, { force: true })
    makeFolders(dirname(path))
  } catch (error) {
    throw cannot(path, 'written', error)
  }
  await writeOutputFile({ path, file: { name: 'completion', isOurs: () => true }, force: true }, pid, text)
}

function read(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof TypeError)
      throw new AppError('file_error', `${path} is not UTF-8 and was not changed.`, {
        hint: '`dray completion SHELL` prints the script; load it there by hand.',
      })
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannot(path, 'read', error)
  }
}

function cannot(path: string, what: string, error: unknown): AppError {
  return new AppError('file_error', `${path} cannot be ${what}: ${fileReason(error)}.`, { cause: error })
}
