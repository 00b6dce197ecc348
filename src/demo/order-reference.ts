/** How a demo order is known from others, and how a seeding finds where the one before it stopped. */
export function demoReference(position: number): string {
  return `${prefix}${String(position).padStart(digits, '0')}`
}

/** The place behind a reference, or the first one where there is none. */
export function positionAfter(reference: string | undefined): number {
  return reference === undefined ? 0 : Number(reference.slice(prefix.length)) + 1
}

const prefix = 'demo-'
const digits = 10 // of one length they sort by number, and there are more than orders will ever be
