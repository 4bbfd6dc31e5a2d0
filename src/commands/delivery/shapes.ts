import type { Answer } from '../../client/operations.ts'
export type DeliveryQuote = Answer<'quote_delivery'>
export type Delivery = Answer<'get_delivery'>
