/** The flags of commands that read a file of rows. */
import type { Flag } from '../command.ts'

/** How the columns of a file are found. */
export const COLUMN_FLAGS: readonly Flag[] = [
  {
    flag: 'map',
    kind: 'text',
    value: 'COLUMN=HEADER',
    repeat: true,
    description: 'which header is a column',
  },
  { flag: 'map-only', kind: 'boolean', description: 'show which header is which column, and stop' },
  {
    flag: 'save-map',
    kind: 'text',
    value: 'NAME',
    description: 'keep the columns of this file for the next one like it',
  },
  { flag: 'use-map', kind: 'text', value: 'NAME', description: 'read the file with a saved map' },
]

/** How the bytes of a file become cells. */
export const FORM_FLAGS: readonly Flag[] = [
  { flag: 'strict', kind: 'boolean', description: 'refuse columns that are not known' },
  {
    flag: 'encoding',
    kind: 'text',
    value: 'NAME',
    description: 'encoding of the file, when it is not recognised',
  },
  {
    flag: 'delimiter',
    kind: 'enum',
    choices: ['comma', 'semicolon', 'tab', 'pipe'],
    description: 'delimiter of the file',
  },
]

export const RESULTS_FLAG: Flag = {
  flag: 'results',
  kind: 'text',
  value: 'FILE|-|none',
  description: 'where the results go',
}
