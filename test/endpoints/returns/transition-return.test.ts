import { describe, expect, test } from 'vitest'
import { returnStatuses, returnTransitions } from '../../../registry/returns/return-states.ts'
import { newReturnId } from '../../../src/base/records.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { soldOrder } from '../../support/commerce/sold-order.ts'
import { select } from '../../support/database-contents.ts'

const started = useApi()

describe('transitionReturn', () => {
  const reached: Readonly<Record<string, readonly string[]>> = {
    requested: [],
    approved: ['approved'],
    in_transit: ['approved', 'in_transit'],
    received: ['approved', 'received'],
    closed: ['approved', 'closed'],
    rejected: ['rejected'],
  }

  const targets = ['approved', 'in_transit', 'received', 'closed', 'rejected'] as const
  const pairs = returnStatuses.flatMap((from) => targets.map((to) => [from, to] as const))

  test.for(pairs)('a return that is %s moves to %s only if the published lifecycle allows the transition', async ([
    from,
    to,
  ]) => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const step = (status: string) =>
      status === 'received' ? sold.receive(id, { writeOffQuantity: 1 }) : sold.move(id, status)
    for (const status of reached[from] ?? []) await step(status)
    const events = (await sold.returnEvents(id)).length
    const reply = await step(to)
    const allowed: readonly string[] = returnTransitions[from]
    if (from === to && to !== 'received') expect([reply.status, reply.body.version]).toEqual([200, events + 1])
    else if (allowed.includes(to)) expect([reply.status, reply.body.status]).toEqual([200, to])
    else if (to === 'received') answers('receiveReturn', 'invalid_transition', reply)
    else answers('transitionReturn', 'invalid_transition', reply)
    const isChanged = from !== to && allowed.includes(to)
    expect(await sold.returnEvents(id)).toHaveLength(events + (isChanged ? 1 : 0))
  })

  test('the database rejects a status change of a return that the published lifecycle does not allow', async () => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const write = select(started(), "update returns set status = 'received', received_at = now() where id = $1", [id])
    await expect(write).rejects.toThrow('A return cannot move from requested to received.')
  })

  test('transitionReturn returns 412 for an outdated If-Match, and emits return.status_changed once per change', async () => {
    const sold = await soldOrder(started())
    const { id } = (await sold.request(1)).body
    const reply = await sold.move(id, 'approved', { 'if-match': '"v7"' })
    answers('transitionReturn', 'version_conflict', reply)
    await sold.move(id, 'approved', { 'if-match': '"v1"' })
    await sold.move(id, 'approved')
    expect(await sold.returnEvents(id)).toMatchObject([
      { from: 'requested', to: 'approved', return: { id, version: 2 } },
    ])
  })

  test('operations on an unknown return are answered with 404 return_not_found', async () => {
    const sold = await soldOrder(started())
    const id = newReturnId(0)
    const { token } = sold.shop
    answers('getReturn', 'return_not_found', await started().send('GET', `/api/v1/returns/${id}`, { token }))
    answers('transitionReturn', 'return_not_found', await sold.move(id, 'approved'))
    answers('receiveReturn', 'return_not_found', await sold.receive(id, { restockQuantity: 1 }))
  })
})
