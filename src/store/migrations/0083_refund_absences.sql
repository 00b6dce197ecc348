-- A provider may list a refund late, so one search that does not find it proves nothing: two searches apart in time do.
alter table refunds add column absent_since timestamptz(3);

comment on column refunds.absent_since is 'When a search at the provider first found no such refund, since it was last submitted. Null before that.';
