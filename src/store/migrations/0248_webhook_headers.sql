alter table webhook_endpoints
add column sealed_headers bytea,
add column header_names text[],
add column headers_changed_at timestamptz(3);
alter table webhook_endpoints
add constraint endpoint_headers_have_names
check (
  (sealed_headers is null) = (header_names is null)
  and (header_names is null or cardinality(header_names) between 1 and 5)
  and (sealed_headers is null or headers_changed_at is not null)
) not valid;

comment on column webhook_endpoints.sealed_headers is
'The custom headers of deliveries, names and values, as encrypted JSON. Null without custom headers.';
comment on column webhook_endpoints.header_names is
'The names of the custom headers. Null without custom headers.';
comment on column webhook_endpoints.headers_changed_at is
'When the custom headers last changed. Null if the endpoint never had any.';
