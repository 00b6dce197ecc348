import { isIP } from 'node:net'
import type { Visit } from '../kit/visit.ts'

/** Passkeys belong to a domain. Browsers create and use none for an IP address. */
export function hasDomain({ origin }: Pick<Visit, 'origin'>): boolean {
  return isIP(hostOf(origin)) === 0
}

/** Returns the host of an origin, an IPv6 address without its brackets. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1')
}
