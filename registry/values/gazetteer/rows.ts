/** An area in the gazetteer: its name, its centre and its other names. */
type AreaRow = readonly [name: string, lat: number, lng: number, ...otherNames: string[]]
export type AreasOfZones = Readonly<Record<string, readonly AreaRow[]>>

/** A local government area in the gazetteer. Its delivery zone is null when it covers several zones. */
export type WideRow = readonly [name: string, lat: number, lng: number, zoneId: string | null, ...otherNames: string[]]
