/** The addresses to which events may go. */
import { BlockList, isIP } from 'node:net'

/** The networks of one machine, or of one owner. */
const PRIVATE = blocks(
  '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10',
  '::1/128 fc00::/7',
)
/** This machine: the one address of `::/96` that is no IPv4 address within an IPv6 one. */
const THIS_MACHINE = blocks('127.0.0.0/8', '::1/128')
/**
 * The networks in which no receiver is: this network, link-local, where clouds respond with credentials, and the addresses elsewhere
 * at which some clouds do (Alibaba, Azure, AWS, Google), tests, multicast, and IPv4 addresses within IPv6 ones.
 */
const NOWHERE = blocks(
  '100.100.100.200/32 168.63.129.16/32 0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  'fd00:ec2::254/128 fd20:ce::254/128 ::/96 fe80::/10 fec0::/10 ff00::/8 100::/64 2001:db8::/32 2002::/16 64:ff9b::/96 64:ff9b:1::/48 2001::/32',
)

function blocks(four: string, six: string): BlockList {
  const list = new BlockList()
  const add = (each: string, family: 'ipv4' | 'ipv6'): void => {
    const [net = '', bits] = each.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  for (const each of four.split(' ')) add(each, 'ipv4')
  for (const each of six.split(' ')) add(each, 'ipv6')
  return list
}

/** Returns whether an address is public, of a private network, or one to which nothing may ever be sent. */
export function kindOfAddress(address: string): 'public' | 'private' | 'nowhere' {
  // An IPv4 address within an IPv6 one leads where that one does; the list knows only the form with a prefix of 96 bits.
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  const plain = mapped ?? address
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(plain) === 0 || /^::ffff:/i.test(plain)) return 'nowhere'
  if (THIS_MACHINE.check(plain, family)) return 'private'
  if (NOWHERE.check(plain, family)) return 'nowhere'
  return PRIVATE.check(plain, family) ? 'private' : 'public'
}

/** Returns why a message may not go to a host with these addresses; undefined where each of them may be used. */
export function findForbiddenAddress(
  addresses: readonly string[],
  { protocol, allowPrivate }: { protocol: string; allowPrivate: boolean },
): string | undefined {
  const wrong = addresses.find((address) => {
    const kind = kindOfAddress(address)
    return kind === 'nowhere' || (kind === 'private' && !allowPrivate)
  })
  if (wrong !== undefined) return `${wrong} is not a public address: nothing is sent there`
  return protocol === 'http:' && addresses.some((address) => kindOfAddress(address) === 'public')
    ? 'http:// is for this machine and private networks: use https://'
    : undefined
}
