/** Tells a customer what happens to an order next, and in a sandbox how to play its store. */
import type { Client } from '../../client/client.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { loadSandboxAccounts } from '../accounts.ts'

type FoodOrder = OperationOutput<'get_food_order'>

/** The sentences for an order that was just placed. */
export async function nextStepOf(
  client: Client,
  { status, merchant }: FoodOrder,
): Promise<string | undefined> {
  if (status !== 'placed') return undefined
  const owner = await findOwner(client, merchant.name)
  if (owner === undefined) return 'Next: the store accepts it within minutes.'
  return [
    'Next: the store accepts it. Its owner has 10 minutes; if the owner is away, the staff accept in 2 to 4 minutes.',
    `To act as the owner: \`dray business orders watch --as ${owner}\``,
  ].join('\n')
}

/** The account that runs the store; undefined where none does, or where no sandbox can be asked. */
async function findOwner(client: Client, store: string): Promise<string | undefined> {
  try {
    const accounts = await loadSandboxAccounts(client)
    return accounts.find(({ stores }) => stores.includes(store))?.handle
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
