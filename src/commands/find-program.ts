/** Finds programs of the machine. */
import fs from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Returns the path of a program. PATH may contain the working folder, with files that may be another user's. */
export function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined
  if (/[\\/]/.test(name)) return undefined
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK)
    return fs.statSync(path).isFile()
  } catch {
    return false
  }
}
