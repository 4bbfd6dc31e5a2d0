/** The customer's wish for goods without a taker at the door (docs/rules/deliveries.md#what-leaving-at-the-door-excludes). Pure. */
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'

export const IF_ABSENT = ['return', 'leave'] as const
export type IfAbsent = (typeof IF_ABSENT)[number]

/** Returns the ways to pay: cash needs a recipient at the door. */
export function methodsFor<Method extends string>(
  ifAbsent: IfAbsent | null | undefined,
  methods: readonly Method[],
): Method[] {
  return methods.filter((method) => ifAbsent !== 'leave' || method !== 'cash')
}

/** The words for each choice that needs a recipient at the door, by its field. */
const NEEDS_SOMEBODY = {
  '/parcel/requires_id': 'An ID check',
  '/verification/dropoff': 'A PIN or a signature',
  '/payment/method': 'Cash',
}

/** Throws `options_conflict` with the fields that are chosen although the goods may be left at the door. */
export function assertMayLeave(
  ifAbsent: IfAbsent | null | undefined,
  chosen: Partial<Record<keyof typeof NEEDS_SOMEBODY, boolean>>,
): void {
  if (ifAbsent !== 'leave') return
  const errors = Object.entries(NEEDS_SOMEBODY).flatMap(([pointer, words]): ProblemFieldError[] => {
    if (chosen[pointer as keyof typeof NEEDS_SOMEBODY] !== true) return []
    const detail = `${words} needs somebody at the door, but if_absent is leave`
    return [{ pointer, code: 'mutually_exclusive', detail }]
  })
  if (errors.length === 0) return
  throw new AppError('options_conflict', `${errors.map(({ detail }) => detail).join('. ')}.`, {
    errors,
    hint: 'Choose otherwise, or quote with if_absent return.',
  })
}
