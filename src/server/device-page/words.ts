/** The permissions in plain words, for the person who approves. */
import type { Account, Scope } from '../../core/account.ts'

export type Permission = {
  area: string
  words: string
  /**
   * True if the device can spend the account's money with it, at once or on an invoice. A test compares this with the
   * registry.
   */
  spends?: true
}

/** The words of each scope. A `read` scope that also allows cancelling says so. */
export const PERMISSIONS: Readonly<Record<Scope, Permission>> = {
  'profile.read': {
    area: 'Account',
    words: 'See whether the account has a membership, and have events sent to an address',
  },
  'food.read': { area: 'Food', words: 'Find restaurants; price, see and cancel orders' },
  'food.order': { area: 'Food', words: 'Place food orders', spends: true },
  'rides.read': { area: 'Rides', words: 'Price, see and cancel rides' },
  'rides.request': { area: 'Rides', words: 'Request rides', spends: true },
  'delivery.read': { area: 'Courier deliveries', words: 'Price deliveries and follow them' },
  'delivery.request': { area: 'Courier deliveries', words: 'Send for a courier', spends: true },
  'coverage.read': { area: 'Parcels', words: 'See where parcels can go and what they cost' },
  'shipments.create': {
    area: 'Parcels',
    words: 'Create parcels, one or many, at the agreement’s rates',
    spends: true,
  },
  'shipments.read': { area: 'Parcels', words: 'See parcels and track them' },
  'shipments.manage': { area: 'Parcels', words: 'Cancel parcels, redirect and correct them', spends: true },
  'services.read': {
    area: 'Home services',
    words: 'Find providers and free times; see, move and cancel bookings',
  },
  'services.book': { area: 'Home services', words: 'Book visits', spends: true },
  'tasks.read': { area: 'Tasks', words: 'Price, see and cancel tasks; see evidence' },
  'tasks.create': { area: 'Tasks', words: 'Give out tasks', spends: true },
  'orders.read': { area: 'Your store', words: 'See the orders customers placed' },
  'orders.manage': { area: 'Your store', words: 'Accept, reject and complete orders' },
  'menu.read': { area: 'Your store', words: 'See the catalogue' },
  'menu.manage': { area: 'Your store', words: 'Change the catalogue and its prices' },
}

/** Returns the permissions by area, in the order of the scopes. */
export function byArea(scopes: readonly Scope[]): { area: string; permissions: Permission[] }[] {
  const permissions = scopes.map((scope) => PERMISSIONS[scope])
  return [...new Set(permissions.map(({ area }) => area))].map((area) => ({
    area,
    permissions: permissions.filter((one) => one.area === area),
  }))
}

const MEMBERSHIPS: Readonly<Record<Account['membership']['status'], string>> = {
  none: 'customer without a membership',
  trialing: 'customer who tries the membership',
  active: 'customer with a membership',
  past_due: 'customer whose membership is unpaid',
  cancelled: 'customer who cancelled the membership',
  expired: 'customer whose membership ended',
}

/** Describes a sandbox account in one sentence. */
export function purposeOf({ scopes, membership, carrierAgreement, businessAgreement }: Account): string {
  const parts = [
    scopes.includes('food.read') && MEMBERSHIPS[membership.status],
    carrierAgreement?.status === 'active' && 'sends parcels',
    businessAgreement?.status === 'active' && 'runs a store',
  ].filter((part) => part !== false)
  const text = parts.length === 0 ? 'no membership or agreement' : parts.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Describes how many of the requested permissions an account has. */
export function shareOf(given: number, asked: number): string {
  if (given === asked) return 'Has all permissions.'
  return given === 0 ? 'Has no permissions.' : `Has ${given} of ${asked} permissions.`
}
