/** The table of what each change of an item of a catalogue replaced. */
export const itemVersions = [
  // `replaced` holds the fields that the change gave another value, with their former ones; `null` for a creation.
  // `account` is the short name of who changed it. Items from before this table have no rows for older versions.
  `create table catalog_item_versions (
    item_id {text} not null references catalog_items (item_id),
    version {int} not null check (version >= 1),
    at {int} not null,
    account {text} not null,
    what {text} not null check (what in ('created', 'updated', 'availability_changed', 'deleted')),
    replaced {text} not null,
    primary key (item_id, version)
  ) {strict}`,
]
