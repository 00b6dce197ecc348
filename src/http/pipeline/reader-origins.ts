/**
 * The origins that pages of the reference name. A Host header is a client's claim, and each origin costs a rendering of every
 * page, so that only the first few are believed; readers at any other see the address that their connection came in on.
 * PUBLIC_URL settles it once and for all.
 */
export interface ReaderOrigins {
  choose(claimed: string, own: string): string
}

/** More names than one service is reached by: addresses of its networks, of its proxies and of a developer's machine. */
const claimedMax = 16

export function openReaderOrigins(): ReaderOrigins {
  const believed = new Set<string>()
  return {
    choose: (claimed, own) => {
      if (claimed === own || believed.has(claimed)) return claimed
      if (believed.size >= claimedMax) return own
      believed.add(claimed)
      return claimed
    },
  }
}
