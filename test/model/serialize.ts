import { type Action, act, type Shop } from './model.ts'

/** Something that was done, and how the service answered; undefined where it answers nobody. */
export interface Done {
  readonly action: Action
  readonly code: string | undefined
}

/**
 * Every shop that doing these one after another can lead to, with the very answers they got. None means that the service
 * did what no order of the same things explains.
 */
export function outcomesOf(shop: Shop, done: readonly Done[]): Shop[] {
  // What the clock does to different orders comes to the same in any order, so one is enough.
  if (done.every(({ action }) => action.is === 'expire')) {
    return [done.reduce((after, { action }) => act(after, action).shop, shop)]
  }
  return done.flatMap(({ action, code }, index) => {
    const answer = act(shop, action)
    if (code !== undefined && answer.code !== code) return []
    return outcomesOf(answer.shop, done.toSpliced(index, 1))
  })
}
