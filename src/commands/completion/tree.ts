/** The words of command lines, as the build writes them for the shells: `src/generate/completion-tree.ts` makes them. */

/**
 * The values of an argument or a flag: one of these names, a file, free text, or `@kind` for what is known on this
 * machine; after commas then the values that a sandbox always has.
 */
export type CompletionValues = readonly string[] | 'file' | 'text' | SavedValuesKind
export type SavedValuesKind = `@${string}`

export type FlagNode = {
  /** The names as typed, with dashes; the short one, if any, last. */
  names: readonly string[]
  description: string
  /** Absent for a flag without a value. */
  values?: CompletionValues
  repeat?: true
}

export type PositionalNode = { values: CompletionValues; repeat?: true }

export type CommandNode = {
  next: { name: string; description: string }[]
  /** The command's own flags and the global ones that it declares. */
  flags: FlagNode[]
  places: PositionalNode[]
}

export type CommandTree = {
  /** By the words after `dray`; empty for `dray` itself. Its flags are indexes into `flags`, because commands share most of them. */
  nodes: Readonly<Record<string, Omit<CommandNode, 'flags'> & { flags: readonly number[] }>>
  flags: readonly FlagNode[]
  /** The flags of every command. */
  globals: readonly FlagNode[]
}
