import { expect, test } from 'vitest'
import { SHIPMENT_EXAMPLE } from '../../src/areas/carrier/schema.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { readCodes } from '../support/paper.ts'
import { serveStore } from '../support/served.ts'

type Parcel = {
  tracking_number: string
  label: { route_code: string; files: Record<string, string> | null }
}

test('a parcel says where its label is, and its owner alone gets it there', async () => {
  const served = await serveStore({ registry: { NAMES, load } })
  const own = await served.token('shipper')
  const call = (path: string, token: string | undefined, method = 'GET', body?: unknown) =>
    fetch(served.url + path, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const parcel = (await (await call('/v1/shipments', own, 'POST', SHIPMENT_EXAMPLE)).json()) as Parcel
  const { tracking_number: number, label } = parcel
  const { pdf = '', zpl = '', png = '' } = label.files ?? {}

  const picture = await call(`${png}&dpi=203&size=a6`, own)
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(picture.headers.get('content-disposition')).toBe(`inline; filename="${number}.png"`)
  const codes = await readCodes(new Uint8Array(await picture.arrayBuffer()))
  expect(codes['Code128']).toBe(number)
  expect(await (await call(pdf, own)).text()).toMatch(/^%PDF-/)
  // Where none are named, the dots of a label printer, and those of a picture: as the command has them.
  expect(await (await call(zpl, own)).text()).toMatch(/^\^XA[^]*\^PW812\n/)
  const usual = new DataView(await (await call(png, own)).arrayBuffer())
  expect(usual.getUint32(16)).toBe(1200)

  const refusal = async (path: string, token?: string) => {
    const answer = await call(path, token)
    return [answer.status, ((await answer.json()) as { code: string }).code]
  }
  expect(await refusal(pdf)).toEqual([401, 'missing_token'])
  expect(await refusal(pdf, await served.token('shipper2'))).toEqual([404, 'shipment_not_found'])
  const coverage = await served.token('shipper', { scopes: ['coverage.read'] })
  expect(await refusal(pdf, coverage)).toEqual([403, 'insufficient_scope'])
  expect(await refusal(`${pdf}&size=a5&colour=red`, own)).toEqual([400, 'invalid_request'])
  expect(await refusal(pdf.replace(number, 'ZC1'), own)).toEqual([400, 'invalid_tracking_number'])

  const cancelled = await call(`/v1/shipments/${number}/cancel`, own, 'POST', { reason_code: 'other' })
  expect(((await cancelled.json()) as Parcel).label.files).toBeNull()
  expect(await refusal(pdf, own)).toEqual([409, 'invalid_state'])
  expect(served.bugs).toEqual([])
})
