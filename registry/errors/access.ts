import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'

/** Who may not call, and why. */
export const accessErrors = {
  missing_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The request carries no bearer token.',
    fix: 'Send the header `Authorization: Bearer <API_TOKEN>`.',
  },
  invalid_token: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The bearer token is malformed or unknown.',
    fix: 'Send the full token as it was shown when it was created, or create a new one.',
  },
  token_expired: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The token has passed its expiry.',
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
    meaning: 'The callback is not signed with the secret key of this merchant’s payment provider.',
    fix: 'Connect the provider’s account with its secret key, and let the provider call the URL made for it.',
  },
  insufficient_scope: {
    status: 403,
    type: 'permission_error',
    meaning: 'The token lacks the scope this operation needs.',
    fix: 'Use a token that was created with the scope named in `details.requiredScope`.',
    details: z.object({
      requiredScope: z.string().meta({ description: 'The scope the operation needs.' }),
      tokenScopes: z.array(z.string()).meta({ description: 'The scopes the token carries.' }),
    }),
  },
  ip_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The token may not be used from this address.',
    fix: 'Call from an address on the token’s allowlist, or create a token for this one.',
    details: z.object({ sourceIp: z.string().meta({ description: 'The address the request came from.' }) }),
  },
  merchant_suspended: {
    status: 403,
    type: 'permission_error',
    meaning: 'The merchant’s account is suspended.',
    fix: 'Contact the operator of this service.',
  },
} as const satisfies Record<string, ErrorDeclaration>
