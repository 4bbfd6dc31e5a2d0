/** What the files of this program carry near their start, by which it knows them again. */
export const PROGRAM = 'dray'

export const MARKS = {
  pdf: `/Creator (${PROGRAM})`,
  png: `Software\0${PROGRAM}`,
  zpl: `^FX ${PROGRAM}`,
} as const
