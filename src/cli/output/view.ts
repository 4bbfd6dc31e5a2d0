/** The type of a result's print options. */
import type { FormatOptions } from './formats.ts'

export type PrintOptions = FormatOptions & {
  color?: string | undefined
  accessible?: boolean | undefined
  /** The IANA zone of shown times; the system's by default. */
  timezone?: string | undefined
  /** True if to print no notices on stderr. */
  quiet?: boolean | undefined
  /** True if a result that is longer than the screen is shown in the user's pager. */
  pager?: boolean
  /** One sentence for an empty list, printed on stderr. */
  empty?: string | undefined
  /** One sentence on the outcome, with `{field}` filled from the result; printed on stderr for people only. */
  done?: string | undefined
  /** Text before `done`. It is printed unchanged, because it may contain text by other people. */
  told?: string | undefined
  /** The next command, with fields filled and quoted for a shell. */
  next?: string | undefined
}
