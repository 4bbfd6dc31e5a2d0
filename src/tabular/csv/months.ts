/** The first letters of the months, in English, German, French, Spanish, Italian and Polish. */
export const MONTH_NAMES =
  'jan|ene|gen|sty, feb|fév|fev|lut, mar|mär|mrz, apr|avr|abr|kwi, may|mai|mag|maj, jun|juin|giu|cze, jul|juil|lug|lip, aug|aoû|ago|sie, sep|set|wrz, oct|okt|ott|paź, nov|lis, dec|dez|déc|dic|gru'.split(
    ', ',
  )

/** Returns the number of the month that a word begins like, from 1; 0 for a word that is none. */
export function monthOf(word: string): number {
  const name = word.toLowerCase()
  return MONTH_NAMES.findIndex((names) => names.split('|').some((each) => name.startsWith(each))) + 1
}
