/** How a result is to be printed. Types only. */
import type { Form } from './formats.ts'

export type View = Form & {
  color?: string | undefined
  accessible?: boolean | undefined
  /** IANA zone of the times shown; the system's when absent. */
  timezone?: string | undefined
  /** No notices on stderr. */
  quiet?: boolean | undefined
  /** Said on stderr of an empty list: one sentence. */
  empty?: string | undefined
  /** One sentence on what happened, `{field}` filled from the result; said on stderr to people only. */
  done?: string | undefined
  /** Said before `done`, as it is: it may hold what somebody wrote. */
  told?: string | undefined
  /** The next sensible command, filled likewise and quoted for a shell. */
  next?: string | undefined
}
