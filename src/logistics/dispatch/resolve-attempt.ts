import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Capabilities, CarrierOrder } from '../../partners/carriers/carrier.ts'
import { postponeReconciliation } from '../../store/logistics/shipments/shipment-checks.ts'
import { isCarrierOrderTaken, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { isAccountReplaced, type UsableCarrier } from '../carriers/accounts.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { changeShipment, type LockedShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { withException as withOpenException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { createRequestOf, usableFor } from './begin-attempt.ts'
import { findCarrierOrder } from './find-carrier-order.ts'
import { accept, type RecordedOutcome } from './record-outcome.ts'
import { dismiss, release } from './release-attempt.ts'

/**
 * If two lookups by reference, at least ten seconds apart, find no order, the carrier has none. Ten seconds are enough
 * for even a delayed request to reach the carrier’s records.
 */
const byReference = { notFoundCount: 2, overMs: 10_000 } as const

/**
 * The carrier has no order if three lookups in its order list find none, and a minute has passed since the first of
 * them. Three lookups are needed, because a list lags more than a lookup by reference.
 */
const byList = { notFoundCount: 3, overMs: 60_000 } as const

/**
 * Delays between checks of an attempt with an unknown outcome. The first ones are short, because the merchant’s
 * customer is waiting.
 */
const checkDelaysMs = [5_000, 10_000, 20_000, 40_000, 60_000] as const

/**
 * Time for which the outcome of a dispatch attempt may stay unknown before the policy `onUnknown` of the shipment
 * applies. The time is short for on-demand delivery: if the carrier had accepted the order, its rider would have
 * arrived within this time. Other deliveries are less urgent.
 */
const windowMs: Readonly<Record<'on_demand' | 'other', number>> = { on_demand: 120_000, other: 15 * 60_000 }

/**
 * Time for which an abandoned dispatch attempt is monitored. If a carrier has reported no order for a day, no order
 * exists.
 */
export const monitoringMs = 24 * 3_600_000

/**
 * Number of the first checks of an unknown dispatch outcome that send the request to create the order again. The
 * request is repeated only to a carrier that responds to a repeated reference with the existing order. If this carrier
 * offers no lookup, each check after `windowMs` also repeats the request.
 */
const quickRepeatsMax = 2

/**
 * Determines the outcome of a dispatch attempt whose response was lost. If the carrier offers a lookup, the order is
 * searched by reference or in the carrier's order list. If the carrier creates only one order for a repeated request,
 * the request is repeated. For any other carrier, the service waits for a tracking update. Only several lookups, far
 * enough apart, prove that there is no order.
 */
export async function resolveAttempt(
  command: ShipmentCommand,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<RecordedOutcome> {
  const usable = await usableFor(command, attempt.carrier)
  const found =
    reportedOrder(attempt) ?? (usable === undefined ? noResponse : await search(command, usable, shipment, attempt))
  const asRead = { attempt, nextCheckAt: shipment.nextCheckAt }
  switch (found.is) {
    case 'found':
      return applyOutcome(command, asRead, async (work, locked, current) => {
        // The found order may have been matched to another attempt since the lookup at the carrier. In that case, the
        // attempt whose outcome is unknown is checked again later, or abandoned.
        const isTaken = await isCarrierOrderTaken(work.trx, current, found.order.carrierReference)
        return isTaken
          ? waitOrAbandon(work, locked, current, usable?.carrier.capabilities)
          : accept(work, locked, current, found.order)
      })
    case 'absent':
      return applyOutcome(command, asRead, (work, locked, current) =>
        recordAbsence(work, locked, current, usable?.carrier.capabilities),
      )
    case 'no_response':
      return applyOutcome(command, asRead, (work, locked, current) =>
        waitOrAbandon(work, locked, current, usable?.carrier.capabilities),
      )
  }
}

type Search =
  | { readonly is: 'found'; readonly order: CarrierOrder }
  | { readonly is: 'absent' }
  | { readonly is: 'no_response' }

const noResponse: Search = { is: 'no_response' }

/** Undefined unless the carrier has already reported the order's reference, for example in a callback. */
function reportedOrder({ carrierReference }: StoredAttempt): Search | undefined {
  if (carrierReference === null) return undefined
  const noOtherData = { priceKobo: undefined, trackingUrl: undefined, labelUrl: undefined, status: undefined }
  return { is: 'found', order: { carrierReference, ...noOtherData } }
}

async function search(
  command: ShipmentCommand,
  usable: UsableCarrier,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<Search> {
  const { carrier, account } = usable
  const { context } = command
  const { breakers, timeouts } = context
  // If the cancellation of the shipment was requested, the create request is not repeated, because the repeated request
  // must not create another order.
  const isWanted = shipment.status !== 'cancelling' && shipment.cancelRequestedAt === null
  // The create request is not repeated with credentials that may be those of another account: this would create a
  // second order.
  const isRepeatable =
    carrier.capabilities.createDedup === 'reference' && isWanted && !isAccountReplaced(usable, attempt)
  const isWindowOver =
    carrier.capabilities.lookup === 'none' && context.clock.nowMs() - toMs(attempt.startedAt) >= windowOf(attempt)
  if (isRepeatable && (attempt.checks < quickRepeatsMax || isWindowOver)) {
    const request = createRequestOf(shipment, attempt)
    const call = { operation: 'create', timeoutMs: timeouts.createMs } as const
    const outcome = await breakers.run({ carrier, account }, call, (signal) => carrier.create(account, request, signal))
    // If the carrier refuses the repeated request, the outcome of the first request is still unknown. The cause of the
    // refusal, such as an empty wallet, may have arisen after the first request.
    return outcome.is === 'ok' ? { is: 'found', order: outcome.value } : { is: 'no_response' }
  }
  const result = await findCarrierOrder(command, usable, shipment, attempt)
  return result.is === 'not_searchable' ? noResponse : result
}

/**
 * Runs a change under the lock of the shipment, unless the outcome of the dispatch attempt was recorded since the check
 * began. If the check has no result, only the counters of the attempt are updated.
 */
async function applyOutcome(
  command: ShipmentCommand,
  { attempt, nextCheckAt }: { readonly attempt: StoredAttempt; readonly nextCheckAt: StoredShipment['nextCheckAt'] },
  run: (work: ShipmentWork, locked: LockedShipment, current: StoredAttempt) => Promise<RecordedOutcome | QuietCheck>,
): Promise<RecordedOutcome> {
  let quiet: QuietCheck | undefined
  const recorded = await changeShipment<RecordedOutcome>(command, 'shipment.resolve_attempt', async (work, locked) => {
    quiet = undefined
    const current = locked.attempts.find(({ number }) => number === attempt.number)
    const isOpen = current?.state === 'unknown' || current?.state === 'sending'
    const outcome = current !== undefined && isOpen ? await run(work, locked, current) : undefined
    if (outcome?.is !== 'quiet') return outcome
    quiet = outcome
    return undefined
  })
  if (recorded !== undefined) return recorded
  if (quiet === undefined) return { is: 'too_late', order: undefined }
  await postponeReconciliation(command.context.database, quiet.attempt, nextCheckAt)
  return { is: 'unknown' }
}

/**
 * A check after which the outcome of the dispatch attempt is still unknown. The check is recorded in the dispatch
 * attempt, but adds no event to the timeline of the shipment.
 */
interface QuietCheck {
  readonly is: 'quiet'
  readonly attempt: StoredAttempt
}

async function recordAbsence(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  capabilities: Capabilities | undefined,
): Promise<RecordedOutcome | QuietCheck> {
  const notFoundCount = attempt.notFoundCount + 1
  const notFoundSince = attempt.notFoundSince ?? work.now
  const proof = capabilities?.lookup === 'reference' ? byReference : byList
  const isProven = notFoundCount >= proof.notFoundCount && work.nowMs - toMs(notFoundSince) >= proof.overMs
  if (isProven) {
    const seconds = Math.round((work.nowMs - toMs(notFoundSince)) / 1000)
    return dismiss(work, locked, attempt, {
      state: 'not_found_at_carrier',
      code: 'order_not_found',
      message: `${notFoundCount} lookups at the carrier within ${seconds} s found no order.`,
      monitorUntil: toTimestamp(work.nowMs + monitoringMs),
    })
  }
  // The proof that the carrier has no order requires several lookups without a result, over a minimum time. If only one
  // lookup is missing, this lookup is not made before the minimum time has passed.
  const provenAtMs = toMs(notFoundSince) + proof.overMs
  const nextMs = Math.max(work.nowMs + checkDelayMs(attempt), notFoundCount + 1 >= proof.notFoundCount ? provenAtMs : 0)
  return scheduleCheck(work, locked, { ...attempt, notFoundCount, notFoundSince }, nextMs)
}

async function waitOrAbandon(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  capabilities: Capabilities | undefined,
): Promise<RecordedOutcome | QuietCheck> {
  const { shipment } = locked
  const waitedMs = work.nowMs - toMs(attempt.startedAt)
  if (waitedMs < windowOf(attempt)) return scheduleCheck(work, locked, attempt, work.nowMs + checkDelayMs(attempt))
  const policy = shipment.failover.onUnknown ?? capabilities?.onUnknown ?? 'wait'
  const isWaiting = policy === 'wait' && waitedMs < monitoringMs
  if (!isWaiting && policy === 'wait' && shipment.status === 'dispatching') return failUnknown(work, locked, attempt)
  if (!isWaiting) {
    const hasNoLookup = capabilities?.lookup === 'none'
    return dismiss(work, hasNoLookup ? withException(work, locked, attempt, 'possible_duplicate') : locked, attempt, {
      state: 'abandoned',
      code: attempt.outcomeCode ?? 'no_response',
      message: 'The carrier never confirmed whether it accepted the shipment.',
      monitorUntil: toTimestamp(toMs(attempt.startedAt) + monitoringMs),
    })
  }
  const { exceptions } = withException(work, locked, attempt, 'outcome_unknown').shipment
  return scheduleCheck(work, locked, attempt, work.nowMs + waitingMs, exceptions)
}

/**
 * Sets a shipment to failed if the outcome of its attempt stayed unknown for a day. Another dispatch could send a
 * second rider for the same parcel, so the merchant must first ask the carrier.
 */
async function failUnknown(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
): Promise<RecordedOutcome> {
  const { exceptions } = locked.shipment
  const shipment = await release(work, locked, attempt, {
    state: 'abandoned',
    code: attempt.outcomeCode ?? 'no_response',
    message: 'The carrier never confirmed whether it accepted the shipment.',
    monitorUntil: toTimestamp(toMs(attempt.startedAt) + monitoringMs),
  })
  const message = `${carrierNameOf(attempt.carrier)} never confirmed whether it accepted the shipment. Contact the carrier before you dispatch another shipment.`
  await moveShipment(
    work,
    shipment,
    {
      status: 'failed',
      reason: { code: 'outcome_unknown', message },
      source: 'service',
      description: message,
      attemptNumber: attempt.number,
    },
    // The open exceptions of the shipment are not resolved, because they still need manual action.
    { exceptions },
  )
  return { is: 'unknown' }
}

/** Delay between checks of a dispatch attempt after the exception `outcome_unknown` was added. */
const waitingMs = 5 * 60_000

function windowOf({ offer }: StoredAttempt): number {
  return offer.serviceLevel === 'on_demand' ? windowMs.on_demand : windowMs.other
}

function checkDelayMs({ checks }: StoredAttempt): number {
  return checkDelaysMs[Math.min(checks, checkDelaysMs.length - 1)] ?? waitingMs
}

/** The next write of the shipment stores the additional exception. */
function withException(
  { now: at }: ShipmentWork,
  locked: LockedShipment,
  { carrier, number: attemptNumber }: StoredAttempt,
  code: ShipmentExceptionCode,
): LockedShipment {
  const { shipment } = locked
  const exceptions = withOpenException(shipment.exceptions, { code, carrier, attemptNumber, at })
  return { ...locked, shipment: { ...shipment, exceptions } }
}

async function scheduleCheck(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  nextMs: number,
  exceptions = shipment.exceptions,
): Promise<RecordedOutcome | QuietCheck> {
  const nextCheckAt = toTimestamp(nextMs)
  const checked = { ...attempt, state: 'unknown', checks: attempt.checks + 1, nextCheckAt } as const
  // The timeline of the shipment does not contain every check of a dispatch attempt, but only the first check and each
  // check that adds an exception.
  if (attempt.state === 'unknown' && exceptions === shipment.exceptions) return { is: 'quiet', attempt: checked }
  writeAttempt(work.trx, checked)
  await moveShipment(
    work,
    shipment,
    {
      status: null,
      source: 'service',
      description: `The service is checking whether ${carrierNameOf(attempt.carrier)} accepted the shipment.`,
      attemptNumber: attempt.number,
    },
    { nextCheckAt, exceptions },
  )
  return { is: 'unknown' }
}
