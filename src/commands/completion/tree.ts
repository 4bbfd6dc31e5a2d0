/** The words of command lines, as the build writes them for the shells: `src/generate/completion-tree.ts` makes them. */

/**
 * The values of an argument or a flag: one of these names, a file, free text, or `@kind` for what is known on this
 * machine; after commas then the values that a sandbox always has.
 */
export type Values = readonly string[] | 'file' | 'text' | Kept
export type Kept = `@${string}`

export type FlagNode = {
  /** The names as typed, with dashes; the short one, if any, last. */
  names: readonly string[]
  description: string
  /** Absent for a flag without a value. */
  values?: Values
  repeat?: true
}

export type Place = { values: Values; repeat?: true }

export type Node = {
  next: { name: string; description: string }[]
  /** The command's own flags and the global ones that it declares. */
  flags: FlagNode[]
  places: Place[]
}

export type Tree = {
  /** By the words after `dray`; empty for `dray` itself. Its flags are indexes into `flags`, because commands share most of them. */
  nodes: Readonly<Record<string, Omit<Node, 'flags'> & { flags: readonly number[] }>>
  flags: readonly FlagNode[]
  /** The flags of every command. */
  globals: readonly FlagNode[]
}
