/** The fields that do not count in a comparison of snapshots. */
import { AppError } from '../../core/errors.ts'
import { type FieldDifference, differsInTime } from './compare-snapshots.ts'

/**
 * Returns whether a changed field does not count: by its path without places in lists, or by any name within it; `*` stands for any
 * letters. With `ignoreTimes` a time or date does not count where both have one. Throws `usage`, which calls the patterns `named`.
 */
export function readIgnored(
  patterns: readonly string[],
  ignoreTimes: boolean,
  named: string,
): (changed: FieldDifference) => boolean {
  const tests = patterns.map((pattern) => {
    if (/^[\w.*]*\w[\w.*]*$/.test(pattern))
      return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    throw new AppError('usage', `${named} ${pattern.slice(0, 40)} is not the name of a field.`, {
      hint: "Repeat the flag for several fields: --ignore status --ignore sender.contact --ignore '*_minutes'",
    })
  })
  const isNamed = (field: string): boolean => {
    const path = field.replace(/\[\d+\]/g, '')
    return tests.some((test) => [path, ...path.split('.')].some((name) => test.test(name)))
  }
  return (changed) => isNamed(changed.field) || (ignoreTimes && differsInTime(changed))
}
