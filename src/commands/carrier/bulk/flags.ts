/** The words by which the commands of sets of parcels name them. */
import type { Flag } from '../../../cli/command.ts'

export const MANIFEST_FLAG = {
  flag: 'manifest',
  kind: 'text',
  value: 'FILE|-',
  fileAccess: 'read',
  description: 'parcels of a results file written by `carrier upload`; - for standard input',
} as const satisfies Flag

export const PARCELS_ARGUMENT = {
  name: 'parcel',
  description: 'tracking numbers or references',
  repeat: true,
} as const
