type AreaRow = readonly [name: string, lat: number, lng: number, ...otherNames: string[]]
export type AreasOfZones = Readonly<Record<string, readonly AreaRow[]>>

/** A local government area. `zoneId` is null for an area that covers several zones. */
export type WideRow = readonly [name: string, lat: number, lng: number, zoneId: string | null, ...otherNames: string[]]
