/** How the gazetteer’s tables are written. */

/** An area’s name, its middle, and the other ways to write it. */
type AreaRow = readonly [name: string, lat: number, lng: number, ...otherNames: string[]]
export type AreasOfZones = Readonly<Record<string, readonly AreaRow[]>>

/** What is wider than an area: its zone is null where it is in several. */
export type WideRow = readonly [name: string, lat: number, lng: number, zoneId: string | null, ...otherNames: string[]]
