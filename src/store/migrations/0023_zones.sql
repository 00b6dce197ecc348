-- Zones are the service's own: every merchant delivers by the same ones, so no row of them has a merchant.
create table delivery_zones (
  id text collate "C" primary key,
  name text not null,
  state text not null,
  city text not null,
  lgas text[] not null,
  areas text[] not null,
  centroid_lat double precision not null,
  centroid_lng double precision not null,
  -- West, south, east, north, as GeoJSON has it.
  bbox double precision[] not null,
  geometry jsonb not null,
  boundary_status text not null default 'draft',
  service_levels text[] not null,
  operating_hours jsonb not null,
  neighbours text[] not null,
  base_fare_kobo kobo not null,
  per_km_kobo kobo not null,
  included_meters integer not null,
  per_kg_kobo kobo not null,
  included_grams integer not null,
  average_speed_kmh smallint not null,
  active boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint zone_id_is_a_slug check (id ~ '^[a-z]+(-[a-z0-9]+)+$'),
  constraint zone_has_a_name check (name <> ''),
  constraint zone_centroid_is_in_nigeria check (centroid_lat between 4 and 14.5 and centroid_lng between 2.5 and 15),
  constraint zone_bbox_has_four_sides check (
    cardinality(bbox) = 4 and array_position(bbox, null) is null and bbox[1] < bbox[3] and bbox[2] < bbox[4]
  ),
  constraint zone_geometry_is_a_multipolygon check (
    geometry ->> 'type' = 'MultiPolygon' and jsonb_typeof(geometry -> 'coordinates') = 'array'
  ),
  constraint zone_boundary_status_is_known check (boundary_status in ('draft', 'checked')),
  constraint zone_service_levels_are_known check (
    cardinality(service_levels) >= 1
    and service_levels <@ array['on_demand', 'same_day', 'next_day', 'standard']
  ),
  constraint zone_is_not_its_own_neighbour check (id <> all (neighbours)),
  constraint zone_includes_a_distance check (included_meters >= 0),
  constraint zone_includes_a_weight check (included_grams >= 0),
  constraint zone_is_driven_through check (average_speed_kmh between 1 and 120)
);

comment on table delivery_zones is 'Where parcels are fetched and brought. The outlines, names, fares and speeds it begins with were drawn from general knowledge: each stays a draft until somebody local has checked it.';
comment on column delivery_zones.geometry is 'GeoJSON MultiPolygon. Zones beside one another share the points of their common border, so that a point on it is in exactly one.';
comment on column delivery_zones.boundary_status is 'draft: not checked by anybody local; checked: it was.';
comment on column delivery_zones.neighbours is 'The zones one drives into from here.';
comment on column delivery_zones.average_speed_kmh is 'Of a bike by day, the traffic included.';

-- A row that is there stays as it is: what somebody local corrected must not be drawn over.
insert into delivery_zones (
  id, name, state, city,
  lgas, areas,
  centroid_lat, centroid_lng, bbox, geometry,
  service_levels, operating_hours,
  neighbours,
  base_fare_kobo, per_km_kobo, included_meters, per_kg_kobo, included_grams, average_speed_kmh, created_at, updated_at
) values
  (
    'lag-island', 'Lagos Island, Victoria Island and Ikoyi', 'Lagos', 'Lagos',
    array['Lagos Island', 'Eti-Osa'],
    array['Lagos Island', 'Victoria Island', 'Ikoyi', 'Eko Atlantic', 'Obalende'],
    6.44, 3.4203, array[3.3845, 6.399, 3.462, 6.471],
    '{"type":"MultiPolygon","coordinates":[[[[3.3845,6.4575],[3.386,6.444],[3.3935,6.432],[3.398,6.412],[3.4,6.4],[3.41,6.399],[3.425,6.412],[3.4435,6.417],[3.443,6.437],[3.45,6.442],[3.458,6.452],[3.462,6.47],[3.448,6.471],[3.435,6.466],[3.418,6.462],[3.405,6.466],[3.391,6.4655],[3.3845,6.4575]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-lekki-1', 'lag-mainland'],
    200000, 15000, 5000, 10000, 5000, 18, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-lekki-1', 'Oniru and Lekki Phase 1', 'Lagos', 'Lagos',
    array['Eti-Osa'],
    array['Oniru', 'Lekki Phase 1'],
    6.4363, 3.4668, array[3.443, 6.417, 3.487, 6.461],
    '{"type":"MultiPolygon","coordinates":[[[[3.4435,6.417],[3.465,6.418],[3.487,6.42],[3.4855,6.44],[3.485,6.461],[3.47,6.459],[3.458,6.452],[3.45,6.442],[3.443,6.437],[3.4435,6.417]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-island', 'lag-lekki-2'],
    200000, 15000, 5000, 10000, 5000, 18, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-lekki-2', 'Ikate to Ajah', 'Lagos', 'Lagos',
    array['Eti-Osa'],
    array['Ikate', 'Osapa', 'Agungi', 'Chevron', 'Ikota', 'Ajah', 'Badore', 'Sangotedo'],
    6.4621, 3.5822, array[3.485, 6.42, 3.657, 6.522],
    '{"type":"MultiPolygon","coordinates":[[[[3.487,6.42],[3.54,6.421],[3.6,6.423],[3.657,6.424],[3.656,6.47],[3.655,6.503],[3.635,6.512],[3.605,6.522],[3.572,6.512],[3.548,6.488],[3.53,6.472],[3.505,6.466],[3.485,6.461],[3.4855,6.44],[3.487,6.42]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-ibeju', 'lag-lekki-1'],
    220000, 15000, 5000, 10000, 5000, 20, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-ibeju', 'Ibeju-Lekki', 'Lagos', 'Lagos',
    array['Ibeju-Lekki'],
    array['Abijo', 'Awoyaya', 'Lakowe', 'Eleko', 'Lekki Free Zone'],
    6.4586, 3.9453, array[3.655, 6.378, 4.36, 6.545],
    '{"type":"MultiPolygon","coordinates":[[[[3.657,6.424],[3.75,6.425],[3.85,6.427],[4.0,6.415],[4.2,6.395],[4.36,6.378],[4.36,6.425],[4.2,6.432],[4.09,6.447],[4.03,6.475],[4.005,6.52],[3.965,6.545],[3.9,6.538],[3.8,6.522],[3.7,6.51],[3.655,6.503],[3.656,6.47],[3.657,6.424]]]]}',
    array['same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"08:00","to":"18:00","tz":"Africa/Lagos"}]',
    array['lag-epe', 'lag-lekki-2'],
    300000, 18000, 8000, 10000, 5000, 30, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-epe', 'Epe', 'Lagos', 'Lagos',
    array['Epe'],
    array['Epe', 'Ejirin', 'Agbowa'],
    6.6447, 3.9448, array[3.7, 6.572, 4.24, 6.73],
    '{"type":"MultiPolygon","coordinates":[[[[3.715,6.61],[3.78,6.585],[3.85,6.58],[3.92,6.575],[3.985,6.572],[4.05,6.58],[4.15,6.585],[4.24,6.62],[4.2,6.66],[4.08,6.69],[3.98,6.71],[3.88,6.73],[3.78,6.72],[3.7,6.69],[3.72,6.65],[3.715,6.61]]]]}',
    array['same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"08:00","to":"18:00","tz":"Africa/Lagos"}]',
    array['lag-ibeju', 'lag-ikorodu'],
    350000, 18000, 8000, 10000, 5000, 35, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-mainland', 'Yaba, Surulere and Mushin', 'Lagos', 'Lagos',
    array['Lagos Mainland', 'Surulere', 'Mushin', 'Shomolu'],
    array['Yaba', 'Ebute Metta', 'Surulere', 'Mushin', 'Shomolu', 'Bariga'],
    6.5105, 3.3628, array[3.318, 6.464, 3.404, 6.562],
    '{"type":"MultiPolygon","coordinates":[[[[3.381,6.464],[3.386,6.466],[3.392,6.48],[3.396,6.498],[3.402,6.515],[3.404,6.536],[3.392,6.543],[3.38,6.548],[3.366,6.562],[3.352,6.562],[3.345,6.548],[3.335,6.535],[3.328,6.515],[3.318,6.492],[3.325,6.477],[3.345,6.471],[3.366,6.469],[3.381,6.464]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-apapa-festac', 'lag-ikeja', 'lag-island', 'lag-kosofe'],
    180000, 15000, 5000, 10000, 5000, 18, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-ikeja', 'Ikeja, Maryland and Oshodi', 'Lagos', 'Lagos',
    array['Ikeja', 'Oshodi-Isolo'],
    array['Ikeja', 'Maryland', 'Ogba', 'Ojodu', 'Oshodi', 'Isolo', 'Okota', 'Ejigbo'],
    6.5746, 3.3311, array[3.28, 6.49, 3.38, 6.668],
    '{"type":"MultiPolygon","coordinates":[[[[3.28,6.505],[3.295,6.49],[3.318,6.492],[3.328,6.515],[3.335,6.535],[3.345,6.548],[3.352,6.562],[3.366,6.562],[3.372,6.575],[3.374,6.59],[3.37,6.605],[3.371,6.622],[3.376,6.638],[3.38,6.655],[3.35,6.668],[3.34,6.645],[3.334,6.628],[3.328,6.608],[3.31,6.6],[3.3,6.58],[3.292,6.558],[3.285,6.53],[3.28,6.505]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-apapa-festac', 'lag-kosofe', 'lag-mainland', 'lag-west'],
    180000, 15000, 5000, 10000, 5000, 18, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-kosofe', 'Ketu, Gbagada and Magodo', 'Lagos', 'Lagos',
    array['Kosofe'],
    array['Ketu', 'Gbagada', 'Ogudu', 'Ojota', 'Magodo', 'Mile 12'],
    6.6091, 3.399, array[3.366, 6.536, 3.43, 6.672],
    '{"type":"MultiPolygon","coordinates":[[[[3.404,6.536],[3.41,6.545],[3.408,6.562],[3.412,6.583],[3.43,6.6],[3.428,6.64],[3.43,6.672],[3.4,6.668],[3.38,6.655],[3.376,6.638],[3.371,6.622],[3.37,6.605],[3.374,6.59],[3.372,6.575],[3.366,6.562],[3.38,6.548],[3.392,6.543],[3.404,6.536]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-ikeja', 'lag-ikorodu', 'lag-mainland'],
    180000, 15000, 5000, 10000, 5000, 20, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-west', 'Alimosho, Agege and Ifako', 'Lagos', 'Lagos',
    array['Alimosho', 'Agege', 'Ifako-Ijaiye'],
    array['Agege', 'Egbeda', 'Ikotun', 'Igando', 'Ipaja', 'Abule Egba', 'Iju'],
    6.6038, 3.2647, array[3.19, 6.5, 3.35, 6.695],
    '{"type":"MultiPolygon","coordinates":[[[[3.28,6.505],[3.285,6.53],[3.292,6.558],[3.3,6.58],[3.31,6.6],[3.328,6.608],[3.334,6.628],[3.34,6.645],[3.35,6.668],[3.345,6.69],[3.315,6.695],[3.275,6.69],[3.235,6.675],[3.215,6.645],[3.205,6.6],[3.195,6.56],[3.19,6.525],[3.22,6.512],[3.25,6.5],[3.28,6.505]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-apapa-festac', 'lag-ikeja'],
    200000, 15000, 5000, 10000, 5000, 20, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-apapa-festac', 'Apapa, FESTAC and Ojo', 'Lagos', 'Lagos',
    array['Apapa', 'Ajeromi-Ifelodun', 'Amuwo-Odofin', 'Ojo'],
    array['Apapa', 'Ajegunle', 'FESTAC Town', 'Satellite Town', 'Ojo', 'Alaba'],
    6.4527, 3.2143, array[3.075, 6.399, 3.385, 6.525],
    '{"type":"MultiPolygon","coordinates":[[[[3.075,6.399],[3.16,6.4],[3.26,6.401],[3.34,6.401],[3.385,6.4],[3.383,6.418],[3.372,6.434],[3.378,6.447],[3.381,6.464],[3.366,6.469],[3.345,6.471],[3.325,6.477],[3.318,6.492],[3.295,6.49],[3.28,6.505],[3.25,6.5],[3.22,6.512],[3.19,6.525],[3.12,6.515],[3.075,6.502],[3.075,6.399]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['lag-badagry', 'lag-ikeja', 'lag-mainland', 'lag-west'],
    220000, 15000, 5000, 10000, 5000, 18, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-ikorodu', 'Ikorodu', 'Lagos', 'Lagos',
    array['Ikorodu'],
    array['Ikorodu', 'Igbogbo', 'Ijede', 'Odogunyan'],
    6.6372, 3.5749, array[3.428, 6.548, 3.72, 6.71],
    '{"type":"MultiPolygon","coordinates":[[[[3.43,6.6],[3.465,6.598],[3.49,6.593],[3.52,6.575],[3.56,6.555],[3.59,6.548],[3.62,6.556],[3.65,6.575],[3.69,6.59],[3.715,6.61],[3.72,6.65],[3.7,6.69],[3.63,6.705],[3.55,6.71],[3.47,6.7],[3.43,6.672],[3.428,6.64],[3.43,6.6]]]]}',
    array['same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"08:00","to":"18:00","tz":"Africa/Lagos"}]',
    array['lag-epe', 'lag-kosofe'],
    280000, 16000, 6000, 10000, 5000, 28, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'lag-badagry', 'Badagry', 'Lagos', 'Lagos',
    array['Badagry'],
    array['Badagry', 'Mowo', 'Ajara'],
    6.4391, 2.8973, array[2.707, 6.364, 3.075, 6.505],
    '{"type":"MultiPolygon","coordinates":[[[[2.707,6.364],[2.8,6.378],[2.9,6.39],[3.0,6.396],[3.075,6.399],[3.075,6.502],[2.98,6.505],[2.86,6.498],[2.76,6.47],[2.707,6.43],[2.707,6.364]]]]}',
    array['same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"08:00","to":"18:00","tz":"Africa/Lagos"}]',
    array['lag-apapa-festac'],
    350000, 18000, 8000, 10000, 5000, 30, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'abj-central', 'Central Abuja', 'FCT', 'Abuja',
    array['Abuja Municipal'],
    array['Central Business District', 'Garki', 'Wuse', 'Maitama', 'Asokoro', 'Guzape'],
    9.04, 7.4939, array[7.445, 8.965, 7.545, 9.112],
    '{"type":"MultiPolygon","coordinates":[[[[7.452,9.085],[7.447,9.045],[7.445,9.01],[7.465,8.99],[7.485,8.965],[7.515,8.968],[7.53,9.0],[7.54,9.03],[7.545,9.06],[7.53,9.09],[7.505,9.112],[7.475,9.105],[7.452,9.085]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['abj-east', 'abj-north-west', 'abj-south'],
    180000, 12000, 5000, 10000, 5000, 28, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'abj-north-west', 'Jabi, Gwarinpa, Kubwa and Bwari', 'FCT', 'Abuja',
    array['Abuja Municipal', 'Bwari'],
    array['Jabi', 'Utako', 'Gwarinpa', 'Kubwa', 'Bwari', 'Mpape', 'Zuba'],
    9.1746, 7.3831, array[7.185, 9.03, 7.575, 9.35],
    '{"type":"MultiPolygon","coordinates":[[[[7.22,9.035],[7.29,9.03],[7.36,9.03],[7.41,9.035],[7.447,9.045],[7.452,9.085],[7.475,9.105],[7.505,9.112],[7.575,9.165],[7.55,9.24],[7.5,9.31],[7.42,9.35],[7.335,9.32],[7.275,9.24],[7.255,9.17],[7.225,9.14],[7.195,9.115],[7.185,9.06],[7.22,9.035]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['abj-central', 'abj-east', 'abj-outer', 'abj-south'],
    200000, 12000, 6000, 10000, 5000, 30, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'abj-south', 'Lugbe, Airport Road and Kuje', 'FCT', 'Abuja',
    array['Abuja Municipal', 'Kuje'],
    array['Lugbe', 'Lokogoma', 'Gosa', 'Airport', 'Kuje'],
    8.824, 7.3471, array[7.14, 8.57, 7.575, 9.045],
    '{"type":"MultiPolygon","coordinates":[[[[7.22,9.035],[7.165,8.97],[7.14,8.87],[7.16,8.77],[7.22,8.66],[7.3,8.57],[7.42,8.62],[7.51,8.69],[7.575,8.775],[7.545,8.86],[7.525,8.93],[7.515,8.968],[7.485,8.965],[7.465,8.99],[7.445,9.01],[7.447,9.045],[7.41,9.035],[7.36,9.03],[7.29,9.03],[7.22,9.035]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['abj-central', 'abj-east', 'abj-north-west', 'abj-outer'],
    220000, 12000, 6000, 10000, 5000, 32, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'abj-east', 'Nyanya, Karu and Jikwoyi', 'FCT', 'Abuja',
    array['Abuja Municipal'],
    array['Nyanya', 'Karu', 'Jikwoyi', 'Orozo', 'Karshi'],
    8.9596, 7.5691, array[7.505, 8.775, 7.625, 9.165],
    '{"type":"MultiPolygon","coordinates":[[[[7.575,8.775],[7.625,8.84],[7.625,8.93],[7.59,8.98],[7.582,9.04],[7.583,9.1],[7.575,9.165],[7.505,9.112],[7.53,9.09],[7.545,9.06],[7.54,9.03],[7.53,9.0],[7.515,8.968],[7.525,8.93],[7.545,8.86],[7.575,8.775]]]]}',
    array['on_demand', 'same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"07:00","to":"21:00","tz":"Africa/Lagos"},{"days":["sun"],"from":"10:00","to":"19:00","tz":"Africa/Lagos"}]',
    array['abj-central', 'abj-north-west', 'abj-south'],
    220000, 12000, 6000, 10000, 5000, 25, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  ),
  (
    'abj-outer', 'Gwagwalada, Kwali and Abaji', 'FCT', 'Abuja',
    array['Gwagwalada', 'Kwali', 'Abaji'],
    array['Gwagwalada', 'Kwali', 'Abaji'],
    8.7048, 7.02, array[6.78, 8.4, 7.3, 9.09],
    '{"type":"MultiPolygon","coordinates":[[[[7.22,9.035],[7.185,9.06],[7.1,9.09],[6.99,9.05],[6.9,8.95],[6.85,8.8],[6.8,8.65],[6.78,8.5],[6.88,8.41],[7.02,8.4],[7.16,8.45],[7.3,8.57],[7.22,8.66],[7.16,8.77],[7.14,8.87],[7.165,8.97],[7.22,9.035]]]]}',
    array['same_day', 'next_day', 'standard'], '[{"days":["mon","tue","wed","thu","fri","sat"],"from":"08:00","to":"18:00","tz":"Africa/Lagos"}]',
    array['abj-north-west', 'abj-south'],
    350000, 15000, 10000, 10000, 5000, 45, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
  )
on conflict (id) do nothing;
