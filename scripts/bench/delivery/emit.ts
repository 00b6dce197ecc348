import { setTimeout as wait } from 'node:timers/promises'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { type Context, mutate, type Work } from '../../../src/store/core/mutation.ts'
import { machineMs } from './child.ts'
import { actor, order } from './merchants.ts'

/** A load of mutations that start at a steady rate, regardless of how long each of them takes. */
export interface Emission {
  readonly merchantIds: readonly MerchantId[]
  readonly perSecond: number
  readonly seconds: number
  /**
   * Prefix of the order numbers, by which receivers identify events. Two loads need different prefixes, so that their
   * order numbers differ.
   */
  readonly name: string
}

export interface Committed {
  readonly merchantId: MerchantId
  readonly mark: string
  /**
   * Time at which the mutation was committed: when the committing call returned, on the clock that all processes of the
   * machine share.
   */
  readonly atMs: number
}

/** Interval of the timer that starts mutations. After a late timer, all due mutations start together. */
const tickMs = 1

export async function emitSteadily(
  context: Context,
  { merchantIds, perSecond, seconds, name }: Emission,
): Promise<readonly Committed[]> {
  const startedMs = machineMs()
  const total = Math.round(perSecond * seconds)
  const mutations: Promise<Committed>[] = []
  while (mutations.length < total) {
    const due = Math.min(total, Math.floor(((machineMs() - startedMs) * perSecond) / 1000))
    while (mutations.length < due) {
      const number = mutations.length
      mutations.push(emitOne(context, merchantAt(merchantIds, number), `${name}-${number}`))
    }
    await wait(tickMs)
  }
  return Promise.all(mutations)
}

/** A load of a fixed number of mutations, which concurrent clients execute without pauses between them. */
export interface Burst {
  readonly merchantIds: readonly MerchantId[]
  readonly mutations: number
  readonly name: string
}

/**
 * Number of concurrent mutations. They use nearly all database connections of the process; the worker uses the others.
 */
const concurrentMutations = 16

export async function emitBurst(
  context: Context,
  { merchantIds, mutations, name }: Burst,
): Promise<readonly Committed[]> {
  const committed: Committed[] = []
  let started = 0
  const client = async () => {
    while (started < mutations) {
      const number = started++
      committed.push(await emitOne(context, merchantAt(merchantIds, number), `${name}-${number}`))
    }
  }
  await Promise.all(Array.from({ length: concurrentMutations }, client))
  return committed
}

function merchantAt(merchantIds: readonly MerchantId[], number: number): MerchantId {
  const merchantId = merchantIds[number % merchantIds.length]
  if (merchantId === undefined) throw new Error('At least one merchant is required.')
  return merchantId
}

async function emitOne(context: Context, merchantId: MerchantId, mark: string): Promise<Committed> {
  const mutation = {
    tenant: { merchantId, mode: 'live' },
    actor,
    action: 'order.create' as const,
    resourceType: 'order',
    resourceId: () => order.order.id,
    emits: ['order.created'],
  } as const
  await mutate(context, mutation, async ({ emit }: Work<'order.created'>) =>
    emit('order.created', order.order.id, { order: { ...order.order, number: mark } }),
  )
  return { merchantId, mark, atMs: machineMs() }
}
