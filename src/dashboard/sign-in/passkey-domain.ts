import { isIP } from 'node:net'
import type { Visit } from '../kit/visit.ts'

/** Browsers create and use no passkeys for an IP address. */
export function hasDomain({ origin }: Pick<Visit, 'origin'>): boolean {
  return isIP(hostOf(origin)) === 0
}

/** An IPv6 address is returned without its brackets. */
export function hostOf(origin: string): string {
  return new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1')
}
