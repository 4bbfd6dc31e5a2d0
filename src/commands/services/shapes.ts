import type { Answer } from '../../client/operations.ts'
export type ServiceQuote = Answer<'quote_service'>
export type ServiceBooking = Answer<'get_service_booking'>
export type Provider = Answer<'search_service_providers'>['data'][number]
export type ServiceOffer = Provider['services'][number]
export type Availability = Answer<'get_provider_availability'>
export type Slot = Availability['data'][number]
