import { toMs } from '../../base/clock.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge } from '../../markup/parts.ts'
import type { findToken } from '../../store/access/tokens.ts'
import { ago } from '../kit/parts.ts'

export type Token = NonNullable<Awaited<ReturnType<typeof findToken>>>

/**
 * Number of days before its expiry from which a token is shown as expiring: enough time to release an integration with
 * a new token.
 */
const expiringDays = 14
const dayMs = 24 * 60 * 60 * 1000

export function tokenState({ revokedAt, expiresAt }: Token, nowMs: number): Markup {
  if (revokedAt !== null) return badge('revoked', 'quiet')
  if (expiresAt === null) return badge('active', 'good')
  if (toMs(expiresAt) <= nowMs) return badge('expired', 'quiet')
  const state = isExpiring({ expiresAt }, nowMs) ? badge('expiring', 'waiting') : badge('active', 'good')
  return html`${state} ${ago(expiresAt, nowMs)}`
}

/** Reports whether a token expires soon, or has expired. */
export function isExpiring({ expiresAt }: Pick<Token, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && toMs(expiresAt) - nowMs < expiringDays * dayMs
}

export function isValid({ revokedAt, expiresAt }: Token, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || toMs(expiresAt) > nowMs)
}

/**
 * Number of days without use after which the dashboard warns about a token. A monthly job uses its token at least twice
 * within this time.
 */
const unusedDays = 90

/**
 * Number of days after which the dashboard warns about a token that was never used. A new integration needs some time
 * to start.
 */
const neverUsedDays = 1

export function unusedWarning(token: Token, nowMs: number): 'never used' | 'unused for 90 days' | undefined {
  if (!isValid(token, nowMs)) return undefined
  const { createdAt, lastUsedAt } = token
  if (lastUsedAt === null) return nowMs - toMs(createdAt) > neverUsedDays * dayMs ? 'never used' : undefined
  return nowMs - toMs(lastUsedAt) > unusedDays * dayMs ? `unused for ${unusedDays} days` : undefined
}

export function lastUse(token: Token, nowMs: number): Markup {
  const { lastUsedAt, lastUsedIp } = token
  const warning = unusedWarning(token, nowMs)
  const shown = warning === undefined ? nothing : badge(warning, 'waiting')
  if (lastUsedAt === null) return warning === undefined ? html`never` : shown
  return html`${ago(lastUsedAt, nowMs)} from ${lastUsedIp} ${shown}`
}
