/** Values that several operations refuse, and changes of a world after which it rejects an input. */
import type { CaseContext, CaseInput } from './cases.ts'
import { newKey } from './food.ts'
import type { TestSandbox } from './world.ts'

export const ATLANTIS = { near: 'Atlantis' }
export const MANCHESTER = { location: { latitude: 53.48, longitude: -2.24 } }
export const NOWHERE = {
  address: { line1: '1 Nowhere Lane', city: 'London', postal_code: 'ZZ99 9ZZ', country_code: 'GB' },
}
export const EUROS = { amount: 100, currency: 'EUR' }
export const BY_WALLET = { payment: { method: 'wallet' } }

/** Runs a statement after the input was made, so that it is rejected, and returns the input. */
export async function outdated(world: TestSandbox, input: CaseInput, statement: string): Promise<CaseInput> {
  await world.db.write((tx) => tx.run(statement))
  return input
}

/** Buys with inputs by wallet until it holds too little, and returns another such input. */
export async function beyondWallet(
  { world, operation }: CaseContext,
  next: () => Promise<CaseInput>,
): Promise<CaseInput> {
  const buy = async () => world.call(operation.name, await next(), { key: newKey() })
  while ((await buy()).status === 201);
  return next()
}
