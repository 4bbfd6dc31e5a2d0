import { expect, test } from 'vitest'
import { deliveryPresenter } from '../../../src/areas/delivery/presenter.ts'
import { ridePresenter } from '../../../src/areas/rides/presenter.ts'
import { bookingPresenter } from '../../../src/areas/services/presenter.ts'
import { taskPresenter } from '../../../src/areas/tasks/presenter.ts'
import { type AnyPresenter, presentResource, type PresentableResource } from '../../../src/core/presenter.ts'
import { fetchDelivery, sendRun } from '../../support/deliveries.ts'
import { requestTestRide } from '../../support/rides.ts'
import { bookJob } from '../../support/services.ts'
import { createTestTask } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

type Purchase = {
  kind: string
  presenter: AnyPresenter
  buy(world: TestSandbox): Promise<string>
  end(world: TestSandbox, id: string): Promise<unknown>
  read(world: TestSandbox, id: string): Promise<object>
}

const as = 'member'

const PURCHASES: readonly Purchase[] = [
  {
    kind: 'ride',
    presenter: ridePresenter,
    buy: async (world) => (await requestTestRide(world, { as })).ride_id,
    end: (world, ride_id) => world.ok('cancel_ride', { ride_id }, { as }),
    read: (world, ride_id) => world.ok('get_ride', { ride_id }, { as }),
  },
  {
    kind: 'booking',
    presenter: bookingPresenter,
    buy: async (world) => (await bookJob(world, {}, { as })).booking_id,
    end: (world, booking_id) => world.ok('cancel_booking', { booking_id }, { as }),
    read: (world, booking_id) => world.ok('get_service_booking', { booking_id }, { as }),
  },
  {
    kind: 'task',
    presenter: taskPresenter,
    buy: async (world) => (await createTestTask(world)).task_id,
    end: (world, task_id) => world.ok('cancel_task', { task_id }, { as }),
    read: (world, task_id) => world.ok('get_task', { task_id }, { as }),
  },
  {
    kind: 'delivery',
    presenter: deliveryPresenter,
    buy: async (world) => (await sendRun(world, { scenario: 'no_courier' })).delivery_id,
    end: (world) => world.advance(24 * HOUR),
    read: (world, delivery_id) => fetchDelivery(world, delivery_id),
  },
]

test.each(PURCHASES)(
  'the title of a $kind has its price, and what is charged once money went back',
  async ({ presenter, buy, end, read }) => {
    const world = await openTestSandbox()
    const id = await buy(world)
    const titleOf = async () => {
      const bought = (await read(world, id)) as PresentableResource
      return presentResource(presenter, bought, await world.now()).title
    }
    expect(await titleOf()).toMatch(/, £[1-9]\d*\.\d\d$/)
    await end(world, id)
    const bought = (await read(world, id)) as {
      payment: { amount: { amount: number } }
      refunded: { amount: number }
    }
    const kept = bought.payment.amount.amount - bought.refunded.amount
    expect(await titleOf()).toMatch(new RegExp(`, £${(kept / 100).toFixed(2)}$`))
  },
)
