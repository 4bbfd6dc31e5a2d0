/** The flags of commands that read a file of rows. */
import { MAX_REQUEST_ROWS } from '../../core/cut-rows.ts'
import type { Flag, FlagValues, Positional } from '../command.ts'
import type { FORCE_FLAG } from '../files/write.ts'

/** Flags that say where the columns of a file are. */
export const COLUMN_FLAGS = [
  {
    flag: 'map',
    kind: 'text',
    value: 'COLUMN=HEADER',
    repeat: true,
    description: 'header of a column',
  },
  {
    flag: 'map-value',
    kind: 'text',
    value: 'COLUMN:WORD=VALUE',
    repeat: true,
    description: 'map a word in the file to a value, such as service_level:Y=next_day',
  },
  {
    flag: 'ignore',
    kind: 'text',
    value: 'HEADER',
    repeat: true,
    description: 'column of the file to leave unread',
  },
  { flag: 'map-only', kind: 'boolean', description: 'show how headers map to columns, then exit' },
  {
    flag: 'save-map',
    kind: 'text',
    value: 'NAME',
    description: 'keep the columns of this file for the next one like it',
  },
  { flag: 'use-map', kind: 'text', value: 'NAME', description: 'read the file with a saved map' },
] as const satisfies readonly Flag[]

/** Flags that say how the bytes of a file become cells. */
export const FORM_FLAGS = [
  { flag: 'strict', kind: 'boolean', description: 'refuse columns that are not known' },
  {
    flag: 'encoding',
    kind: 'text',
    value: 'NAME',
    description: 'file encoding, such as macintosh or gbk, if detection fails',
  },
  {
    flag: 'delimiter',
    kind: 'enum',
    choices: ['comma', 'semicolon', 'tab', 'pipe'],
    description: 'delimiter of the file',
  },
  {
    flag: 'sheet',
    kind: 'text',
    value: 'NAME',
    description: 'workbook sheet to read',
  },
] as const satisfies readonly Flag[]

export const RESULTS_FLAG = {
  flag: 'results',
  kind: 'text',
  value: 'FILE|-|none',
  fileAccess: 'write',
  description: 'place of the results',
} as const satisfies Flag

/** `example` is a column with a value: `weight_grams=500`. */
export function defaultFlag(example: string) {
  const description = `default for a column missing from the file, such as ${example}`
  return { flag: 'default', kind: 'text', value: 'COLUMN=VALUE', repeat: true, description } as const
}

/** `things` are what the rows of the file are: `parcels`. */
export function splitFlag(things: string) {
  const description = `send more than ${MAX_REQUEST_ROWS} ${things} in batches of ${MAX_REQUEST_ROWS}`
  return { flag: 'split', kind: 'boolean', description } as const
}

export function fileArgument(name: string) {
  return {
    name: 'file',
    description: `${name} file; - for standard input`,
    required: true,
    fileAccess: 'read',
    dash: true,
  } as const satisfies Positional
}

/** The flags of every command that reads a file of rows. */
export type FileFlags = FlagValues<
  [
    typeof RESULTS_FLAG,
    typeof FORCE_FLAG,
    ReturnType<typeof defaultFlag>,
    ReturnType<typeof splitFlag>,
    ...typeof COLUMN_FLAGS,
    ...typeof FORM_FLAGS,
  ],
  [ReturnType<typeof fileArgument>]
>
