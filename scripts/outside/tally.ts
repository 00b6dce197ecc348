/** What passed between the tests and the service, and what the proxy had to say of it. */
export interface Tally {
  /** Answers that were held against the document, by operation. */
  readonly judged: Map<string, number>
  /** Requests the proxy would not pass on, or that are no operation’s, by the reason. */
  readonly passedBy: Map<string, number>
  readonly violations: string[]
  /** What went wrong between the test and the service, so that the test was told nothing. */
  readonly faults: string[]
}

export function newTally(): Tally {
  return { judged: new Map(), passedBy: new Map(), violations: [], faults: [] }
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0)
}

/** How Prism begins when the violations do not fit into a header: the first of them follow, cut in the middle. */
const tooMany = 'Too many violations'

/**
 * The violations of the response in Prism’s header. Those of a request are a test’s own purpose. Undefined where the
 * request has so many that what it may say of the response is cut off.
 */
export function responseViolationsOf(header: string | undefined): string[] | undefined {
  if (header === undefined) return []
  if (header.startsWith(tooMany)) return header.includes('"location":["response"') ? [header] : undefined
  const found: unknown = JSON.parse(header)
  if (!Array.isArray(found)) throw new Error(`Prism’s sl-violations is no list: ${header}`)
  return found
    .filter((violation: unknown) => [Reflect.get(Object(violation), 'location')].flat()[0] === 'response')
    .map((violation: unknown) => JSON.stringify(violation))
}

/** What a run over all tests must have judged: much that passes Prism by would look like nothing wrong. */
export function shortcomingsOf(
  { judged }: Tally,
  { declared, tests }: { readonly declared: readonly string[]; readonly tests: number },
): string[] {
  const never = declared.filter((id) => !judged.has(id))
  return [
    ...never.map((id) => `${id} was never judged.`),
    ...(tests === 0 ? ['No test ran.'] : []),
    ...(sumOf(judged) < tests ? [`${sumOf(judged)} answers were judged in ${tests} tests.`] : []),
  ]
}
