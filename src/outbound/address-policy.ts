import { BlockList, isIP } from 'node:net'

/**
 * Addresses to which this service may connect. The policy is injected: production code has no switch that relaxes it.
 */
export interface AddressPolicy {
  /** Whether loopback addresses are allowed, for receivers in development and tests. */
  readonly allowsLoopback: boolean
  /**
   * Reports whether an address belongs to this service itself. Simulated carriers send callbacks to such an address.
   */
  readonly isOwnAddress?: (address: string) => boolean
  /**
   * Networks that the operator refuses: the operator's own public addresses, the networks of the cloud, the NAT64
   * prefix.
   */
  readonly refusedNetworks?: BlockList
}

interface OutboundSettings {
  readonly allowsLoopbackReceivers: boolean
  readonly webhookRefusedNetworks: readonly string[]
}

export function addressPolicy({ allowsLoopbackReceivers, webhookRefusedNetworks }: OutboundSettings): AddressPolicy {
  return { allowsLoopback: allowsLoopbackReceivers, refusedNetworks: toNetworks(webhookRefusedNetworks) }
}

/** Parses networks in CIDR notation. Throws for an invalid network, because ignoring it would allow its addresses. */
export function toNetworks(texts: readonly string[]): BlockList {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', prefix = '', ...more] = text.split('/')
    const isIpv4 = isIP(address) === 4
    const isPrefix = /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIpv4 ? 32 : 128)
    const isAddress = isIP(address) !== 0 && !address.includes('%')
    if (!isAddress || !isPrefix || more.length > 0) throw new Error(`${text} is not a network in CIDR form.`)
    networks.addSubnet(address, Number(prefix), isIpv4 ? 'ipv4' : 'ipv6')
  }
  return networks
}

/** IPv4 networks that are not public. All other IPv4 addresses are public. */
const refusedIpv4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // Carrier-grade NAT, also used by Alibaba's metadata service and Tailscale.
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's wire server, which has a public address.
  ['169.254.0.0', 16], // Link-local addresses, also used by the metadata services of AWS, Google and Azure.
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // IETF protocol assignments, also used by Oracle's metadata service.
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // Reserved addresses and the broadcast address.
] as const

/**
 * The only IPv6 block allocated for public use. All others are refused, because a list of refused blocks would be
 * incomplete.
 */
const publicIpv6 = ['2000::', 3] as const

/** Reserved networks inside the public IPv6 block. Connections to them are refused. */
const refusedIpv6 = [
  ['2001::', 23], // special-purpose addresses, such as those of Teredo, benchmarks and ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: each address embeds an IPv4 address, which may be private
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const

const refused = new BlockList()
for (const [network, prefix] of refusedIpv4) refused.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of refusedIpv6) refused.addSubnet(network, prefix, 'ipv6')

const allocated = new BlockList()
allocated.addSubnet(...publicIpv6, 'ipv6')

// IPv4 and IPv6 have a list each: a combined list would also match IPv4-mapped IPv6 addresses, which must be refused.
const loopbackIpv4 = new BlockList()
loopbackIpv4.addSubnet('127.0.0.0', 8, 'ipv4')
const loopbackIpv6 = new BlockList()
loopbackIpv6.addAddress('::1', 'ipv6')

export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (policy.isOwnAddress?.(address)) return true
  if (policy.refusedNetworks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return false
  return isPublicAddress(address) || (policy.allowsLoopback && isLoopbackAddress(address))
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  // An IPv6 address with a zone id (`%`) belongs to an interface of this machine, so it is not public.
  if (family !== 6 || address.includes('%')) return false
  return allocated.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return loopbackIpv4.check(address, 'ipv4')
  return family === 6 && !address.includes('%') && loopbackIpv6.check(address, 'ipv6')
}
