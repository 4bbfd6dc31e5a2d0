/** Codes that were stored before the gateway cleaned them. */
export const oldCodes = [
  // They keep their characters, and are found by `code`, the cleaned form of `stored`. Parcels have references, owned by
  // an agreement; items have the references of a store.
  `create table old_codes (
    kind {text} not null check (kind in ('parcel', 'item')),
    owner_id {text} not null,
    stored {text} not null,
    code {text} not null,
    primary key (kind, owner_id, stored)
  ) {strict}`,
  `create index old_codes_by_code on old_codes (kind, owner_id, code)`,
  // Codes that may not be clean: the program that migrates cleans them, and removes those that are.
  `insert into old_codes (kind, owner_id, stored, code)
    select distinct 'parcel', agreement_id, reference, reference from shipments
    where reference {unclean} or reference <> trim(reference)`,
  `insert into old_codes (kind, owner_id, stored, code)
    select distinct 'item', merchant_id, external_ref, external_ref from catalog_items
    where external_ref {unclean} or external_ref <> trim(external_ref)`,
]
