/** Content codings (compression) of static responses. */
export type Coding = 'identity' | 'gzip' | 'br'

export function codingOf(acceptEncoding: string | null | undefined): Coding {
  const weights = weightsOf(acceptEncoding)
  if ((weights.get('br') ?? 0) > 0) return 'br'
  return (weights.get('gzip') ?? 0) > 0 ? 'gzip' : 'identity'
}

/** Parses a header such as `Accept` into its values and their weights (`q`). */
export function weightsOf(header: string | null | undefined): Map<string, number> {
  const entries = (header ?? '').split(',').map((entry): [string, number] => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [name, weight === undefined ? 1 : Number(weight)]
  })
  return new Map(entries)
}
