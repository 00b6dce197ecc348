import { isIP } from 'node:net'
import type { Visit } from '../kit/visit.ts'

/** Reports whether an origin has a domain. Browsers create and use no passkeys for an IP address. */
export function hasDomain({ origin }: Pick<Visit, 'origin'>): boolean {
  return isIP(hostOf(origin)) === 0
}

/** Returns the host of an origin. An IPv6 address is returned without its brackets. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1')
}
