alter table refunds add column created_process text;

comment on column refunds.created_process is 'The process that created it. Only that process can know without a search that it was never submitted: a failover may lose a claim.';
