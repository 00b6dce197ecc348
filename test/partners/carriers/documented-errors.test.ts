import { describe, expect, test } from 'vitest'
import { type Bench, callOnce, openChowdeckBench, openFezBench, openShipbubbleBench } from './benches.ts'
import { chowdeckErrors, type DocumentedError, fezErrors, shipbubbleErrors } from './documented-errors.ts'

async function drive<Server>(bench: Bench<Server>, { call, arrange, ends }: DocumentedError<Server>) {
  const outcome = await callOnce(bench, { call, arrange: () => arrange(bench.server) })
  expect(outcome).toMatchObject(ends)
  if (outcome.is !== 'ok') expect(outcome.message).toMatch(/\S/)
  if (call === 'create') expect(bench.accepted()).toEqual([])
}

describe('documented errors of Chowdeck', () => {
  test.each(chowdeckErrors)('the Chowdeck adapter handles a documented error of $call, when $when', async (error) =>
    drive(await openChowdeckBench(), error))
})

describe('documented errors of Fez', () => {
  test.each(fezErrors)('the Fez adapter handles a documented error of $call, when $when', async (error) =>
    drive(await openFezBench(), error))
})

describe('documented errors of Shipbubble', () => {
  test.each(shipbubbleErrors)('the Shipbubble adapter handles a documented error of $call, when $when', async (error) =>
    drive(await openShipbubbleBench(), error))
})
