/** An order as its store sees it. */
import type { Static } from 'typebox'
import { formatGroupedMoney } from '../../core/money.ts'
import { definePresenter } from '../../core/presenter.ts'
import { ORDER_PRESENTER } from '../orders/presenter.ts'
import { problemNotes } from '../orders/rules/wrong-words.ts'
import { refundNotes } from '../payments/presenter.ts'
import { chargeOf } from '../payments/rules/payment.ts'
import { STORE_ORDER } from './resource.ts'
import type { businessOrder } from './schema.ts'

type BusinessOrder = Static<typeof businessOrder>

/** Its history is not in lists. */
type StoreOrder = Omit<BusinessOrder, 'status_history'> & Partial<Pick<BusinessOrder, 'status_history'>>

export const storeOrderPresenter = definePresenter<StoreOrder>(STORE_ORDER, {
  ...ORDER_PRESENTER,
  title: (order) => `Order ${order.display_number}, ${formatGroupedMoney(chargeOf(order))}`,
  publicTitle: () => 'Order',
  notes: (order) => [...problemNotes(order), ...refundNotes(order)],
})
