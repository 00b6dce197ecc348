import { toMs } from '../../base/clock.ts'
import type { listTokens } from '../../store/access/tokens.ts'
import { html, type Markup } from '../kit/markup.ts'
import { ago, badge } from '../kit/parts.ts'

export type Token = Awaited<ReturnType<typeof listTokens>>[number]

/** Days before its expiry from which a token is shown as expiring: enough for a release of the integration. */
const expiringDays = 14
const dayMs = 24 * 60 * 60 * 1000

/** Shows whether a token is valid. */
export function tokenState({ revokedAt, expiresAt }: Token, nowMs: number): Markup {
  if (revokedAt !== null) return badge('revoked', 'quiet')
  if (expiresAt === null) return badge('active', 'good')
  const leftMs = toMs(expiresAt) - nowMs
  if (leftMs <= 0) return badge('expired', 'quiet')
  const isExpiring = leftMs < expiringDays * dayMs
  return html`${badge(isExpiring ? 'expiring' : 'active', isExpiring ? 'waiting' : 'good')} ${ago(expiresAt, nowMs)}`
}
