import { describe, expect, test } from 'vitest'
import { type LiveRun, openLive, useLiveApi } from '../../support/logistics/live-run.ts'

const started = useLiveApi()

describe('a carrier account that was replaced after a carrier accepted a shipment', () => {
  test('a cancellation is not confirmed because the new account does not find the order of the earlier account', async () => {
    const run = await openLive(started(), 'chowdeck')
    const { server, account } = run.benches.chowdeck
    const { body } = await run.dispatch()
    // The fake server has only one account. The test removes the order from it, as if the new credentials belonged to
    // another account.
    const ofEarlierAccount = server.deliveries.splice(0)
    await run.pass(60, 60)
    await run.connect('chowdeck', account.credentials)
    const cancelled = await run.cancel(body.id)
    expect(ofEarlierAccount).toMatchObject([{ status: 'received' }])
    expect([cancelled.status, cancelled.body.status]).toEqual([202, 'cancelling'])
    server.deliveries.push(...ofEarlierAccount)
    await run.connect('chowdeck', account.credentials)
    await run.pass(120, 10)
    expect((await run.read(body.id)).body.status).toBe('cancelled')
    expect(ofEarlierAccount).toMatchObject([{ status: 'cancelled' }])
  })

  test.each([
    ['chowdeck', 'fez'],
    ['fez', 'chowdeck'],
  ] as const)('if the outcome of a request to %s is unknown, the shipment is requested neither with the new account nor from %s', async (code, other) => {
    const run: LiveRun<'chowdeck' | 'fez'> = await openLive(started(), code, other)
    const bench = run.benches[code]
    const noAnswer = { isAccepted: true, answer: [502, '<html>Bad gateway</html>'] } as const
    for (const call of ['create', 'find'] as const) bench.fail(call, noAnswer, noAnswer, noAnswer)
    const { status, body } = await run.dispatch()
    expect(status).toBe(202)
    const { chowdeck, fez } = run.benches
    expect([...chowdeck.server.deliveries.splice(0), ...fez.server.orders.splice(0)]).toHaveLength(1)
    await run.pass(1, 1)
    await run.connect(code, bench.account.credentials)
    await run.pass(110, 5)
    expect([chowdeck.accepted(), fez.accepted()]).toEqual([[], []])
    expect((await run.read(body.id)).body.attempts).toMatchObject([{ carrier: code, state: 'unknown' }])
  })
})
