/** Returns the external reference that marks a demo order. A seeding run continues after the last one. */
export function demoReference(position: number): string {
  return `${prefix}${String(position).padStart(digits, '0')}`
}

/** Returns the position after a reference, or 0 without one. */
export function positionAfter(reference: string | undefined): number {
  return reference === undefined ? 0 : Number(reference.slice(prefix.length)) + 1
}

const prefix = 'demo-'
const digits = 10 // a fixed length, so that references sort by position
