/** The entry of the thread in which a service replaces all that a large store holds. */
import { replaceHere } from './host/replace.ts'
import { makeRuntime } from './runtime.ts'

void replaceHere(makeRuntime(`${import.meta.dirname}/..`))
