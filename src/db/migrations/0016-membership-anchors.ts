/** The day of the month on which a membership began: a renewal falls on it, or on the last day of a shorter month. */
export const membershipAnchors = [
  // Null before the first paid period, and in accounts of older stores: there it is the day of the current period.
  `alter table accounts add column membership_anchor {int} check (membership_anchor between 1 and 31)`,
]
