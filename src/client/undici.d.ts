/** The one part of undici that is needed to talk to a service directly: the whole takes twice as long to load. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export = Pool
}
