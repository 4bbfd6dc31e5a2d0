/** The ledger has entries that give a customer more than was paid. SQLite changes no CHECK: the kinds stand in a new column. */
export const goodwill: readonly string[] = [
  'drop index ledger_payouts',
  `alter table ledger add column new_kind {text} not null default 'opening'
    check (new_kind in ('opening', 'capture', 'refund', 'share', 'payout', 'goodwill'))`,
  'update ledger set new_kind = kind',
  'alter table ledger drop column kind',
  'alter table ledger rename column new_kind to kind',
  `create index ledger_payouts on ledger (account, at, amount) where kind = 'payout'`,
]
