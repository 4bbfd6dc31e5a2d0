import { expect, test } from 'vitest'
import { kindOfAddress } from '../../../src/host/webhooks/address.ts'
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
