/** `--merchant`, by which a command names one of several stores; `runForStore` reads it. */
export const MERCHANT_FLAG = {
  flag: 'merchant',
  kind: 'text',
  value: 'STORE',
  description: 'store name or ID, if you have several',
} as const
