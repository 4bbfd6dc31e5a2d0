/** The only part of undici that direct connections need. Loading all of it takes twice as long. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export = Pool
}
