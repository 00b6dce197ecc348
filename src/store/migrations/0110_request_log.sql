-- The log of API requests for seven days. Rows are inserted in batches after the responses, and dropped with the partition of
-- their day. The default partition receives rows of a day without a partition.
create table request_log (
  -- When the request arrived. The id contains the same time.
  occurred_at timestamptz(3) not null,
  -- The transaction of the batch, which tells a reader which rows are new to it. Ids do not: a slow request is stored late.
  recorded_xid xid8 not null,
  duration_ms integer not null,
  status smallint not null,
  -- No foreign keys: they would lock the rows of the merchant and of the token for each batch.
  merchant_id record_id not null,
  id record_id not null,
  token_id record_id not null,
  operation text not null,
  error_code text,
  source_ip inet not null,
  constraint request_log_pkey primary key (merchant_id, id),
  constraint request_status_is_a_response_status check (status between 200 and 599),
  constraint request_duration_is_not_negative check (duration_ms >= 0)
) partition by range (id);

create table request_log_default partition of request_log default;

-- Errors are rare among millions of requests, and are what people search for.
create index request_log_errors on request_log (merchant_id, id) where status >= 400;

comment on table request_log is 'An API request of a token: its operation, result and duration. Never its body or its token.';
comment on column request_log.id is 'Id of the request, as in the header Request-Id.';

-- Counting millions of rows for a chart would take seconds.
create table request_counts (
  merchant_id record_id not null references merchants (id),
  hour timestamptz(3) not null,
  status_class smallint not null,
  requests bigint not null,
  constraint request_counts_pkey primary key (merchant_id, hour, status_class),
  constraint request_hour_is_a_whole_hour check (hour = date_trunc('hour', hour, 'UTC')),
  constraint request_status_class_is_known check (status_class between 2 and 5),
  constraint request_count_is_positive check (requests > 0)
);

create index request_counts_by_hour on request_counts (hour);

comment on table request_counts is 'Requests of a merchant per hour and class of their status, maintained with the request log.';
comment on column request_counts.status_class is 'First digit of the status: 4 for 400 to 499.';
