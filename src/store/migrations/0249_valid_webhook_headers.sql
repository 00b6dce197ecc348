-- Reads the table without blocking writes.
alter table webhook_endpoints validate constraint endpoint_headers_have_names;
