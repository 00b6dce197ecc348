import { type Action, act, type Shop } from './model.ts'

/** An executed action and its response; undefined without one. */
export interface Done {
  readonly action: Action
  readonly code: string | undefined
}

/**
 * Returns every state that some order of these actions leads to with the same responses. An empty result means that the
 * service did something that no order explains.
 */
export function outcomesOf(shop: Shop, done: readonly Done[]): Shop[] {
  // Expiries of different orders commute, so one order of them suffices.
  if (done.every(({ action }) => action.is === 'expire')) {
    return [done.reduce((after, { action }) => act(after, action).shop, shop)]
  }
  return done.flatMap(({ action, code }, index) => {
    const answer = act(shop, action)
    if (code !== undefined && answer.code !== code) return []
    return outcomesOf(answer.shop, done.toSpliced(index, 1))
  })
}
