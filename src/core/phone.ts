import phonePlans from '../reference-data/phone-plans.json' with { type: 'json' }
import { callingCodeOf } from './country.ts'
import { normalizeIdentifier } from './identifiers.ts'

/**
 * National number formats of the most important countries: the trunk prefix that is dropped abroad (`-` for none),
 * then how many digits follow. In other countries a leading 0 counts as the trunk prefix.
 */
const PLANS: Readonly<Record<string, string>> = phonePlans

/** Countries where a number may begin with 0 even when called from abroad. */
const KEEPS_ZERO = ['BJ', 'CG', 'CI', 'IT', 'SM', 'VA']

/** The international prefix, where it is not 00. */
const DIALLED_ABROAD: Record<string, string> = {
  AU: '0011',
  HK: '001',
  JP: '010',
  KR: '001',
  SG: '001',
  TH: '001',
}

type Plan = { callingCode: string; trunk: string; shortest: number; longest: number; listed: boolean }

/**
 * Returns a telephone number in E.164 (`+447700900123`). A number with a plus sign is kept; a national number is
 * completed for the country (alpha-2). Undefined for text that is no number or has two meanings.
 */
export function toE164(text: string, countryCode: string): string | undefined {
  const number = normalizeIdentifier(text).replace(/^tel:/i, '')
  if (!/^\+?[\d\s().\-/\u2012\u2013]+$/.test(number)) return undefined
  const plan = planOf(countryCode)
  // +44 (0)20 ...: the zero in brackets is only for callers within the country
  const digits = number.replace(/^(\+|00)([\d\s]*)\(0\)/, '$1$2').replace(/[^\d+]/g, '')
  const abroad =
    plan === undefined ? '00' : (DIALLED_ABROAD[countryCode] ?? (plan.callingCode === '1' ? '011' : '00'))
  if (digits.startsWith('+')) return international(digits.slice(1), plan, countryCode)
  if (digits.startsWith(abroad)) return international(digits.slice(abroad.length), plan, countryCode)
  return plan && national(digits, plan, countryCode)
}

function international(digits: string, plan: Plan | undefined, countryCode: string): string | undefined {
  const zero = `${plan?.callingCode}0`
  const doubled = plan?.trunk === '0' && digits.startsWith(zero) && !KEEPS_ZERO.includes(countryCode)
  const number = doubled ? digits.slice(0, zero.length - 1) + digits.slice(zero.length) : digits
  // one zero may be the trunk prefix left in; two are no number
  if (doubled && number.startsWith(zero)) return undefined
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : undefined
}

function national(digits: string, plan: Plan, countryCode: string): string | undefined {
  const { callingCode, trunk } = plan
  const fits = (rest: string) => rest.length >= plan.shortest && rest.length <= plan.longest
  if (trunk !== '' && digits.startsWith(trunk) && fits(digits.slice(trunk.length))) {
    return complete(digits.slice(trunk.length), plan, countryCode)
  }
  // a number without its trunk prefix, as spreadsheets leave it, or one with the calling code but without the plus sign
  const rest = digits.startsWith(callingCode) ? digits.slice(callingCode.length) : undefined
  const foreign = rest !== undefined && fits(rest) && !rest.startsWith('0')
  if (!fits(digits)) return foreign ? complete(rest, plan, countryCode) : undefined
  if (foreign && plan.listed && trunk !== '') return undefined
  return complete(digits, plan, countryCode)
}

function complete(rest: string, { callingCode }: Plan, countryCode: string): string | undefined {
  if (rest.startsWith('0') && !KEEPS_ZERO.includes(countryCode)) return undefined
  // no area code of North America begins with 0 or 1
  if (callingCode === '1' && rest.startsWith('1')) return undefined
  const number = `+${callingCode}${rest}`
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined
}

const plans = new Map<string, Plan | undefined>()

function planOf(countryCode: string): Plan | undefined {
  if (!plans.has(countryCode)) plans.set(countryCode, readPlan(countryCode))
  return plans.get(countryCode)
}

function readPlan(countryCode: string): Plan | undefined {
  const callingCode = callingCodeOf(countryCode)
  if (callingCode === undefined) return undefined
  const listed = PLANS[countryCode]
  const [trunk = '', lengths = ''] = (listed ?? (callingCode === '1' ? '1 10-10' : '0 5-10')).split(' ')
  const [shortest = 0, longest = 0] = lengths.split('-').map(Number)
  return { callingCode, trunk: trunk === '-' ? '' : trunk, shortest, longest, listed: listed !== undefined }
}
