import { isIP } from 'node:net'
import { type AddressPolicy, isLoopbackAddress } from './address-policy.ts'

/**
 * Judges a receiver's URL when it is registered. This is help for the merchant, not the defence: names can be pointed
 * elsewhere later, so safe-fetch.ts judges each address it connects to.
 */
export type UrlCheck =
  | { readonly is: 'accepted'; readonly url: string }
  | { readonly is: 'refused'; readonly reason: string }

/** Longer ones are refused by some receivers' own servers; the table's constraint says the same. */
const urlMaxLength = 2000

/** Names that mean nothing, or something private, outside one network. */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'onion', 'invalid', 'test']

/** Below it ports belong to other protocols; the protocol's own is written by leaving the port out. */
const firstFreePort = 1024

/** Ports above 1024 of databases and other servers that answer whoever reaches them. */
const refusedPorts = [2049, 2375, 3306, 3389, 5432, 5984, 6379, 9200, 11211, 27017]

export function checkUrl(text: string, policy: AddressPolicy): UrlCheck {
  if (!URL.canParse(text)) return refuse('This is not a URL. Write it in full, such as https://example.com/webhooks.')
  // WHATWG's parser writes every spelling of an address the same way, so that none slips past.
  const url = new URL(text)
  if (url.href.length > urlMaxLength) return refuse(`The URL has more than ${urlMaxLength} characters.`)
  if (url.username !== '' || url.password !== '') {
    return refuse('The URL holds a user name or password. Deliveries are authenticated by their signature instead.')
  }
  if (url.href.includes('#')) return refuse('The URL has a fragment (#…), which is never sent.')
  if (isLocal(url, policy)) return { is: 'accepted', url: url.href }
  return checkScheme(url) ?? checkHost(url.hostname) ?? checkPort(url) ?? { is: 'accepted', url: url.href }
}

/** In development and tests a receiver may be this machine, over plain HTTP. */
function isLocal(url: URL, policy: AddressPolicy): boolean {
  if (!policy.allowsLoopback || !['http:', 'https:'].includes(url.protocol)) return false
  return isLoopbackHost(url.hostname)
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(withoutBrackets(hostname))
}

/** A URL writes an IPv6 address in brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** In test mode too: its events carry the names and addresses that a merchant tries the sandbox with. */
function checkScheme({ protocol }: URL): UrlCheck | undefined {
  if (protocol === 'https:') return undefined
  return refuse(`The URL begins with ${protocol}// and must begin with https://.`)
}

function checkHost(hostname: string): UrlCheck | undefined {
  if (isIP(withoutBrackets(hostname)) !== 0) {
    return refuse(`The host is the address ${hostname}. Use a name, which a certificate can prove.`)
  }
  if (hostname.endsWith('.')) return refuse(`The host ${hostname} ends in a dot. Leave it out.`)
  if (!hostname.includes('.') || privateSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`))) {
    return refuse(`The host ${hostname} cannot be reached from the internet. Use a public name.`)
  }
  return undefined
}

function checkPort({ port }: URL): UrlCheck | undefined {
  // The parser leaves the port empty when it is the protocol's own.
  if (port === '') return undefined
  if (Number(port) >= firstFreePort && !refusedPorts.includes(Number(port))) return undefined
  return refuse(`Port ${port} is not one for HTTPS. Use 443, or one from ${firstFreePort} up.`)
}

function refuse(reason: string): UrlCheck {
  return { is: 'refused', reason }
}
