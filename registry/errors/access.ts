import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

export const accessErrors = {
  missing_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The request has no bearer token.',
    fix: 'Send the header `Authorization: Bearer <API_TOKEN>`.',
  },
  invalid_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The bearer token is malformed or unknown.',
    fix: 'Send the full token as it was shown when it was created, or create a new token.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The token has expired.',
    fix: 'Create a new token and use it instead.',
  },
  token_revoked: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The token was revoked.',
    fix: 'Create a new token and use it instead.',
  },
  invalid_signature: {
    status: 401,
    type: 'authentication_error',
    meaning:
      'The signature of the callback was not made with the secret key of the merchant’s account at the payment ' +
      'provider.',
    fix: 'Connect the merchant’s account at the payment provider with its current secret key, and register the callback URL there.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    meaning: 'The token lacks the scope that this operation requires.',
    fix: 'Use a token with the scope in `details.requiredScope`.',
    details: z.object({
      requiredScope: z.string().meta({ description: 'Scope that the token needs for this operation.' }),
      tokenScopes: z.array(z.string()).meta({ description: 'Scopes of the token.' }),
    }),
  },
  test_mode_required: {
    status: 403,
    type: 'permission_error',
    meaning: 'The operation exists in test mode only, and the token is a token of live mode.',
    fix: 'Use a token that starts with `svc_test_`.',
  },
  ip_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The source IP address of the request is not on the allowlist of the token.',
    fix: 'Send the request from an allowed address, or create a token that allows `details.sourceIp`.',
    details: z.object({ sourceIp: z.string().meta({ description: 'Source IP address of the request.' }) }),
  },
  merchant_suspended: {
    status: 403,
    type: 'permission_error',
    meaning: 'The account of the merchant is suspended.',
    fix: 'Contact the operator of this service.',
  },
} as const satisfies Record<string, ErrorDeclaration>
