import { expect, test } from 'vitest'
import { findForbiddenAddress, kindOfAddress } from '../../../src/host/webhooks/address.ts'
import { post } from '../../../src/host/webhooks/post.ts'
import { openReceiver } from '../../support/receiver.ts'

test.each([
  ['public', ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']],
  [
    'private',
    [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '::1',
      '0:0:0:0:0:0:0:1',
      'fd00::1',
      '::ffff:10.0.0.1',
    ],
  ],
  [
    'nowhere',
    [
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      'fe80::1',
      '::',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '100.100.100.200',
      '168.63.129.16',
      'fd00:ec2::254',
      'FD00:EC2:0:0:0:0:0:254',
      'fd20:ce::254',
      '::169.254.169.254',
      '::a9fe:a9fe',
      '::127.0.0.1',
      '::7f00:1',
      '::ffff:100.100.100.200',
    ],
  ],
])('addresses that are %s', (kind, addresses) => {
  expect(addresses.filter((address) => kindOfAddress(address) !== kind)).toEqual([])
})

/** The first and the last address of each network. */
const NETWORKS: Readonly<Record<'private' | 'nowhere', readonly (readonly [string, string])[]>> = {
  private: [
    ['127.0.0.0', '127.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['::1', '::1'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ],
  nowhere: [
    ['0.0.0.0', '0.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['::', '::'],
    ['::2', '::ffff:ffff'],
    ['64:ff9b::', '64:ff9b::ffff:ffff'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ],
}

test.each(Object.entries(NETWORKS))(
  'each network that is %s begins and ends where it should',
  (kind, networks) => {
    expect(networks.flat().filter((address) => kindOfAddress(address) !== kind)).toEqual([])
  },
)

test('the addresses beside each network are public', () => {
  const beside = [
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '1.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.1.255',
    '192.0.3.0',
    '192.88.98.255',
    '192.88.100.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fe00::',
    '::1:0:0',
    '64:ff9b::1:0:0',
    '64:ff9b:2::',
    '100:0:0:1::',
    '2001:1::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::',
    'fe7f:ffff::',
  ]
  expect(beside.filter((address) => kindOfAddress(address) !== 'public')).toEqual([])
})

test('a name leads nowhere as soon as one of its addresses may not be used, whichever it is', () => {
  const [open, own] = ['1.1.1.1', '10.0.0.1']
  const both = [
    [open, own],
    [own, open],
  ]
  for (const addresses of both) {
    const strict = findForbiddenAddress(addresses, { protocol: 'https:', allowPrivate: false })
    expect(strict).toBe(`${own} is not a public address: nothing is sent there`)
    const plain = findForbiddenAddress(addresses, { protocol: 'http:', allowPrivate: true })
    expect(plain).toMatch(/^http:\/\/ is for this machine/)
    expect(findForbiddenAddress(addresses, { protocol: 'https:', allowPrivate: true })).toBeUndefined()
  }
  const cloud = [open, '169.254.169.254']
  expect(findForbiddenAddress(cloud, { protocol: 'https:', allowPrivate: true })).toMatch(/^169\.254/)
  expect(findForbiddenAddress([own], { protocol: 'http:', allowPrivate: true })).toBeUndefined()
})

const { signal } = new AbortController()

test('a name that leads to this machine is refused where private addresses are not allowed', async () => {
  const receiver = await openReceiver()
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
    const url = receiver.url.replace('127.0.0.1', host)
    const { status, error } = await post({ url, headers: {}, body: '{}' }, { allowPrivate: false, signal })
    expect([status, error]).toEqual([null, expect.stringMatching(/is not a public address/)])
  }
  expect(receiver.received).toEqual([])
})

test('a redirect is not followed', async () => {
  const receiver = await openReceiver()
  receiver.answer.status = 307
  const { status } = await post(
    { url: receiver.url, headers: {}, body: '{}' },
    { allowPrivate: true, signal },
  )
  expect([status, receiver.received.length]).toEqual([307, 1])
})
