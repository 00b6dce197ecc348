import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { Capabilities, CarrierOrder } from '../../partners/carriers/carrier.ts'
import { postponeReconciliation } from '../../store/logistics/shipments/shipment-checks.ts'
import { isCarrierOrderTaken, writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { UsableCarrier } from '../carriers/accounts.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { changeShipment, type LockedShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { withException as including } from '../shipments/exceptions.ts'
import { moveShipment, type ShipmentWork } from '../shipments/move-shipment.ts'
import { createRequestOf, usableFor } from './begin-attempt.ts'
import { findCarrierOrder } from './find-carrier-order.ts'
import { accept, dismiss, type RecordedOutcome, release } from './record-outcome.ts'

/**
 * Finds out what became of an asking whose answer nobody got (design, logistics 3.4). A carrier that knows our reference
 * is asked for it; one that has a list is searched; one that answers a second asking with the first order is asked again;
 * and one that can do none of that is waited for. Only enough looks, far enough apart, prove that there is nothing.
 */

/** Absent twice, ten seconds apart: an order that was on its way into the carrier’s books has arrived there by then. */
const byReference = { notFoundCount: 2, overMs: 10_000 } as const

/** A list is searched by what it shows, and lags more than a look-up does. */
const byList = { notFoundCount: 3, overMs: 60_000 } as const

/** Between looks, the first ones close together because a person waits. */
const checkDelaysMs = [5_000, 10_000, 20_000, 40_000, 60_000] as const

/** What is not found out by then is decided by rule: a rider on demand would be there by now, a parcel is not urgent. */
const windowMs: Readonly<Record<'on_demand' | 'other', number>> = { on_demand: 120_000, other: 15 * 60_000 }

/** A carrier that was not heard of for a day has nothing. */
export const monitoringMs = 24 * 3_600_000

/**
 * Asking again is only for carriers that answer it with the first order, and twice is enough to get an answer. One that
 * can be asked in no other way is asked once more with each look of those that are far apart.
 */
const repeatsMax = 2

export async function resolveAttempt(
  command: ShipmentCommand,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<RecordedOutcome> {
  const usable = await usableFor(command, attempt.carrier)
  const found = toldOf(attempt) ?? (usable === undefined ? noWord : await search(command, usable, shipment, attempt))
  const seen = { attempt, lookAt: shipment.nextCheckAt }
  switch (found.is) {
    case 'found':
      return settle(command, seen, async (work, locked, current) => {
        // Another asking may have taken it since it was looked for.
        const isOthers = await isCarrierOrderTaken(work.trx, current, found.order.carrierReference)
        return isOthers
          ? waitOrGiveUp(work, locked, current, usable?.carrier.capabilities)
          : accept(work, locked, current, found.order)
      })
    case 'absent':
      return settle(command, seen, (work, locked, current) =>
        noteAbsence(work, locked, current, usable?.carrier.capabilities),
      )
    case 'no_word':
      return settle(command, seen, (work, locked, current) =>
        waitOrGiveUp(work, locked, current, usable?.carrier.capabilities),
      )
  }
}

type Search =
  | { readonly is: 'found'; readonly order: CarrierOrder }
  | { readonly is: 'absent' }
  | { readonly is: 'no_word' }

const noWord: Search = { is: 'no_word' }

/** The carrier itself has told of the order meanwhile: it is there, and the attempt knows its name. */
function toldOf({ carrierReference }: StoredAttempt): Search | undefined {
  if (carrierReference === null) return undefined
  const nothingElse = { priceKobo: undefined, trackingUrl: undefined, labelUrl: undefined, status: undefined }
  return { is: 'found', order: { carrierReference, ...nothingElse } }
}

async function search(
  command: ShipmentCommand,
  { carrier, account }: UsableCarrier,
  shipment: StoredShipment,
  attempt: StoredAttempt,
): Promise<Search> {
  const { context } = command
  const { breakers, patience } = context
  // Of what is called off no second order must come to be.
  const isWanted = shipment.status !== 'cancelling' && shipment.cancelRequestedAt === null
  const isRepeatable = carrier.capabilities.createDedup === 'reference' && isWanted
  const isParked =
    carrier.capabilities.lookup === 'none' && context.clock.nowMs() - toMs(attempt.startedAt) >= windowOf(attempt)
  if (isRepeatable && (attempt.checks < repeatsMax || isParked)) {
    const request = createRequestOf(shipment, attempt)
    const call = { operation: 'create', timeoutMs: patience.createMs } as const
    const outcome = await breakers.run({ carrier, account }, call, (signal) => carrier.create(account, request, signal))
    // A refusal is of the second asking only: the wallet may have emptied since the first was heard.
    return outcome.is === 'ok' ? { is: 'found', order: outcome.value } : { is: 'no_word' }
  }
  const sought = await findCarrierOrder(command, { carrier, account }, shipment, attempt)
  return sought.is === 'nothing_to_ask' ? noWord : sought
}

/** Under the shipment’s lock, if nobody has found out meanwhile. */
async function settle(
  command: ShipmentCommand,
  { attempt, lookAt }: { readonly attempt: StoredAttempt; readonly lookAt: StoredShipment['nextCheckAt'] },
  run: (work: ShipmentWork, locked: LockedShipment, current: StoredAttempt) => Promise<RecordedOutcome | QuietLook>,
): Promise<RecordedOutcome> {
  let quiet: QuietLook | undefined
  const settled = await changeShipment<RecordedOutcome>(command, 'shipment.resolve_attempt', async (work, locked) => {
    quiet = undefined
    const current = locked.attempts.find(({ number }) => number === attempt.number)
    const isOpen = current?.state === 'unknown' || current?.state === 'sending'
    const outcome = current !== undefined && isOpen ? await run(work, locked, current) : undefined
    if (outcome?.is !== 'quiet') return outcome
    quiet = outcome
    return undefined
  })
  if (settled !== undefined) return settled
  if (quiet === undefined) return { is: 'late', order: undefined }
  await postponeReconciliation(command.context.database, quiet.attempt, lookAt)
  return { is: 'unknown' }
}

/** A look that brought no news: it counts, and there is nothing to tell of it. */
interface QuietLook {
  readonly is: 'quiet'
  readonly attempt: StoredAttempt
}

async function noteAbsence(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  capabilities: Capabilities | undefined,
): Promise<RecordedOutcome | QuietLook> {
  const notFoundCount = attempt.notFoundCount + 1
  const notFoundSince = attempt.notFoundSince ?? work.now
  const proof = capabilities?.lookup === 'reference' ? byReference : byList
  const isProven = notFoundCount >= proof.notFoundCount && work.nowMs - toMs(notFoundSince) >= proof.overMs
  if (isProven) {
    const seconds = Math.round((work.nowMs - toMs(notFoundSince)) / 1000)
    return dismiss(work, locked, attempt, {
      state: 'not_found_at_carrier',
      code: 'order_not_found',
      message: `${notFoundCount} lookups within ${seconds} s found no order.`,
      monitorUntil: toTimestamp(work.nowMs + monitoringMs),
    })
  }
  // The next look is when it can prove something, and no sooner.
  const provenAtMs = toMs(notFoundSince) + proof.overMs
  const nextMs = Math.max(work.nowMs + lookMs(attempt), notFoundCount + 1 >= proof.notFoundCount ? provenAtMs : 0)
  return look(work, locked, { ...attempt, notFoundCount, notFoundSince }, nextMs)
}

async function waitOrGiveUp(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  capabilities: Capabilities | undefined,
): Promise<RecordedOutcome | QuietLook> {
  const { shipment } = locked
  const waitedMs = work.nowMs - toMs(attempt.startedAt)
  if (waitedMs < windowOf(attempt)) return look(work, locked, attempt, work.nowMs + lookMs(attempt))
  const policy = shipment.failover.onUnknown ?? capabilities?.onUnknown ?? 'wait'
  const isToWait = policy === 'wait' && waitedMs < monitoringMs
  if (!isToWait && policy === 'wait' && shipment.status === 'dispatching') return failUnknown(work, locked, attempt)
  if (!isToWait) {
    const isBlind = capabilities?.lookup === 'none'
    return dismiss(work, isBlind ? withException(work, locked, attempt, 'possible_duplicate') : locked, attempt, {
      state: 'abandoned',
      code: attempt.outcomeCode ?? 'no_word',
      message: 'The carrier never confirmed whether it accepted the shipment.',
      monitorUntil: toTimestamp(toMs(attempt.startedAt) + monitoringMs),
    })
  }
  const { exceptions } = withException(work, locked, attempt, 'outcome_unknown').shipment
  return look(work, locked, attempt, work.nowMs + parkedMs, exceptions)
}

/**
 * For a day nobody said what became of it. Another rider now may be the second, and comes a day late: whether one is wanted
 * is for a person to say, who asks the carrier first.
 */
async function failUnknown(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
): Promise<RecordedOutcome> {
  const { exceptions } = locked.shipment
  const shipment = await release(work, locked, attempt, {
    state: 'abandoned',
    code: attempt.outcomeCode ?? 'no_word',
    message: 'The carrier never confirmed whether it accepted the shipment.',
    monitorUntil: toTimestamp(toMs(attempt.startedAt) + monitoringMs),
  })
  const message = `${carrierNameOf(attempt.carrier)} never said whether it took the shipment; ask it before you send another.`
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
    // What a person was told to ask is still to be asked.
    { exceptions },
  )
  return { is: 'unknown' }
}

/** Nothing hurries any more once a person has been told. */
const parkedMs = 5 * 60_000

function windowOf({ offer }: StoredAttempt): number {
  return offer.serviceLevel === 'on_demand' ? windowMs.on_demand : windowMs.other
}

function lookMs({ checks }: StoredAttempt): number {
  return checkDelaysMs[Math.min(checks, checkDelaysMs.length - 1)] ?? parkedMs
}

/** Something a person should look at, once. It is written with whatever is written next. */
function withException(
  { now: at }: ShipmentWork,
  locked: LockedShipment,
  { carrier, number: attemptNumber }: StoredAttempt,
  code: ShipmentExceptionCode,
): LockedShipment {
  const { shipment } = locked
  const exceptions = including(shipment.exceptions, { code, carrier, attemptNumber, at })
  return { ...locked, shipment: { ...shipment, exceptions } }
}

async function look(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  nextMs: number,
  exceptions = shipment.exceptions,
): Promise<RecordedOutcome | QuietLook> {
  const nextCheckAt = toTimestamp(nextMs)
  const looked = { ...attempt, state: 'unknown', checks: attempt.checks + 1, nextCheckAt } as const
  // That it is being found out is told once, and then only what a person has to do about it.
  if (attempt.state === 'unknown' && exceptions === shipment.exceptions) return { is: 'quiet', attempt: looked }
  writeAttempt(work.trx, looked)
  await moveShipment(
    work,
    shipment,
    {
      status: null,
      source: 'service',
      description: `The outcome at ${carrierNameOf(attempt.carrier)} is being checked.`,
      attemptNumber: attempt.number,
    },
    { nextCheckAt, exceptions },
  )
  return { is: 'unknown' }
}
