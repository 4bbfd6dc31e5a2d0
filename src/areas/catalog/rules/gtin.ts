/** Returns the check digit for the other digits of a GS1 number: weights 3 and 1 from the right, modulo 10. */
export function gtinCheckDigit(digits: string): number {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/**
 * Returns whether a text is a GTIN of 8, 12, 13 or 14 digits with the right check digit
 * (docs/rules/files.md#a-barcode-is-checked-before-it-is-sent).
 */
export function isGtin(text: string): boolean {
  return /^(?:\d{8}|\d{12,14})$/.test(text) && gtinCheckDigit(text.slice(0, -1)) === Number(text.slice(-1))
}
