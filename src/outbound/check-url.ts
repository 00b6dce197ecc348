import { isIP } from 'node:net'
import { type AddressPolicy, isLoopbackAddress } from './address-policy.ts'

/**
 * Result of checking a receiver's URL at registration. This check reports mistakes early. It does not prevent later
 * requests to internal addresses, because DNS can change after the check. safe-fetch.ts checks each address it connects
 * to.
 */
export type UrlCheck =
  | { readonly is: 'accepted'; readonly url: string }
  | { readonly is: 'refused'; readonly reason: string }

/**
 * Maximum length of a receiver's URL. Some servers reject longer URLs, and the table's constraint has the same limit.
 */
const urlMaxLength = 2000

/** Domains that do not exist in public DNS. The URL of a webhook receiver in such a domain is refused. */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'onion', 'invalid', 'test']

/** Lowest allowed port besides the default of HTTPS, which URLs omit. Lower ports belong to other protocols. */
const firstFreePort = 1024

/** Refused ports above 1024, of databases and other servers that often accept unauthenticated clients. */
const refusedPorts = [2049, 2375, 3306, 3389, 5432, 5984, 6379, 9200, 11211, 27017]

export function checkUrl(text: string, policy: AddressPolicy): UrlCheck {
  if (!URL.canParse(text)) return refuse('This is not a URL. Give a full URL, such as https://example.com/webhooks.')
  // The WHATWG URL parser normalises all spellings of an IP address, so only the normalised form must be checked.
  const url = new URL(text)
  if (url.href.length > urlMaxLength) return refuse(`The URL has more than ${urlMaxLength} characters.`)
  if (url.username !== '' || url.password !== '') {
    return refuse('The URL contains a user name or password. Deliveries are authenticated by their signature instead.')
  }
  if (url.href.includes('#')) return refuse('The URL has a fragment (#…), which is never sent.')
  if (isLocal(url, policy)) return { is: 'accepted', url: url.href }
  return checkScheme(url) ?? checkHost(url.hostname) ?? checkPort(url) ?? { is: 'accepted', url: url.href }
}

/** Reports whether the URL is an allowed loopback URL, which may use plain HTTP. */
function isLocal(url: URL, policy: AddressPolicy): boolean {
  if (!policy.allowsLoopback || !['http:', 'https:'].includes(url.protocol)) return false
  return isLoopbackHost(url.hostname)
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(withoutBrackets(hostname))
}

/** Removes the brackets around an IPv6 address in a URL. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/**
 * Requires https:// for the URL of a webhook endpoint, even in test mode: test events contain names and addresses that
 * merchants enter.
 */
function checkScheme({ protocol }: URL): UrlCheck | undefined {
  if (protocol === 'https:') return undefined
  return refuse(`The URL starts with ${protocol}// and must start with https://.`)
}

function checkHost(hostname: string): UrlCheck | undefined {
  if (isIP(withoutBrackets(hostname)) !== 0) {
    return refuse(`The host is the IP address ${hostname}. Use a host name, which a certificate can identify.`)
  }
  if (hostname.endsWith('.')) return refuse(`The host ${hostname} ends with a dot. Remove the dot.`)
  if (!hostname.includes('.') || privateSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`))) {
    return refuse(`The host ${hostname} is not reachable from the internet. Use a public host name.`)
  }
  return undefined
}

function checkPort({ port }: URL): UrlCheck | undefined {
  // The URL parser leaves the port empty when the port is the default of the protocol.
  if (port === '') return undefined
  if (Number(port) >= firstFreePort && !refusedPorts.includes(Number(port))) return undefined
  return refuse(`Port ${port} is not allowed. Use 443, or an HTTPS port from ${firstFreePort} up.`)
}

function refuse(reason: string): UrlCheck {
  return { is: 'refused', reason }
}
