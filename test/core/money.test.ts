import { describe, expect, test } from 'vitest'
import {
  exponentOf,
  formatMoney,
  isCurrency,
  MAX_AMOUNT,
  mulBps,
  parseMoney,
  formatGroupedMoney,
} from '../../src/core/money.ts'
import { gbp } from '../support/money.ts'
import { fc } from '../support/properties.ts'

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['GBP', 2],
    ['XOF', 0],
    ['KWD', 3],
  ])('%s has %d decimals', (currency, decimals) => {
    expect(exponentOf(currency)).toBe(decimals)
  })

  test.each(['gbp', 'XXX', 'XAU', 'GB', '', 'GBPP', 'constructor', 'ABC'])('%j is none', (code) => {
    expect(isCurrency(code)).toBe(false)
    expect(() => exponentOf(code)).toThrow(RangeError)
  })
})

describe('a share in basis points', () => {
  test.each([
    [472, 800, 38],
    [510, 2000, 102],
    [2855, 1000, 286],
    [1, 5000, 1],
    [1, 4999, 0],
    [0, 2000, 0],
    [MAX_AMOUNT, 10_000, MAX_AMOUNT],
  ])('of %d at %d bps is %d', (amount, bps, expected) => {
    expect(mulBps(amount, bps)).toBe(expected)
  })

  test('is rounded half away from zero, exactly, whatever the size', () => {
    fc.assert(
      fc.property(fc.nat(MAX_AMOUNT), fc.nat(50_000), (amount, bps) => {
        expect(BigInt(mulBps(amount, bps))).toBe((BigInt(amount) * BigInt(bps) + 5000n) / 10_000n)
      }),
    )
  })

  test('is refused where it could not be exact', () => {
    expect(() => mulBps(MAX_AMOUNT, 100_000)).toThrow(RangeError)
    expect(() => mulBps(-1, 100)).toThrow(RangeError)
    expect(() => mulBps(1.5, 1)).toThrow(RangeError)
  })
})

describe('money for people', () => {
  test.each([
    [gbp(612), '£6.12'],
    [gbp(5), '£0.05'],
    [gbp(0), '£0.00'],
    [gbp(-612), '-£6.12'],
    [{ amount: 612, currency: 'EUR' }, '€6.12'],
    [{ amount: 612, currency: 'CHF' }, '6.12 CHF'],
    [{ amount: 612, currency: 'AUD' }, '6.12 AUD'],
    [{ amount: 612, currency: 'JPY' }, '¥612'],
    [{ amount: 5, currency: 'KWD' }, '0.005 KWD'],
  ])('%j is %s', (money, text) => {
    expect(formatMoney(money)).toBe(text)
  })

  test.each([
    [gbp(272_500), '£2,725.00'],
    [gbp(99_999), '£999.99'],
    [gbp(123_456_789), '£1,234,567.89'],
    [{ amount: 1_000_000, currency: 'JPY' }, '¥1,000,000'],
    [{ amount: 1_234_567, currency: 'KWD' }, '1,234.567 KWD'],
  ])('people read %j as %s', (money, text) => {
    expect(formatGroupedMoney(money)).toBe(text)
  })

  test('is read back as it was written, in every currency', () => {
    fc.assert(
      fc.property(
        fc.nat(MAX_AMOUNT),
        fc.constantFrom('GBP', 'USD', 'JPY', 'KWD', 'CHF', 'CAD'),
        (amount, currency) => {
          expect(parseMoney(formatMoney({ amount, currency }))).toEqual({ amount, currency })
        },
      ),
    )
  })
})

describe('money as people write it', () => {
  test.each([
    ['8.50', gbp(850)],
    ['£8.50', gbp(850)],
    ['8.50 GBP', gbp(850)],
    ['gbp 8.5', gbp(850)],
    ['£8.50 GBP', gbp(850)],
    ['£1,234.50', gbp(123_450)],
    ['12', gbp(1200)],
    ['12.3400', gbp(1234)],
    ['0.500', gbp(50)],
    ['8,50 €', { amount: 850, currency: 'EUR' }],
    ['$5', { amount: 500, currency: 'USD' }],
    ['¥100', { amount: 100, currency: 'JPY' }],
    ['1.234 KWD', { amount: 1234, currency: 'KWD' }],
    ['999999999.99', gbp(MAX_AMOUNT)],
  ])('%j is %j', (text, money) => {
    expect(parseMoney(text, 'GBP')).toEqual(money)
  })

  test('a sign that several currencies share means the one in use', () => {
    expect(parseMoney('$5', 'CAD')).toEqual({ amount: 500, currency: 'CAD' })
    expect(parseMoney('¥5', 'CNY')).toEqual({ amount: 500, currency: 'CNY' })
  })

  test.each([
    ['1,234', 'ambiguous_number'],
    ['£1,234', 'ambiguous_number'],
    ['12.340', 'ambiguous_number'],
    ['1.000 JPY', 'ambiguous_number'],
    ['1.234', 'invalid_format'],
    ['1.5 JPY', 'invalid_format'],
    ['1.2345 KWD', 'invalid_format'],
    ['1.005', 'invalid_format'],
    ['5 XXX', 'invalid_format'],
    ['£5 EUR', 'invalid_format'],
    ['1e21', 'invalid_format'],
    ['£', 'invalid_format'],
    ['', 'invalid_format'],
    ['٨', 'invalid_format'],
    ['5 GBP EUR', 'invalid_format'],
    ['££5', 'invalid_format'],
    ['-1', 'out_of_range'],
    ['1000000000', 'out_of_range'],
    ['9007199254740993', 'out_of_range'],
  ])('%j is refused as %s', (text, problem) => {
    expect(parseMoney(text, 'GBP')).toMatchObject({ problem })
  })

  test.each([
    ['abc', 'GBP', '"abc" is not an amount; write it like 8.50, £8.50 or 8.50 GBP.'],
    ['ten', 'EUR', '"ten" is not an amount; write it like 8.50, €8.50 or 8.50 EUR.'],
    ['EUR', 'JPY', '"EUR" is not an amount; write it like 850, ¥850 or 850 JPY.'],
    ['8.5O', 'CHF', '"8.5O" is not an amount; write it like 8.50 or 8.50 CHF.'],
    ['free', undefined, '"free" is not an amount; write it like 8.50, £8.50 or 8.50 GBP.'],
    ['8.50 ABC', 'GBP', 'ABC is not a currency; use an ISO 4217 code such as GBP.'],
  ])('%j in a file of %s is blamed for what it is', (text, currency, detail) => {
    expect(parseMoney(text, currency)).toEqual({ problem: 'invalid_format', detail })
  })

  test('needs a currency from somewhere', () => {
    expect(parseMoney('8.50')).toMatchObject({
      problem: 'invalid_format',
      detail: expect.stringContaining('8.50 GBP'),
    })
  })
})
