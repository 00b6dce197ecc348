import { z } from 'zod'
import { instant, type Timestamp, TokenId } from '../../registry/values/vocabulary.ts'
import { createToken } from '../access/create-token.ts'
import { revokeToken } from '../access/revoke-token.ts'
import { rotateToken } from '../access/rotate-token.ts'
import { normaliseInstant, toMs, toTimestamp } from '../base/clock.ts'
import { listTokens } from '../store/access/tokens.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure, notFound, UsageError } from './failure.ts'
import { operator } from './operator.ts'
import { idOption, merchantOptions, networksOption, numberOption, option, scopesOption, textOption } from './option.ts'
import { table } from './output.ts'
import { tenantOf } from './tenant.ts'

const moment = instant('When the token ends.')
const expiry = z.union([z.string().regex(/^[1-9]\d{0,4}d$/), moment])

export const tokenCreate = command({
  name: 'token create',
  summary: 'Mint an API token. It is shown this once.',
  options: z.strictObject({
    ...merchantOptions,
    name: textOption('What the token is for; one for each integration is best.'),
    scopes: scopesOption,
    expires: option(expiry.optional(), {
      value: 'WHEN',
      meaning: 'When it ends: a moment such as 2027-01-31T00:00:00Z, or in so many days, such as 30d.',
      must: 'must be a moment such as 2027-01-31T00:00:00Z or a number of days such as 30d',
    }),
    ip: networksOption,
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const expiresAt = values.expires === undefined ? null : expiryOf(values.expires, context.clock.nowMs())
      const { name, scopes } = values
      const request = { name, scopes, expiresAt, ipAllowlist: values.ip ?? [] }
      const outcome = await createToken(context, operator, tenant, request)
      switch (outcome.is) {
        case 'created':
          return {
            json: { id: outcome.id, token: outcome.token, ...request, ...tenant },
            text: `Token ${outcome.id} was minted. Keep it now, it is not shown again:\n\n${outcome.token}`,
          }
        case 'invalid_network':
          throw new UsageError(`--ip must be networks such as 203.0.113.0/24, and ${outcome.network} is none.`)
      }
    }),
})

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

function expiryOf(text: z.output<typeof expiry>, nowMs: number): Timestamp {
  const parsed = moment.safeParse(text)
  const expiresAt = parsed.success
    ? normaliseInstant(parsed.data)
    : toTimestamp(nowMs + Number.parseInt(text, 10) * dayMs)
  if (toMs(expiresAt) <= nowMs) throw new UsageError(`--expires must lie ahead, and ${text} does not.`)
  return expiresAt
}

export const tokenList = command({
  name: 'token list',
  summary: 'List a merchant’s tokens, newest first, without the tokens themselves.',
  options: z.strictObject(merchantOptions),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const rows = (await listTokens(database, merchantId)).map((token) => ({ ...token }))
      return { json: rows, text: table(rows, ['id', 'name', 'lastFour', 'scopes', 'expiresAt', 'revokedAt']) }
    }),
})

/** A week is longer than any deployment takes; a token that both sides know is best not around for ever. */
const overlapMaxHours = 168
const overlapStandardHours = 24

export const tokenRotate = command({
  name: 'token rotate',
  summary: 'Mint a token like another one, which ends after an overlap. The new token is shown this once.',
  options: z.strictObject({
    ...merchantOptions,
    token: idOption('The id of the token to replace.'),
    'overlap-hours': numberOption(
      `How long both are accepted; ${overlapStandardHours} when left out, 0 to end the old one at once.`,
      { min: 0, max: overlapMaxHours },
    ).optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = TokenId.safeParse(values.token)
      const overlapMs = (values['overlap-hours'] ?? overlapStandardHours) * hourMs
      const outcome = id.success
        ? await rotateToken(context, operator, tenant, { id: id.data, overlapMs })
        : { is: 'unknown' as const }
      switch (outcome.is) {
        case 'rotated': {
          const { token, expiresAt, oldExpiresAt } = outcome
          return {
            json: {
              id: outcome.id,
              token,
              expiresAt,
              replaces: values.token,
              replacedExpiresAt: oldExpiresAt,
              ...tenant,
            },
            text: `Token ${outcome.id} replaces ${values.token}, which ends at ${oldExpiresAt}. Store the new one now, it is not shown again:\n\n${token}`,
          }
        }
        case 'ended':
          throw new CommandFailure(`Token ${values.token} is revoked or expired. Make a new one with token create.`)
        case 'unknown':
          throw notFound(`token ${printable(values.token)}`)
      }
    }),
})

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke a token. Within five seconds it is refused everywhere.',
  options: z.strictObject({ ...merchantOptions, token: idOption('The token’s id, which is not the token itself.') }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = TokenId.safeParse(values.token)
      const outcome = id.success ? await revokeToken(context, operator, tenant, id.data) : { is: 'unknown' as const }
      switch (outcome.is) {
        case 'revoked':
          return { json: { id: values.token, revoked: true }, text: `Token ${values.token} is revoked.` }
        case 'unknown':
          throw notFound(`token ${printable(values.token)}`)
      }
    }),
})

/** Who types the token instead of its id must not find it in a log afterwards. */
function printable(text: string): string {
  return text.startsWith('svc_') ? 'of that id: --token takes the id (tok_…), not the token itself' : text
}
