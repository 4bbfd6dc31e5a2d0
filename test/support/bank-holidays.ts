/**
 * The bank holidays of England and Wales by year, as listed on https://www.gov.uk/bank-holidays, and from 2028 on by
 * its rules. Contains public sector information licensed under the Open Government Licence v3.0.
 */
export const BANK_HOLIDAYS: Readonly<Record<string, readonly string[]>> = {
  '2024': ['01-01', '03-29', '04-01', '05-06', '05-27', '08-26', '12-25', '12-26'],
  '2025': ['01-01', '04-18', '04-21', '05-05', '05-26', '08-25', '12-25', '12-26'],
  '2026': ['01-01', '04-03', '04-06', '05-04', '05-25', '08-31', '12-25', '12-28'],
  '2027': ['01-01', '03-26', '03-29', '05-03', '05-31', '08-30', '12-27', '12-28'],
  '2028': ['01-03', '04-14', '04-17', '05-01', '05-29', '08-28', '12-25', '12-26'],
  '2029': ['01-01', '03-30', '04-02', '05-07', '05-28', '08-27', '12-25', '12-26'],
  '2030': ['01-01', '04-19', '04-22', '05-06', '05-27', '08-26', '12-25', '12-26'],
}

/** Returns true on dates when stores and providers of London have Sunday hours. */
export function isClosedDay(date: string): boolean {
  const [year, day] = [date.slice(0, 4), date.slice(5)]
  return ['01-01', '12-25', '12-26'].includes(day) || BANK_HOLIDAYS[year]?.includes(day) === true
}
