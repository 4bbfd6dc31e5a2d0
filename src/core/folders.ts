type Failure = Error & { code?: string; path?: string }

/**
 * Makes a folder, and those above it that are missing. Throws the system's error, with the folder that could not be made as
 * its `path`. Node's own `recursive` tries for ever below /proc, and reports ENOENT for a read-only disk.
 */
export function makeFolders(path: string, mode = 0o777): void {
  const first = tryToMake(path, mode)
  if (first === undefined) return
  const above = process.getBuiltinModule('node:path').dirname(path)
  if (first.code !== 'ENOENT' || above === path) throw first
  makeFolders(above, mode)
  const second = tryToMake(path, mode)
  if (second !== undefined) throw second
}

/** Makes one folder; returns the error unless it is there now, whoever made it. */
function tryToMake(path: string, mode: number): Failure | undefined {
  try {
    process.getBuiltinModule('node:fs').mkdirSync(path, { mode })
    return undefined
  } catch (error) {
    return isFolder(path) ? undefined : (error as Failure)
  }
}

function isFolder(path: string): boolean {
  try {
    return process.getBuiltinModule('node:fs').statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Returns where a link leads, so that it stays a link when its file is written; the path itself for all else. */
export function realPath(path: string): string {
  try {
    return process.getBuiltinModule('node:fs').realpathSync(path)
  } catch {
    return path
  }
}
