import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { finding, lockingFirst, searchingAll, writingAny } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'

/**
 * The test clocks of merchants. An advance is stored with its whole time span. A worker then advances the clock in
 * steps, each in one transaction, so an advance that a crash interrupts continues where it stopped.
 */
export interface TestClock {
  readonly advancedMs: number
  /**
   * Whether an advance of the test clock is in progress. After its last step, the advance is still in progress until
   * the due work is done.
   */
  readonly isAdvancing: boolean
  /** Whether a step of the last advance failed, so that the remaining steps were not made. */
  readonly hasFailed: boolean
  /** Time in milliseconds by which the current advance must still move the clock. */
  readonly remainingMs: number
  /** The number of steps of the current or last advance. */
  readonly steps: number
}

interface OfMerchant {
  readonly merchantId: MerchantId
}

const unmoved: TestClock = { advancedMs: 0, isAdvancing: false, hasFailed: false, remainingMs: 0, steps: 0 }

const clockOf = (p: OfMerchant) => sql<TestClock>`
  select advanced_ms::float8 as advanced_ms, is_advancing, has_failed, remaining_ms::float8 as remaining_ms, steps
  from test_clocks
  where merchant_id = ${p.merchantId}`

const find = finding<OfMerchant>()('find_test_clock', clockOf)

const lock = lockingFirst<OfMerchant>()('lock_test_clock', (p) => sql<TestClock>`${clockOf(p)} for update`)

export async function findTestClock(db: ReadDb, merchantId: MerchantId): Promise<TestClock> {
  return (await find(db, { merchantId })) ?? unmoved
}

export async function lockTestClock(...[trx, args]: Parameters<typeof lock>): Promise<TestClock> {
  return (await lock(trx, args)) ?? unmoved
}

/** Returns false while another advance of this clock is under way. */
export const startAdvance = writingAny<OfMerchant & { spanMs: number }>()(
  'start_test_clock',
  (p) => sql`
    insert into test_clocks as clock (merchant_id, is_advancing, remaining_ms)
    values (${p.merchantId}, true, ${p.spanMs}::bigint)
    on conflict (merchant_id) do update set is_advancing = true, has_failed = false, remaining_ms = ${p.spanMs}::bigint, steps = 0
    where not clock.is_advancing
    returning merchant_id`,
)

interface Step extends OfMerchant {
  /** The number of steps of the current advance at the time at which this worker read the test clock. */
  readonly seenSteps: number
  readonly stepMs: number
}

/**
 * Records one step of an advance of the test clock, and locks the test clock. Returns false if another worker has made
 * a step since this worker read the clock.
 */
export const takeStep = writingAny<Step>()(
  'take_test_clock_step',
  (p) => sql`
    update test_clocks
    set
      remaining_ms = remaining_ms - ${p.stepMs}::bigint,
      advanced_ms = advanced_ms + ${p.stepMs}::bigint,
      steps = steps + 1
    where merchant_id = ${p.merchantId} and steps = ${p.seenSteps}::integer and remaining_ms >= ${p.stepMs}::bigint
    returning merchant_id`,
)

/**
 * Ends an advance that has made all its steps. Returns false if the advance has ended before, or if another advance has
 * started since.
 */
export const finishAdvance = writingAny<OfMerchant & { seenSteps: number }>()(
  'finish_test_clock',
  (p) => sql`
    update test_clocks
    set is_advancing = false
    where merchant_id = ${p.merchantId} and steps = ${p.seenSteps}::integer and remaining_ms = 0 and is_advancing
    returning merchant_id`,
)

/**
 * Ends an advance of a test clock because its next step failed. Returns false if another worker has made a step of this
 * advance since the test clock was read.
 */
export const failAdvance = writingAny<OfMerchant & { seenSteps: number }>()(
  'fail_test_clock',
  (p) => sql`
    update test_clocks
    set is_advancing = false, has_failed = true, remaining_ms = 0
    where merchant_id = ${p.merchantId} and steps = ${p.seenSteps}::integer and is_advancing
    returning merchant_id`,
)

const advancing = searchingAll<object>()(
  'merchants_with_advancing_test_clocks',
  (_, isReachable) => sql<OfMerchant>`
    select merchant_id from test_clocks where ${isReachable('merchantId')} and is_advancing`,
)

export async function listMerchantsAdvancing(
  ...[db, args]: Parameters<typeof advancing>
): Promise<readonly MerchantId[]> {
  return (await advancing(db, args)).map(({ merchantId }) => merchantId)
}

const advanced = reading<OfMerchant>()(
  'advanced_ms_of_test_clock',
  (p) => sql<{ advancedMs: number }>`
    select advanced_ms::float8 as advanced_ms from test_clocks where merchant_id = ${p.merchantId}`,
)

export async function readAdvancedMs(db: ReadDb, merchantId: MerchantId): Promise<number> {
  return (await db.read(advanced, { merchantId }))[0]?.advancedMs ?? 0
}
