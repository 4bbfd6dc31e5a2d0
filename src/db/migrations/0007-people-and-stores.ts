/** The jobs and positions of people, their number, and the last presence of store owners. */
export const peopleAndStores: readonly string[] = [
  // Service time of the last business call; the sandbox's staff run the store of an absent owner.
  `alter table accounts add column business_seen_at {int}`,
  `alter table world add column supply {text} not null default 'normal'`,
  // The jobs of drivers, couriers and taskers, and the position after each.
  `create table assignments (
    job_id {text} primary key,
    crew {text} not null check (crew in ('driver', 'courier', 'tasker')),
    person_id {text} not null,
    starts_at {int} not null,
    ends_at {int} not null check (ends_at >= starts_at),
    end_latitude_e6 {int} not null,
    end_longitude_e6 {int} not null
  ) {strict}`,
  `create index assignments_by_person on assignments (crew, person_id, starts_at)`,
  `create index bookings_by_provider on bookings (provider_id, starts_at)`,
  // Minutes of a person's time. The key gives each minute to one job.
  `create table assigned_minutes (
    person_id {text} not null,
    minute {int} not null,
    job_id {text} not null,
    primary key (person_id, minute)
  ) {strict}`,
  `create index assigned_minutes_by_job on assigned_minutes (job_id, minute)`,
]
