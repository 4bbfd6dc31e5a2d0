import type { Column } from '../../core/operation.ts'

/** How the sandbox commands show an order whose money or check moved. */
export const ORDER_MONEY_COLUMNS: readonly Column[] = [
  { field: 'display_number', label: 'Order' },
  { field: 'order_id', label: 'Id' },
  { field: 'status' },
  { field: 'payment.method', label: 'Paid by' },
  { field: 'payment.status', label: 'Payment' },
  { field: 'payment.amount', label: 'Amount' },
  { field: 'check.status', label: 'Check' },
  { field: 'check.balance', label: 'To pay' },
]
