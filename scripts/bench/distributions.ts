export const distributions = ['uniform', 'Zipf'] as const

export type Distribution = (typeof distributions)[number]

/**
 * Returns a function that returns the index of the merchant that sends the next request. With the Zipf distribution,
 * the merchant of rank n sends a share proportional to 1/n: of 100 merchants, the first sends 19 %, and the last half
 * send 13 % together.
 */
export function indexesOf(distribution: Distribution, merchantCount: number): () => number {
  const weights = Array.from({ length: merchantCount }, (_, index) =>
    distribution === 'uniform' ? 1 : 1 / (index + 1),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const ends = weights.map((weight) => {
    sum += weight
    return sum / total
  })
  return () => {
    const place = Math.random()
    const index = ends.findIndex((end) => place < end)
    return index === -1 ? merchantCount - 1 : index
  }
}
