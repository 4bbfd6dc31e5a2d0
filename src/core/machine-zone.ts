/** The time zones that TZ may name besides those of the IANA list: POSIX describes one by its names and offsets. */

/** Zones with summer time, with the rule that each may also state. Without a rule, a name means the zone that people know by it. */
const SUMMER: readonly (readonly [posix: string, rule: string, zone: string])[] = [
  ['CET-1CEST', 'M3.5.0,M10.5.0/3', 'Europe/Paris'],
  ['MET-1MEST', 'M3.5.0,M10.5.0/3', 'Europe/Paris'],
  ['WET0WEST', 'M3.5.0/1,M10.5.0', 'Europe/Lisbon'],
  ['EET-2EEST', 'M3.5.0/3,M10.5.0/4', 'Europe/Athens'],
  ['GMT0BST', 'M3.5.0/1,M10.5.0', 'Europe/London'],
  ['GMT0IST', 'M3.5.0/1,M10.5.0', 'Europe/Dublin'],
  ['IST-1GMT0', 'M10.5.0,M3.5.0/1', 'Europe/Dublin'],
  ['IST-2IDT', 'M3.4.4/26,M10.5.0', 'Asia/Jerusalem'],
  ['EST5EDT', 'M3.2.0,M11.1.0', 'America/New_York'],
  ['CST6CDT', 'M3.2.0,M11.1.0', 'America/Chicago'],
  ['MST7MDT', 'M3.2.0,M11.1.0', 'America/Denver'],
  ['PST8PDT', 'M3.2.0,M11.1.0', 'America/Los_Angeles'],
  ['AKST9AKDT', 'M3.2.0,M11.1.0', 'America/Anchorage'],
  ['HST10HDT', 'M3.2.0,M11.1.0', 'America/Adak'],
  ['AST4ADT', 'M3.2.0,M11.1.0', 'America/Halifax'],
  ['NST3:30NDT', 'M3.2.0,M11.1.0', 'America/St_Johns'],
  ['AEST-10AEDT', 'M10.1.0,M4.1.0/3', 'Australia/Sydney'],
  ['ACST-9:30ACDT', 'M10.1.0,M4.1.0/3', 'Australia/Adelaide'],
  ['NZST-12NZDT', 'M9.5.0,M4.1.0/3', 'Pacific/Auckland'],
]

/** Zones with an offset of no whole hour: `Etc/GMT-9` has a name for the others only. */
const HALF_HOURS: Readonly<Record<string, string>> = {
  '-3:30': 'Asia/Tehran',
  '-4:30': 'Asia/Kabul',
  '-5:30': 'Asia/Kolkata',
  '-5:45': 'Asia/Kathmandu',
  '-6:30': 'Asia/Yangon',
  '-8:45': 'Australia/Eucla',
  '-9:30': 'Australia/Darwin',
  '9:30': 'Pacific/Marquesas',
}

/**
 * Returns the IANA name for a value of TZ: `:Europe/London`, `posix/Europe/London`, the path of a zone's file, `CET-1CEST`,
 * `JST-9`, where the offset counts westwards. Returns undefined for a value that says nothing known.
 */
export function toZone(tz: string): string | undefined {
  const name = tz
    .replace(/^:/, '')
    .replace(/^.*\/zoneinfo\//, '')
    .replace(/^(?:posix|right)\//, '')
  if (name === '') return 'UTC'
  const [, posix = '', rule] = /^([^,]+?)(?:,(.+))?$/.exec(name) ?? []
  const plain = posix.replaceAll(/<([^<>]*)>/g, '$1')
  const summer = SUMMER.find(
    ([known, itsRule]) => known === plain && (rule === undefined || toRule(rule) === itsRule),
  )
  if (summer !== undefined) return summer[2]
  const fixed = /^(?:[A-Za-z]{3,}|<[+\-A-Za-z0-9]{3,}>)([+-]?)(\d{1,2})(?::(\d{2}))?(?::00)?$/.exec(name)
  if (fixed !== null) return fixedZone(fixed[1] === '-' ? '-' : '', Number(fixed[2]), fixed[3] ?? '00')
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function fixedZone(sign: '-' | '', hours: number, minutes: string): string | undefined {
  if (minutes !== '00') return HALF_HOURS[`${sign}${hours}:${minutes}`]
  if (hours === 0) return 'UTC'
  return hours <= (sign === '-' ? 14 : 12) ? `Etc/GMT${sign === '-' ? '-' : '+'}${hours}` : undefined
}

/** Writes a rule as the table does: a change at 2 in the morning is the usual one. */
function toRule(rule: string): string {
  return rule.replaceAll(/\/0?(\d+)(?::00)*/g, (_, hour) => (hour === '2' ? '' : `/${hour}`))
}
