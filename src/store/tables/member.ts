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
  createdAt: Timestamp
  updatedAt: Timestamp
}

export interface MemberColumns {
  merchantId: MerchantId
  id: MemberId
  userId: UserId
  role: Role
  createdAt: Timestamp
  removedAt: Timestamp | null
}

export interface InvitationColumns {
  merchantId: MerchantId
  id: InvitationId
  role: Role
  createdAt: Timestamp
  expiresAt: Timestamp
  acceptedAt: Timestamp | null
  revokedAt: Timestamp | null
}

/**
 * For a sign-in link, `first_sign_in` is for a user who never set a password, `recovery` for a user who cannot sign in.
 */
export type SignInLinkPurpose = 'first_sign_in' | 'recovery'

export interface SignInLinkColumns {
  userId: UserId
  purpose: SignInLinkPurpose
  createdAt: Timestamp
  expiresAt: Timestamp
  usedAt: Timestamp | null
}

/** The remaining step of a sign-in. Only `complete` gives access to a merchant. */
export type SessionStage = 'totp_required' | 'setup_required' | 'complete'

export interface SessionColumns {
  id: SessionId
  userId: UserId
  selectedMerchantId: MerchantId | null
  stage: SessionStage
  createdAt: Timestamp
  lastSeenAt: Timestamp
  expiresAt: Timestamp
  authenticatedAt: Timestamp
  revokedAt: Timestamp | null
}
