/** An answer of which a test says only what matters to it; what it says must fit. */
export function part<T>(members: Part<T>): T {
  return members as T
}

export type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T
