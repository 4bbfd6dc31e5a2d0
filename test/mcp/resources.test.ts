/** Resources: an agent reads the label of a parcel and the changes of an item by addresses, with the rights of its tools. */
import { beforeAll, expect, test } from 'vitest'
import { TOOLS } from '../../src/generated/tools.ts'
import { labelLink, listTemplates } from '../../src/mcp/resources.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'
import { makeParcel } from '../support/parcel.ts'

let agent: Agent

beforeAll(async () => {
  const { home, service } = await openHome()
  agent = await startAgent(home, { service, purse: { service: 'here', account: 'reader' } })
})

const read = async (uri: string) => (await agent.client.readResource({ uri })).contents[0]

test('the label of a parcel is a file, in three forms, until the parcel is cancelled', async () => {
  const { value } = await agent.call<{ tracking_number: string }>('create_shipment', makeParcel({}))
  const address = `dray://shipments/${value.tracking_number}/label`
  const bytesOf = async (format: string): Promise<Buffer> => {
    const found = await read(`${address}.${format}`)
    return Buffer.from(found !== undefined && 'blob' in found ? String(found.blob) : '', 'base64')
  }
  expect((await bytesOf('pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  expect((await bytesOf('png')).subarray(1, 4).toString()).toBe('PNG')
  expect((await bytesOf('zpl')).toString()).toMatch(/^\^XA[^]*\^XZ\s*$/)
  expect(await read(`${address}.png`)).toMatchObject({ uri: `${address}.png`, mimeType: 'image/png' })

  // Label printers differ in their paper and their dots.
  const widths = await Promise.all(
    ['zpl', 'zpl?dpi=300', 'zpl?size=a6&dpi=300'].map(
      async (form) => /\^PW\d+/.exec((await bytesOf(form)).toString())?.[0],
    ),
  )
  expect(widths).toEqual(['^PW812', '^PW1200', '^PW1240'])
  expect((await bytesOf('png')).readUInt32BE(16)).toBe(1200)
  await expect(read(`${address}.png?dpi=600`)).rejects.toMatchObject({ message: 'dpi is one of 203, 300.' })

  await agent.call('cancel_shipment', { tracking_number: value.tracking_number })
  await expect(read(`${address}.pdf`)).rejects.toMatchObject({
    message: expect.stringContaining('a cancelled parcel has no label') as string,
    data: { code: 'invalid_state' },
  })
})

test('a parcel comes with a link to its label, which can be read until the parcel is cancelled', async () => {
  const linksOf = async (name: string, args: Record<string, unknown>) =>
    (await agent.client.callTool({ name, arguments: args })).content.filter(
      ({ type }) => type === 'resource_link',
    )
  const { value } = await agent.call<{ tracking_number: string }>('create_shipment', makeParcel({}))
  const number = { tracking_number: value.tracking_number }
  const links = await linksOf('get_shipment', number)
  expect(links).toEqual([
    {
      type: 'resource_link',
      uri: `dray://shipments/${value.tracking_number}/label.pdf`,
      name: `${value.tracking_number}.pdf`,
      title: `Label ${value.tracking_number}`,
      mimeType: 'application/pdf',
    },
  ])
  expect(await linksOf('create_shipment', makeParcel({}))).toEqual(links)
  expect(await read(`dray://shipments/${value.tracking_number}/label.pdf`)).toMatchObject({
    mimeType: 'application/pdf',
  })

  await agent.call('cancel_shipment', number)
  expect(await linksOf('get_shipment', number)).toEqual([])
})

test('a caller that may create parcels, but not read them, gets no link', async () => {
  const parcel = { tracking_number: 'ZC000000014GB', status: 'created' }
  expect(await labelLink(new Map([['create_shipment', true]]), 'create_shipment', parcel)).toEqual([])
  expect(await labelLink(new Map([['get_shipment', true]]), 'create_shipment', parcel)).toHaveLength(1)
})

test('an item has its changes', async () => {
  const made = await agent.call<{ item_id: string }>('create_catalog_item', {
    name: 'Laksa',
    category: 'Soups',
    price: { amount: 900, currency: 'GBP' },
  })
  const uri = `dray://catalog/items/${made.value.item_id}/history`
  const found = await read(uri)
  expect(found).toMatchObject({ uri, mimeType: 'application/json' })
  expect(JSON.parse(found !== undefined && 'text' in found ? String(found.text) : '')).toMatchObject({
    item_id: made.value.item_id,
    data: [{ version: 1, change: 'created' }],
  })
})

test.each([
  'file:///etc/passwd',
  'dray://shipments/../label.pdf',
  'dray://shipments/ZC000000014GB/label.pdf',
  'dray://shipments/NONE/label.exe',
  'dray://catalog/items/itm_none/history',
])('nothing is at %s', async (uri) => {
  await expect(read(uri)).rejects.toMatchObject({ code: -32602, data: { uri } })
})

test('the addresses are those that the tools of the caller open', async () => {
  const { resourceTemplates } = await agent.client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'dray://shipments/{tracking_number}/label.pdf{?size}',
    'dray://shipments/{tracking_number}/label.png{?size,dpi}',
    'dray://shipments/{tracking_number}/label.zpl{?size,dpi}',
    'dray://catalog/items/{item_id}/history',
  ])
  expect((await agent.client.listResources()).resources).toEqual([])
  const of = (scope: string) =>
    new Map(TOOLS.filter((tool) => tool.scope === scope).map((tool) => [tool.name, tool]))
  expect(listTemplates(of('shipments.read'))).toHaveLength(3)
  expect(listTemplates(of('menu.read')).map(({ name }) => name)).toEqual(['item-history'])
  expect(listTemplates(of('food.read'))).toEqual([])
})
