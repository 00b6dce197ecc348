/** Runs a step for each item, at most `max` at the same time. Returns the results in the order of the items. */
export async function atMost<Item, Result>(
  max: number,
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  // All concurrent loops take their items from the same iterator, so each item is processed once.
  const entries = items.entries()
  const work = async () => {
    for (const [index, item] of entries) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work))
  return results
}

/**
 * Maximum number of orders of one form for which carriers are called at the same time. The limit leaves capacity for
 * the other requests of the merchant.
 */
export const carrierCallsMax = 5
