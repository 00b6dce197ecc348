/** Thrown through a transaction, which it rolls back; nobody outside of leavable() sees it. */
class Left extends Error {}

/**
 * Runs what may be left halfway for a reason that is an outcome and no fault. Only something thrown ends a transaction
 * without keeping what it wrote, so the reason is carried around the outside of it and given back like any result.
 */
export async function leavable<Result, Why>(
  run: (leave: (why: Why) => never) => Promise<Result>,
): Promise<Result | Why> {
  const left = new Left('A transaction was left.')
  const reasons: Why[] = []
  try {
    return await run((why) => {
      reasons.push(why)
      throw left
    })
  } catch (error) {
    // A transaction that is tried again may be left twice: the last reason is the one it ended with.
    const [why] = reasons.slice(-1)
    if (error !== left || why === undefined) throw error
    return why
  }
}
