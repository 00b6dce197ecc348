import type { Role } from '../../../registry/values/roles.ts'
import type {
  InvitationId,
  MemberId,
  MerchantId,
  SessionId,
  Timestamp,
  UserId,
} from '../../../registry/values/vocabulary.ts'

export interface UserColumns {
  id: UserId
  created_at: Timestamp
  updated_at: Timestamp
}

export interface MemberColumns {
  merchant_id: MerchantId
  id: MemberId
  user_id: UserId
  role: Role
  created_at: Timestamp
  removed_at: Timestamp | null
}

export interface InvitationColumns {
  merchant_id: MerchantId
  id: InvitationId
  role: Role
  created_at: Timestamp
  expires_at: Timestamp
  accepted_at: Timestamp | null
  revoked_at: Timestamp | null
}

/**
 * For a sign-in link, `first_sign_in` is for a user who never set a password, `recovery` for a user who cannot sign in.
 */
export type SignInLinkPurpose = 'first_sign_in' | 'recovery'

export interface SignInLinkColumns {
  user_id: UserId
  purpose: SignInLinkPurpose
  created_at: Timestamp
  expires_at: Timestamp
  used_at: Timestamp | null
}

/** The remaining step of a sign-in. Only `complete` gives access to a merchant. */
export type SessionStage = 'totp_required' | 'setup_required' | 'complete'

export interface SessionColumns {
  id: SessionId
  user_id: UserId
  selected_merchant_id: MerchantId | null
  stage: SessionStage
  created_at: Timestamp
  last_seen_at: Timestamp
  expires_at: Timestamp
  authenticated_at: Timestamp
  revoked_at: Timestamp | null
}
