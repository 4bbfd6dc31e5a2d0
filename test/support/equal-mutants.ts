/** A change in one place: the first line that it changes, the text there, and the text after it, each in one line. */
export type Change = { file: string; line: string; was: string; becomes: string }

/** The changes that no test can notice, because the program then does the same; each with its reason. */
export const EQUAL_MUTANTS: readonly (Change & { reason: string })[] = []
