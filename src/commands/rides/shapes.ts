import type { Answer } from '../../client/operations.ts'
export type RideQuote = Answer<'quote_ride'>
export type Fare = RideQuote['fares'][number]
export type Ride = Answer<'get_ride'>
