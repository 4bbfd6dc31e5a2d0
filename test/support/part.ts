/** Returns a response of which a test gives only some members. Their types are checked. */
export function part<T>(members: Part<T>): T {
  return members as T
}

export type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T
