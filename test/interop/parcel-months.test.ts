/** 20,000 parcels of four senders: invoices by a second program, cash, manifests and scans, on both stores. */
import { expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { recordTally, iterations } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { checkParcels, compareInvoices, playMonths } from '../support/parcel-month.ts'
import { serveStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { sandboxOverStore } from '../support/world.ts'

const MONTHS = ['2026-11', '2026-12', '2027-01', '2027-02']
/** The parcels of each sender for each ending: 20,000 of four senders with ten endings. */
const EACH = iterations(5, 500)

test.each(ENGINES)(
  'on $name the invoices of 20,000 parcels agree with those of a second program',
  { timeout: 3_600_000 },
  async (engine) => {
    await installProgram('python3', 'python3')
    const served = await serveStore({ registry, engine })
    const world = sandboxOverStore(served.db)
    await playMonths(world, EACH)
    let count = 0
    for (const as of ['shipper', 'shipper2', 'everything']) {
      await compareInvoices(served, world, as, MONTHS)
      count += await checkParcels(world, as, MONTHS)
    }
    recordTally({ tries: count })
    expect(count).toBeGreaterThan(EACH * 40)
  },
)
