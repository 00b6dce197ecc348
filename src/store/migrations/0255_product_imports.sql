-- Imports of products that a member started in the dashboard. The worker checks the file, and creates its products once the
-- member has confirmed the import.
create table product_imports (
  merchant_id record_id not null,
  id record_id not null,
  file_name text not null,
  file bytea not null,
  actor jsonb not null,
  status text not null default 'checking',
  report jsonb,
  attempt integer not null default 0,
  progress_attempt integer not null default 0,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint product_import_status_is_known check (status in ('checking', 'checked', 'importing', 'done', 'failed')),
  constraint product_import_is_complete_with_a_report check (status in ('checking', 'importing', 'failed') or report is not null),
  constraint product_import_is_leased_while_it_runs check (status in ('checking', 'importing') or leased_until is null)
);

-- The compression of a large file would take longer than its transfer.
alter table product_imports alter column file set storage external;

-- Two imports at once would compete for the same SKUs.
create unique index product_imports_that_run on product_imports (merchant_id) where status in ('checking', 'importing');

create index product_imports_by_update on product_imports (updated_at);

comment on table product_imports is 'Imports of products from files that members uploaded. Deleted a day after their last progress.';
comment on column product_imports.file is 'The uploaded file. Empty once the import has ended.';
comment on column product_imports.actor is 'The member who uploaded the file or, later, who started the import, as the audit log records actors.';
comment on column product_imports.report is 'The result of the check or of the import, so far. Null until the first progress of either, and if an error of the service ended the import before it.';
comment on column product_imports.attempt is 'Number of runs of the worker. A run that has lost its lease stores nothing.';
comment on column product_imports.progress_attempt is 'The last attempt that created products, or that preceded the import.';
comment on column product_imports.leased_until is 'Until when no other worker continues the import.';
