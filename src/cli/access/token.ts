import { z } from 'zod'
import { instant, type Timestamp, TokenId } from '../../../registry/values/vocabulary.ts'
import { createToken } from '../../access/create-token.ts'
import { revokeToken } from '../../access/revoke-token.ts'
import { rotateToken } from '../../access/rotate-token.ts'
import { normaliseInstant, toMs, toTimestamp } from '../../base/clock.ts'
import { listTokens } from '../../store/access/tokens.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure, notFound, UsageError } from '../kit/failure.ts'
import { operator } from '../kit/operator.ts'
import {
  idOption,
  limitOption,
  merchantOptions,
  networksOption,
  numberOption,
  option,
  rowsShown,
  scopesOption,
  textOption,
} from '../kit/option.ts'
import { table } from '../kit/output.ts'
import { tenantOf } from '../kit/tenant.ts'

const absolute = instant('When the token expires.')
const expiry = z.union([z.string().regex(/^[1-9]\d{0,4}d$/), absolute])

export const tokenCreate = command({
  name: 'token create',
  summary: 'Create an API token. It is shown only once.',
  options: z.strictObject({
    ...merchantOptions,
    name: textOption('The purpose of the token. Create one token for each integration.'),
    scopes: scopesOption,
    expires: option(expiry.optional(), {
      value: 'TIME',
      meaning: 'When the token expires: a timestamp such as 2027-01-31T00:00:00Z, or a number of days such as 30d.',
      must: 'must be a timestamp such as 2027-01-31T00:00:00Z or a number of days such as 30d',
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
            text: `Created token ${outcome.id}. Store it now, it is not shown again:\n\n${outcome.token}`,
          }
        case 'invalid_network':
          throw new UsageError(`--ip must be networks such as 203.0.113.0/24; ${outcome.network} is not a network.`)
        case 'scopes_not_held':
          throw new Error('An operator may give a token every scope.')
      }
    }),
})

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

function expiryOf(text: z.output<typeof expiry>, nowMs: number): Timestamp {
  const parsed = absolute.safeParse(text)
  const expiresAt = parsed.success
    ? normaliseInstant(parsed.data)
    : toTimestamp(nowMs + Number.parseInt(text, 10) * dayMs)
  if (toMs(expiresAt) <= nowMs) throw new UsageError(`--expires must be in the future; ${text} is not.`)
  return expiresAt
}

export const tokenList = command({
  name: 'token list',
  summary: 'List a merchant’s API tokens, newest first, without the token values.',
  options: z.strictObject({ ...merchantOptions, limit: limitOption }),
  run: (values) =>
    connected(async ({ database }) => {
      const { merchantId } = await tenantOf(database, values)
      const limit = values.limit ?? rowsShown
      const rows = (await listTokens(database, { merchantId, limit })).map((token) => ({ ...token }))
      return { json: rows, text: table(rows, ['id', 'name', 'lastFour', 'scopes', 'expiresAt', 'revokedAt']) }
    }),
})

/**
 * Maximum time, in hours, for which the old token stays valid after a rotation: one week, longer than the deployment of
 * a new token takes.
 */
const overlapMaxHours = 168
const overlapDefaultHours = 24

export const tokenRotate = command({
  name: 'token rotate',
  summary:
    'Rotate an API token: create a new token, and expire the old token after an overlap. The new token is shown only once.',
  options: z.strictObject({
    ...merchantOptions,
    token: idOption('The id of the token to replace.'),
    'overlap-hours': numberOption(
      `Hours for which both tokens are valid; default ${overlapDefaultHours}. The value 0 expires the old token at once.`,
      { min: 0, max: overlapMaxHours },
    ).optional(),
  }),
  run: (values) =>
    connected(async (context) => {
      const tenant = await tenantOf(context.database, values)
      const id = TokenId.safeParse(values.token)
      const overlapMs = (values['overlap-hours'] ?? overlapDefaultHours) * hourMs
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
            text: `Token ${outcome.id} replaces ${values.token}, which expires at ${oldExpiresAt}. Store the new token now, it is not shown again:\n\n${token}`,
          }
        }
        case 'ended':
          throw new CommandFailure(
            `Token ${values.token} is revoked or expired. Create a new token with commerce token create.`,
          )
        case 'unknown':
          throw notFound(`token ${printable(values.token)}`)
        case 'scopes_not_held':
          throw new Error('An operator may give a token every scope.')
      }
    }),
})

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'Revoke a token. All processes reject it within five seconds.',
  options: z.strictObject({
    ...merchantOptions,
    token: idOption('The id of the token (tok_…), not the token itself.'),
  }),
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

/**
 * Returns a text for an error message. If a token was entered instead of a token id, returns a hint in its place, so
 * that the token reaches no log.
 */
function printable(text: string): string {
  return text.startsWith('svc_') ? 'of that id: --token takes the id (tok_…), not the token itself' : text
}
