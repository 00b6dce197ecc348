import { setTimeout as wait } from 'node:timers/promises'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { type Context, mutate, type Work } from '../../../src/store/core/mutation.ts'
import { machineMs } from './child.ts'
import { actor, order } from './merchants.ts'

/** Mutations at a steady rate, however long each of them takes. */
export interface Emission {
  readonly merchantIds: readonly MerchantId[]
  readonly perSecond: number
  readonly seconds: number
  /** Begins the marks of its events, so that those of two emissions differ. */
  readonly name: string
}

export interface Committed {
  readonly merchantId: MerchantId
  readonly mark: string
  /** Right after the mutation returned. */
  readonly atMs: number
}

/** A timer is late now and then; what it missed is begun together. */
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
      mutations.push(emitOne(context, turnOf(merchantIds, number), `${name}-${number}`))
    }
    await wait(tickMs)
  }
  return Promise.all(mutations)
}

/** As many mutations, some of them at once and each followed by the next. */
export interface Burst {
  readonly merchantIds: readonly MerchantId[]
  readonly mutations: number
  readonly name: string
}

/** Nearly all connections of the process; the rest is for the worker. */
const mutationsAtOnce = 16

export async function emitBurst(
  context: Context,
  { merchantIds, mutations, name }: Burst,
): Promise<readonly Committed[]> {
  const committed: Committed[] = []
  let begun = 0
  const lane = async () => {
    while (begun < mutations) {
      const number = begun++
      committed.push(await emitOne(context, turnOf(merchantIds, number), `${name}-${number}`))
    }
  }
  await Promise.all(Array.from({ length: mutationsAtOnce }, lane))
  return committed
}

function turnOf(merchantIds: readonly MerchantId[], number: number): MerchantId {
  const merchantId = merchantIds[number % merchantIds.length]
  if (merchantId === undefined) throw new Error('There are merchants.')
  return merchantId
}

async function emitOne(context: Context, merchantId: MerchantId, mark: string): Promise<Committed> {
  const mutation = {
    tenant: { merchantId, mode: 'live' },
    actor,
    action: 'order.create',
    resourceType: 'order',
    resourceId: () => order.order.id,
    emits: ['order.created'],
  } as const
  await mutate(context, mutation, async ({ emit }: Work<'order.created'>) =>
    emit('order.created', order.order.id, { order: { ...order.order, number: mark } }),
  )
  return { merchantId, mark, atMs: machineMs() }
}
