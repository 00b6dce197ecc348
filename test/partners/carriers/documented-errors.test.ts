import { describe, expect, test } from 'vitest'
import { type Bench, callOnce, openChowdeckBench, openFezBench, openShipbubbleBench } from './benches.ts'
import { chowdeckErrors, type DocumentedError, fezErrors, shipbubbleErrors } from './documented-errors.ts'

/** All documented errors of each carrier with their outcomes. */

async function drive<Server>(bench: Bench<Server>, { call, arrange, ends }: DocumentedError<Server>) {
  const outcome = await callOnce(bench, { call, arrange: () => arrange(bench.server) })
  expect(outcome).toMatchObject(ends)
  if (outcome.is !== 'ok') expect(outcome.message).toMatch(/\S/)
  if (call === 'create') expect(bench.accepted()).toEqual([])
}

describe('chowdeck', () => {
  test.each(chowdeckErrors)('$call, when $when', async (error) => drive(await openChowdeckBench(), error))
})

describe('fez', () => {
  test.each(fezErrors)('$call, when $when', async (error) => drive(await openFezBench(), error))
})

describe('shipbubble', () => {
  test.each(shipbubbleErrors)('$call, when $when', async (error) => drive(await openShipbubbleBench(), error))
})
