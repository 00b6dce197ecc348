import { BlockList, isIP } from 'node:net'

/** The IP allowlist of a token: CIDR blocks or single addresses, IPv4 or IPv6. */

/** Returns a network as a CIDR block, or undefined when the text is not a network. */
export function normaliseNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  if (family === 0 || more.length > 0 || address.includes('%')) return undefined
  if (bits === undefined) return `${address}/${most}`
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? `${address}/${Number(bits)}` : undefined
}

/** An empty list allows every address. */
export function networksOf(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => true
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
