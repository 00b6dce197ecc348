/**
 * The service's origins for which the API reference is rendered. Clients control the Host header, and each origin costs
 * a rendering of every page, so only the first few origins are accepted. Requests with any other origin get pages for
 * the local address of their connection. With PUBLIC_URL there is only one origin.
 */
export interface ReaderOrigins {
  choose(claimed: string, own: string): string
}

/** Maximum number of origins, more than one service has: its networks, its proxies and a developer's machine. */
const acceptedMax = 16

export function openReaderOrigins(): ReaderOrigins {
  const accepted = new Set<string>()
  return {
    choose: (claimed, own) => {
      if (claimed === own || accepted.has(claimed)) return claimed
      if (accepted.size >= acceptedMax) return own
      accepted.add(claimed)
      return claimed
    },
  }
}
