import { Secret, TOTP } from 'otpauth'
import type { UserId } from '../../../registry/values/vocabulary.ts'
import { randomKey } from '../../base/ids.ts'
import type { Vault } from '../../base/vault.ts'

/** Time-based one-time passwords (RFC 6238) with the parameters that all authenticator apps support. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Length of a TOTP secret: 160 bits, which RFC 4226 recommends. */
const secretBytes = 20

/** Codes of the previous and the next 30-second step are accepted, because phone clocks differ by some seconds. */
const stepsAround = 1

export function newTotpSecret(): string {
  const bytes = new Uint8Array(randomKey(secretBytes))
  return new Secret({ buffer: bytes.buffer }).base32
}

export function totpUriOf(secret: string, { label, issuer }: { label: string; issuer: string }): string {
  return new TOTP({ ...parameters, secret: Secret.fromBase32(secret), label, issuer }).toString()
}

/** Returns the number of the 30-second step to which a code belongs; undefined for a wrong code. */
export function totpStepOf(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return undefined
  const found = TOTP.validate({
    ...parameters,
    token,
    secret: Secret.fromBase32(secret),
    timestamp: nowMs,
    window: stepsAround,
  })
  return found === null ? undefined : TOTP.counter({ period: parameters.period, timestamp: nowMs }) + found
}

export function sealTotp(vault: Vault, userId: UserId, secret: string): Buffer {
  return vault.seal(secret, { userId, purpose: 'totp_secret' })
}

export function openTotp(vault: Vault, userId: UserId, sealed: Buffer): string {
  return vault.open(sealed, { userId, purpose: 'totp_secret' })
}
