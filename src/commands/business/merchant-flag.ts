/** `--merchant`, by which a command names one of several stores; `runForStore` reads it. */
export const MERCHANT_FLAG = {
  flag: 'merchant',
  kind: 'text',
  value: 'STORE',
  description: 'the store by name or id, when you have several',
} as const
