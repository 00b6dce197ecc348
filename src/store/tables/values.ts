import type { ColumnType } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'

/** Types of column values that are not part of the API, so the registry does not define them. */

/**
 * The purpose of a sign-in link: `first_sign_in` for a user who has never set a password, or `recovery` for a user who
 * cannot sign in.
 */
export type SignInLinkPurpose = 'first_sign_in' | 'recovery'

/** The remaining step of a sign-in. Only `complete` gives access to a merchant. */
export type SessionStage = 'totp_required' | 'setup_required' | 'complete'

/** The status of a payment dispute. `unclear` is a resolved dispute whose result the service does not recognise. */
export type DisputeStatus = 'open' | 'won' | 'lost' | 'unclear'

/**
 * Status of an e-mail. `skipped`: the member left, lost the permission or turned the e-mails off before it was sent.
 */
export type NotificationMailStatus = 'pending' | 'sent' | 'failed' | 'skipped'

/** The statuses of completed deliveries. A bulk replay can send these deliveries again. */
export type ReplayableStatus = 'failed' | 'skipped' | 'succeeded'

export type BulkReplayStatus = 'running' | 'done' | 'cancelled'

/** The status of a product import. `checked`: a member decides whether the products are created. */
export type ProductImportStatus = 'checking' | 'checked' | 'importing' | 'done' | 'failed'

export type DeliveryStatus = 'pending' | 'failed' | 'succeeded' | 'held' | 'skipped'

/** The provider of a payment or refund. `manual`: the merchant receives and refunds the payment outside the service. */
export type ProviderOrManual = PaymentProviderName | 'manual'

/** The type of a generated column, which can be read but not written. */
export type Computed<Value> = ColumnType<Value, never, never>
