/** The generation of the store, and its last event before that. Filling or replacing the store begins one. */
export const generations: readonly string[] = [
  `alter table world add column generation {text} not null default ''`,
  'alter table world add column generation_from {int} not null default 0',
]
