import { isIP } from 'node:net'

/**
 * Returns the network of an IP address: /24 of IPv4, /64 of IPv6. One subscriber usually has a whole /64, so counting
 * single addresses would not limit an attacker.
 */
export function sourceNetworkOf(ip: string | null): string {
  if (ip === null) return 'unknown'
  switch (isIP(ip)) {
    case 4:
      return ip.split('.').slice(0, 3).join('.')
    case 6:
      return firstGroupsOf(ip)
    default:
      return 'unknown'
  }
}

const groupsOfAddress = 8
const groupsOfNetwork = 4

/** Returns the first 64 bits of an IPv6 address, normalised, so that all addresses of a network give the same text. */
function firstGroupsOf(ip: string): string {
  const [address = ''] = ip.split('%')
  // The URL parser normalises every spelling of an IPv6 address, including spellings that end in an IPv4 address.
  const normalised = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = normalised.split('::')
  const leading = head === '' ? [] : head.split(':')
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: groupsOfAddress - leading.length - trailing.length }, () => '0')
  return [...leading, ...zeros, ...trailing].slice(0, groupsOfNetwork).join(':')
}
