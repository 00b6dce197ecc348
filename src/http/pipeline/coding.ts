/** The codings that static answers are kept in. */
export type Coding = 'identity' | 'gzip' | 'br'

/** The smallest coding that a reader takes, by its `Accept-Encoding`. */
export function codingOf(acceptEncoding: string | null | undefined): Coding {
  const wished = weightsOf(acceptEncoding)
  if ((wished.get('br') ?? 0) > 0) return 'br'
  return (wished.get('gzip') ?? 0) > 0 ? 'gzip' : 'identity'
}

/** The names of a header such as `Accept`, each with its weight. */
export function weightsOf(header: string | null | undefined): Map<string, number> {
  const entries = (header ?? '').split(',').map((entry): [string, number] => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [name, weight === undefined ? 1 : Number(weight)]
  })
  return new Map(entries)
}
