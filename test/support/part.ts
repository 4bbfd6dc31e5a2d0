/** Returns a response of which a test gives only some fields. Their types are checked. */
export function partialResponse<T>(members: DeepPartial<T>): T {
  return members as T
}

export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T
