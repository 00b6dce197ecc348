import { sql } from 'kysely'
import type { MerchantId } from '../../../../registry/values/vocabulary.ts'
import type { Database } from '../../core/database.ts'
import { writing } from '../../core/statement.ts'

export interface PacedAccount {
  readonly merchantId: MerchantId
  readonly carrier: string
  readonly accountDigest: string
}

export interface PaceLimits {
  readonly perMinute: number
  readonly perSecond: number
}

export interface Admission {
  readonly isAdmitted: boolean
  /** Whether the rate limit per minute is reached. False if only the limit per second is reached. */
  readonly isMinuteFull: boolean
  /** Seconds until the next one-minute window of the carrier's rate limit starts. */
  readonly secondsLeft: number
}

const admit = writing<PacedAccount & PaceLimits>()(
  'admit_carrier_call',
  (p) => sql<Admission>`
    with admitted as (
      insert into carrier_call_windows as known (
        merchant_id, carrier, account_digest, minute_at, minute_calls, second_at, second_calls
      )
      values (
        ${p.merchantId}, ${p.carrier}, ${p.accountDigest}, date_trunc('minute', now()), 1, date_trunc('second', now()), 1
      )
      on conflict (merchant_id, carrier, account_digest) do update
      set
        minute_calls = case when known.minute_at = excluded.minute_at then known.minute_calls + 1 else 1 end,
        second_calls = case when known.second_at = excluded.second_at then known.second_calls + 1 else 1 end,
        minute_at = excluded.minute_at,
        second_at = excluded.second_at
      where (known.minute_at <> excluded.minute_at or known.minute_calls < ${p.perMinute}::int)
        and (known.second_at <> excluded.second_at or known.second_calls < ${p.perSecond}::int)
      returning 1
    )
    select
      exists (select from admitted) as is_admitted,
      exists (
        select from carrier_call_windows reached
        where reached.merchant_id = ${p.merchantId}
          and reached.carrier = ${p.carrier}
          and reached.account_digest = ${p.accountDigest}
          and reached.minute_at = date_trunc('minute', now())
          and reached.minute_calls >= ${p.perMinute}::int
      ) as is_minute_full,
      ceil(extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now()))::int as seconds_left`,
)

/**
 * Counts a call to a carrier if the rate limits of the carrier account permit the call. The limits apply per second and
 * per minute of the database’s clock, so that all processes share them.
 */
export async function admitCarrierCall(database: Database, call: PacedAccount & PaceLimits): Promise<Admission> {
  const [admission] = await database.run(admit, call)
  return admission ?? { isAdmitted: true, isMinuteFull: false, secondsLeft: 0 }
}
