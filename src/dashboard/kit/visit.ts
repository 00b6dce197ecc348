import type { LRUCache } from 'lru-cache'
import type { EndpointId } from '../../../registry/index.ts'
import type { Permission } from '../../../registry/values/roles.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Vault } from '../../base/vault.ts'
import type { OperationContext } from '../../operations/execute/call.ts'
import type { AddressPolicy } from '../../outbound/address-policy.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'
import type { SelectedMerchant, SessionRecord } from '../../store/access/sessions.ts'
import type { Actor } from '../../store/core/audit.ts'
import type { Context, Tenant } from '../../store/core/mutation.ts'
import type { Reader } from '../../store/notifications/unread.ts'
import type { Browser, UploadedFile } from './browser.ts'
import type { Call, CallInput, ReplyOf } from './call.ts'
import { PageError } from './page-error.ts'

/** Dependencies of the dashboard in addition to the dependencies of the operations. */
export interface DashboardParts {
  readonly service: OperationContext
  readonly vault: Vault
  readonly policy: AddressPolicy
  /** The client that sends requests to URLs that merchants configured. */
  readonly fetch: SafeFetch['fetch']
}

export interface Dashboard extends DashboardParts {
  /**
   * Caches two ids for each session with a recent request: those of the member and of the selected merchant. With these
   * ids, the next request reads the session and counts the unread notifications in one round trip. The key of the cache
   * is the value of the session's cookie.
   */
  readonly readers: LRUCache<string, Reader>
}

export type Member = Omit<SessionRecord, 'selected'> & { readonly selected: SelectedMerchant }

/** One request of a signed-in member for a page or an action. */
export interface Visit extends Dashboard, Pick<Browser, 'isHead' | 'onDisconnect'> {
  readonly context: Context
  readonly member: Member
  readonly permissions: ReadonlySet<Permission>
  readonly tenant: Tenant
  readonly actor: Actor
  readonly now: Timestamp
  readonly nowMs: number
  /** The query parameters of the page, each with its first value. */
  readonly query: Readonly<Record<string, string>>
  /** All values of the query parameter `id`, which the check boxes of a list send. */
  readonly chosenIds: readonly string[]
  /** The device token that an earlier sign-in stored in the browser. Null if no member has signed in with this browser. */
  readonly deviceToken: string | null
  /** The path and the query of the page, such as `/dashboard/orders?status=pending`. */
  readonly url: string
  readonly origin: string
  readonly requestId: string
  /** The id of the submitted form, unique to each rendering. An action may use it as an idempotency key. */
  readonly formId: string
  readonly file?: UploadedFile | undefined
  readonly hiddenFields: () => FormSecrets
  readonly call: Call
}

export interface FormSecrets {
  readonly csrf: string
  readonly formId: string
  /** The merchant on which the form acts, in live or test mode. Null before sign-in. */
  readonly tenantId: MerchantId | null
}

export function may({ permissions }: Pick<Visit, 'permissions'>, permission: Permission): boolean {
  return permissions.has(permission)
}

/**
 * If the API rejects the call, throws the rejection, and the browser gets an error page. A malformed id in the URL gets
 * the same response as an unknown id.
 */
export async function read<Id extends EndpointId>(visit: Visit, id: Id, input: CallInput<Id>): Promise<ReplyOf<Id>> {
  const called = await visit.call(id, input)
  if (called.is === 'answered') return called.reply
  const isBadPath = called.refusal.problems?.some(({ path }) => path.startsWith('path.')) ?? false
  throw isBadPath ? new PageError(404, 'This record does not exist.') : called.refusal
}
