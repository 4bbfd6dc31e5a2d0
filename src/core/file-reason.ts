const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the system allows no file of this size',
  EIO: 'the disk failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  EROFS: 'the disk is read-only',
}

/** Returns the system's reason for a file error, in words that follow a colon. */
export function fileReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}
