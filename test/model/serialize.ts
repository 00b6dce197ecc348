import { act } from './model.ts'
import type { Action, Shop } from './model-records.ts'

/** An executed action, and the code of its response. The code is undefined when the action has no response. */
export interface Done {
  readonly action: Action
  readonly code: string | undefined
}

/**
 * Tries the given actions in every sequence, and returns the final states of the model for the sequences that give the
 * responses of the service. If the list is empty, no sequence explains the result of the service.
 */
export function outcomesOf(shop: Shop, done: readonly Done[]): Shop[] {
  // Expiries of different orders do not affect each other, so only one sequence of them is tried.
  if (done.every(({ action }) => action.is === 'expire')) {
    return [done.reduce((after, { action }) => act(after, action).shop, shop)]
  }
  return done.flatMap(({ action, code }, index) => {
    const answer = act(shop, action)
    if (code !== undefined && answer.code !== code) return []
    return outcomesOf(answer.shop, done.toSpliced(index, 1))
  })
}
