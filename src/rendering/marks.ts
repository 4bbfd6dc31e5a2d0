/** The marks near the start of this program's files, by which it knows them again. */
export const PROGRAM = 'dray'

export const FILE_SIGNATURES = {
  pdf: `/Creator (${PROGRAM})`,
  png: `Software\0${PROGRAM}`,
  zpl: `^FX ${PROGRAM}`,
} as const
